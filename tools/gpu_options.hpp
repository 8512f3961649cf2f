// SPDX-License-Identifier: MIT
// tools/gpu_options.hpp — which GPU a command uses, and how much of its memory.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include "core/cuda/device.hpp"
#include "core/log.hpp"
#include "fftconv/plan.hpp"
#include "tools/option_table.hpp"

namespace synthoscope::tools {

struct GpuOptions {
  std::string gpus = "auto";                 ///< or none, all, positions or uuids
  std::optional<std::int64_t> memory_bytes;  ///< of the GPU; else most of what is free there

  void describe(OptionTable& table);
  [[nodiscard]] bool is_automatic() const { return gpus == "auto"; }
};

/// The GPU of one command. It is looked for when it is first asked for, because CUDA takes its time
/// to start.
class GpuInUse {
 public:
  /// Both outlive this.
  GpuInUse(const GpuOptions& options, Log& log) : options_{options}, log_{log} {}

  /// Null where none is used.
  /// @throws CudaError    one is demanded, and there is none or it fails; where none is demanded,
  ///                      a warning says so.
  /// @throws InvalidSpec  the one that is demanded is not among those that there are.
  const cuda::DeviceInfo* device();

  /// Of its memory that may be used; 0 where there is none. @throws as device
  std::int64_t memory_bytes();

  /// Enters the GPU, with the rates that are remembered of it, and whether it must be used.
  /// @throws as device
  void offer_to(fftconv::Machine& machine);

  /// "sm_90", or "no GPU": results of another one may differ in the last bits. @throws as device
  std::string instruction_set();

  [[nodiscard]] bool is_automatic() const { return options_.is_automatic(); }

 private:
  void look();
  void find();

  const GpuOptions& options_;
  Log& log_;
  bool looked_ = false;
  std::optional<cuda::DeviceInfo> device_;
  std::int64_t memory_bytes_ = 0;
};

}  // namespace synthoscope::tools

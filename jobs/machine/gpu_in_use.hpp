// SPDX-License-Identifier: MIT
// jobs/machine/gpu_in_use.hpp — which GPUs a job uses, and how much of their memory.
#pragma once
#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "fftconv/plan.hpp"
#include "jobs/machine/workspace.hpp"

namespace synthoscope::jobs {

/// Which GPUs a job may use.
struct GpuChoice {
  std::string gpus = "auto";                 ///< or none, all, positions or uuids
  std::optional<std::int64_t> memory_bytes;  ///< of the GPU; else most of what is free there

  [[nodiscard]] bool is_automatic() const { return gpus == "auto"; }
};

/// The GPUs of one job. CUDA needs 0.2 s or more to start. Requested GPUs start in a separate
/// thread. With "auto", they start when a function of this class first needs them. The stage "start
/// GPU" measures how long the job waits.
class GpuInUse {
 public:
  /// Both outlive this.
  GpuInUse(const GpuChoice& choice, Workspace& workspace);

  /// Returns the first GPU; null if none is used.
  /// @throws CudaError    a GPU is requested, and there is none or it fails; without a request this
  ///                      is a warning.
  /// @throws InvalidSpec  the requested GPU does not exist.
  const cuda::DeviceInfo* device();

  /// Returns the first GPU and all others of the same kind: a plan runs on any of them.
  /// @throws as device
  const std::vector<cuda::DeviceInfo>& devices();

  /// Returns the memory of each that may be used; 0 if there is none. @throws as device
  std::int64_t memory_bytes();

  /// Enters the first GPU, with the rates that are remembered of it, and whether it must be used.
  /// @throws as device
  void offer_to(fftconv::Machine& machine);

  /// Returns "sm_90", or "no GPU": results of other capabilities may differ in the last bits.
  /// @throws as device
  std::string instruction_set();

  [[nodiscard]] bool is_automatic() const { return choice_.is_automatic(); }

 private:
  /// GPUs whose CUDA is started.
  struct Started {
    cuda::DeviceList list;
    std::vector<cuda::DeviceInfo> chosen;
    std::vector<std::int64_t> free_bytes;  ///< of each chosen one
  };

  void look();
  void find();
  [[nodiscard]] static Started start(const std::string& gpus);
  void take_alike(const Started& started);
  [[nodiscard]] std::int64_t usable_bytes(const cuda::DeviceInfo& device, std::int64_t free) const;

  const GpuChoice& choice_;
  Log& log_;
  Stopwatch& watch_;
  std::shared_future<Started> starting_;  ///< none with "none"; a failure is thrown every time
  bool looked_ = false;
  std::vector<cuda::DeviceInfo> devices_;
  std::int64_t memory_bytes_ = 0;
};

}  // namespace synthoscope::jobs

// SPDX-License-Identifier: MIT
// multigpu/parts_of_many.hpp — one convolution in frequency parts on several devices.
#pragma once
#include <memory>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::multigpu {

/// Runs plans in parts that devices fold (Cut::fold_on_device), which have no steps: every device
/// convolves some of the parts, then unfolds and stores some planes of the result, with the bits
/// that one device gives (fftconv/device/parts/share.hpp). What they exchange goes from device to
/// device where one reaches the memory of the other, else through the host.
class PartsOfMany {
 public:
  virtual ~PartsOfMany() = default;

  /// As Executor::run, by the first `members` devices: no more than parts, and context.memory has
  /// room for as many plans. `sink` takes any box.
  virtual fftconv::RunReport run(std::size_t members, const fftconv::Plan& plan,
                                 std::span<const fftconv::Term> terms, Epilogue& epilogue,
                                 Sink& sink, const RunContext& context) = 0;
};

/// @param devices       all of them alike
/// @param device_bytes  budget of each device, at most --gpu-memory
[[nodiscard]] std::unique_ptr<PartsOfMany> make_parts_of_many(
    const std::vector<cuda::DeviceInfo>& devices, std::int64_t device_bytes);

}  // namespace synthoscope::multigpu

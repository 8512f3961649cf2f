// SPDX-License-Identifier: MIT
// fftconv/device/parts/folded_by_host.hpp — a run in frequency parts that has no room for image and
// result on the device: the host folds, keeps what comes back, and unfolds.
#pragma once
#include <filesystem>
#include "core/base/stopwatch.hpp"
#include "fftconv/device/parts/work.hpp"

namespace synthoscope::fftconv::device {

/// As run_parts_on_device. `watch` receives the stages.
void run_parts_folded_by_host(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                              const PartsWork& work, const std::filesystem::path& scratch_folder,
                              Stopwatch& watch, const RunContext& context);

}  // namespace synthoscope::fftconv::device

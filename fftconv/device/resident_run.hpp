// SPDX-License-Identifier: MIT
// fftconv/device/resident_run.hpp — convolution of volumes that lie on the device: nothing travels.
#pragma once
#include "core/cuda/runtime/device.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::fftconv::device {

/// Whether run_resident does this work: image, kernel and result lie on the device alone, and the
/// plan cuts nothing, stores what is computed, and takes no mean out.
bool is_resident(cuda::DeviceId device, const Plan& plan, std::span<const Term> terms,
                 Epilogue& epilogue, Sink& sink, const RunContext& context);

/// run_on_device for such work, to the same bits: voxels are taken and stored where they lie, all
/// planes at once, by the calling thread.
RunReport run_resident(const cuda::DeviceInfo& device, MemoryBudget& device_memory,
                       const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                       const RunContext& context);

}  // namespace synthoscope::fftconv::device

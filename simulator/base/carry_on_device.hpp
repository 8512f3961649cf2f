// SPDX-License-Identifier: MIT
// simulator/base/carry_on_device.hpp — carries a volume from a source to a sink through a device,
// which makes or records the volume.
#pragma once
#include <string_view>
#include "core/cuda/runtime/device.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::simulator::device {

/// A device and its memory budget, which outlives sources and epilogues that work there.
struct DeviceWorkspace {
  const cuda::DeviceInfo& device;
  MemoryBudget& memory;
};

/// Bytes that a plane needs at least, in addition to what source and epilogue keep.
struct CarriedPlane {
  std::int64_t device = 0, host = 0;
};

/// Returns the bytes for a plane of `source`. @param made  what the epilogue makes of a plane
CarriedPlane carried_plane(Source& source, const StreamFormat& made);

/// Does what synthoscope::carry does, with the same bits. Either the source is made on the device,
/// in the type that the sink takes, or the epilogue works there. Reading, computing and writing
/// overlap, with as many planes at once as memory allows.
/// @throws PlanError    a budget is too small for carried_plane and what source and epilogue keep.
/// @throws OutOfDeviceMemory, CudaError
/// @throws Interrupted  context.stop was set.
/// @throws what source, epilogue and sink throw.
void carry_on_device(std::string_view stage, Source& source, Epilogue& epilogue, Sink& sink,
                     const DeviceWorkspace& room, const RunContext& context);

}  // namespace synthoscope::simulator::device

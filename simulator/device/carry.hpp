// SPDX-License-Identifier: MIT
// simulator/device/carry.hpp — carries a volume from a source to a sink by way of a device, which
// makes it or records it.
#pragma once
#include <string_view>
#include "core/cuda/runtime/device.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::simulator::device {

/// A device, and the budget of its memory, which outlives sources and epilogues that work there.
struct DeviceRoom {
  const cuda::DeviceInfo& device;
  MemoryBudget& memory;
};

/// What a plane takes at least on its way, in bytes: beside what source and epilogue keep.
struct CarriedPlane {
  std::int64_t device = 0, host = 0;
};

/// @param plane  of the source  @param made  what the epilogue makes of a plane
CarriedPlane carried_plane(Source& source, const StreamFormat& made);

/// What synthoscope::carry does, with the same bits. Either the source is made on the device, in
/// the type that the sink takes, or the epilogue works there. Reading, computing and writing are
/// done at the same time, of as many planes at once as there is memory for.
/// @throws PlanError    a budget has no room for what source and epilogue keep and carried_plane.
/// @throws OutOfDeviceMemory, CudaError
/// @throws Interrupted  context.stop was set.
/// @throws what source, epilogue and sink throw.
void carry_on_device(std::string_view stage, Source& source, Epilogue& epilogue, Sink& sink,
                     const DeviceRoom& room, const RunContext& context);

}  // namespace synthoscope::simulator::device

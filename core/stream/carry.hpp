// SPDX-License-Identifier: MIT
// core/stream/carry.hpp — carries a volume plane by plane from a source through an epilogue to a
// sink.
#pragma once
#include <string_view>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope {

/// What one thread of `carry` holds, in bytes: a plane as it is read, in float32 and as it is made.
std::int64_t carry_bytes(const Extent3& plane, PixelType read, PixelType made);

/// Voxels without gaps as float32, one behind the other.
void to_float32(ConstVoxelView from, float* to);

/// Reads every plane once, converts it to float32, applies `epilogue` and writes what it makes;
/// as many planes at once as the context has threads and memory for, handed to `sink` in z order.
/// Does not close the sink. `stage` names the work to whoever watches the progress.
/// The epilogue must make one plane of every plane.
/// @throws PlanError    the memory budget has no room for one plane: carry_bytes.
/// @throws Interrupted  context.stop was set.
/// @throws what source, epilogue and sink throw.
void carry(std::string_view stage, Source& source, Epilogue& epilogue, Sink& sink,
           const RunContext& context);

}  // namespace synthoscope

// SPDX-License-Identifier: MIT
// core/stream/carry.hpp — carries a volume plane by plane from a source through an epilogue to a
// sink.
#pragma once
#include <string_view>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope {

/// Returns the bytes that one thread of `carry` holds: a plane as it is read, in float32, and as it
/// is stored.
std::int64_t carry_bytes(const Extent3& plane, PixelType read, PixelType made);

/// Float32 voxels, contiguous.
void to_float32(ConstVoxelView from, float* to);

/// Reads every plane once, converts it to float32, applies `epilogue` and writes the result to
/// `sink`. Works on as many planes at once as the context has threads and memory for; planes are
/// also written at once if the sink accepts any order.
/// Does not close the sink. `stage` names the work in progress reports. The epilogue must make one
/// plane of every plane.
/// @throws PlanError    the memory budget is smaller than carry_bytes.
/// @throws Interrupted  context.stop was set.
/// @throws what source, epilogue and sink throw.
void carry(std::string_view stage, Source& source, Epilogue& epilogue, Sink& sink,
           const RunContext& context);

}  // namespace synthoscope

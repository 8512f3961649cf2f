// SPDX-License-Identifier: MIT
// core/carry.hpp — carries a volume plane by plane from a source through an epilogue to a sink.
#pragma once
#include <string_view>
#include "core/run_context.hpp"
#include "core/stream.hpp"

namespace synthoscope {

/// Reads every plane once, converts it to float32, applies `epilogue` and writes what it makes;
/// as many planes at once as the context has threads, handed to `sink` in z order. Does not close
/// the sink. `stage` names the work to whoever watches the progress.
/// The epilogue must make one plane of every plane.
/// @throws PlanError    the memory budget has no room for one plane per thread.
/// @throws Interrupted  context.stop was set.
/// @throws what source, epilogue and sink throw.
void carry(std::string_view stage, Source& source, Epilogue& epilogue, Sink& sink,
           const RunContext& context);

}  // namespace synthoscope

// SPDX-License-Identifier: MIT
// multigpu/in_phases.hpp — work that several members do at once, phase by phase.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include "core/run/stop.hpp"

namespace synthoscope::multigpu {

/// What member `i` does in a phase.
using Phase = std::function<void(std::size_t i)>;

/// Every member has a thread of its own; all have ended a phase before any begins the next. Where
/// one fails, `stop` is requested, so that the others can end theirs early, and no phase follows.
/// @throws what the first that failed threw
void run_in_phases(std::size_t members, std::span<const Phase> phases, StopFlag& stop);

}  // namespace synthoscope::multigpu

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

/// Runs phases with one thread for each member; all members end a phase before any begins the next.
/// If one fails, `stop` is requested, so that the others can end early, and no phase follows.
/// @throws what the first failed member threw
void run_in_phases(std::size_t members, std::span<const Phase> phases, StopFlag& stop);

}  // namespace synthoscope::multigpu

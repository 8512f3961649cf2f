// SPDX-License-Identifier: MIT
// core/system/thread_limit.hpp — whether the system allows as many threads as a run wants.
#pragma once

namespace synthoscope {

/// Starts and ends threads to see whether the process may have `threads`, the caller's included.
/// What an earlier call found is kept, so a process pays once.
/// @throws PlanError  the system allows fewer (a limit of users, of a container, of memory).
void require_threads(int threads);

}  // namespace synthoscope

// SPDX-License-Identifier: MIT
// core/cuda/slot_events.hpp — marks of the slots in which batches travel.
#pragma once
#include <vector>
#include "core/batches.hpp"
#include "core/cuda/stream.hpp"

namespace synthoscope::cuda {

/// One event a slot. Threads that wait for them sleep: others copy meanwhile. @throws CudaError
inline std::vector<Event> slot_events(DeviceId device) {
  std::vector<Event> events;
  for (int i = 0; i < kBatches; ++i) events.emplace_back(device, Waiting::asleep);
  return events;
}

}  // namespace synthoscope::cuda

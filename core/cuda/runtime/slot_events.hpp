// SPDX-License-Identifier: MIT
// core/cuda/runtime/slot_events.hpp — marks of the slots in which batches travel.
#pragma once
#include <vector>
#include "core/cuda/runtime/stream.hpp"
#include "core/volume/batches.hpp"

namespace synthoscope::cuda {

/// One event a slot. Threads that wait for them sleep: others copy meanwhile. @throws CudaError
inline std::vector<Event> slot_events(DeviceId device) {
  std::vector<Event> events;
  for (int i = 0; i < kBatches; ++i) events.emplace_back(device, Waiting::blocking);
  return events;
}

}  // namespace synthoscope::cuda

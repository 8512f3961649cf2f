// SPDX-License-Identifier: MIT
// core/cuda/runtime/slot_events.hpp — events of the slots through which batches are copied.
#pragma once
#include <vector>
#include "core/cuda/runtime/stream.hpp"
#include "core/volume/batches.hpp"

namespace synthoscope::cuda {

/// Returns an event for each slot. Threads that wait for one sleep, because others copy meanwhile.
/// @throws CudaError
inline std::vector<Event> slot_events(DeviceId device) {
  std::vector<Event> events;
  for (int i = 0; i < kBatches; ++i) events.emplace_back(device, Waiting::blocking);
  return events;
}

}  // namespace synthoscope::cuda

// SPDX-License-Identifier: MIT
// core/run/checkpoint.hpp — which steps of a run are finished, for runs that are resumed or shared.
#pragma once
#include <cstdint>
#include "core/volume/interval.hpp"

namespace synthoscope {

/// A run is a fixed sequence of steps, numbered from 0, that follows from its plan alone. Each step
/// makes boxes of the result that no other step makes. The executor asks the checkpoint which steps
/// to do, and reports those that it has finished.
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;

  /// Returns which of the `all` steps remain; the executor does exactly these, in ascending order.
  [[nodiscard]] virtual IntervalSet to_do(std::int64_t all) const = 0;

  /// Marks steps as finished: every box of these steps has been written to the sink, and no box of
  /// any other unfinished step. Called by one thread, while nothing is being written.
  /// @throws IoError
  virtual void finish(const IntervalSet& steps) = 0;

  /// Whether `finish` would write a record now: members that share a run wait for each other then.
  [[nodiscard]] virtual bool is_due() const { return true; }
};

}  // namespace synthoscope

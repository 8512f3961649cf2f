// SPDX-License-Identifier: MIT
// core/run/checkpoint.hpp — which steps of a run are to be done, and which are: of a run that is
// gone on with after it ended too soon, or that is shared with others.
#pragma once
#include <cstdint>
#include "core/volume/stretches.hpp"

namespace synthoscope {

/// A run is a fixed sequence of steps, numbered from 0, that follows from its plan alone. Each
/// makes boxes of the result that no other makes. Whoever executes it asks here what to do, and
/// tells here what is done.
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;

  /// Of the `all` steps of the run those that are to be done; the executor does them in ascending
  /// order, and no other.
  [[nodiscard]] virtual Stretches to_do(std::int64_t all) const = 0;

  /// Every box of these steps has been handed to the sink, and no other box but those of steps that
  /// were finished before. Called by one thread, while nothing is written. @throws IoError
  virtual void finish(const Stretches& steps) = 0;

  /// Whether `finish` would write a record now: members that share a run wait for each other then.
  [[nodiscard]] virtual bool is_due() const { return true; }
};

}  // namespace synthoscope

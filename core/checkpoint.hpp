// SPDX-License-Identifier: MIT
// core/checkpoint.hpp — how far a run has come that can be gone on with after it ended too soon.
#pragma once
#include <cstdint>

namespace synthoscope {

/// A run is a fixed sequence of steps, numbered from 0, that follows from its plan alone. Whoever
/// executes it asks here where to begin and tells here what is done.
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;

  /// Steps that earlier runs finished: the executor begins with the one after them.
  [[nodiscard]] virtual std::int64_t finished_steps() const = 0;

  /// Every box of the first `steps` steps has been handed to the sink, and no other box. Called in
  /// order, by one thread, while nothing is written. @throws IoError
  virtual void finish(std::int64_t steps) = 0;
};

}  // namespace synthoscope

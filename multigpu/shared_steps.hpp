// SPDX-License-Identifier: MIT
// multigpu/shared_steps.hpp — distributes the steps of one run over members that work at the same
// time.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>
#include "core/run/checkpoint.hpp"

namespace synthoscope::multigpu {

/// Gives each member a contiguous range of the steps, in equal shares, so that what a step has in
/// common with the one before is loaded once a share and not once a step.
///
/// Progress is recorded while no member writes: when a record is due, members wait at the end of
/// their step until all have ended theirs.
class SharedSteps {
 public:
  /// @param members  at least 1
  /// @param whole    records the run; null if it is not recorded. Must outlive this object.
  SharedSteps(const IntervalSet& to_do, std::size_t members, Checkpoint* whole);
  ~SharedSteps();

  /// Returns the checkpoint of member `i`: its steps, and where it reports finished ones.
  [[nodiscard]] Checkpoint& of_member(std::size_t i);

  /// Marks a member as ended: it has finished, or failed. If it failed, the others end after their
  /// current step.
  /// @param failure  null if it has not failed
  void leave(std::exception_ptr failure);

  /// Marks a member as ended; the others continue.
  void lose();

  /// Once all have left. @returns what a lost member has left to do
  /// @throws what the first that failed threw
  IntervalSet finish();

 private:
  class Member;
  void finish_step(const IntervalSet& steps);
  void record_once_all_wait();
  [[nodiscard]] bool is_due() const;

  IntervalSet to_do_;
  Checkpoint* whole_;
  std::vector<std::unique_ptr<Member>> members_;
  std::mutex mutex_;
  std::condition_variable recorded_;
  IntervalSet finished_;
  IntervalSet pending_;  ///< of these, not recorded yet
  std::size_t working_, waiting_ = 0;
  std::int64_t records_ = 0;
  std::exception_ptr failure_;
};

}  // namespace synthoscope::multigpu

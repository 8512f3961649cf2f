// SPDX-License-Identifier: MIT
// multigpu/shared_steps.hpp — the steps of one run, shared out among several who do them at once.
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

/// Gives each member a stretch of the steps: equal shares, in order, so that what steps have in
/// common with the one before is loaded once for a share and not for every step.
///
/// What is recorded of the run is recorded while nobody writes: where a record is due, members wait
/// at the end of their step until all have come to the end of theirs.
class SharedSteps {
 public:
  /// @param members  at least 1
  /// @param whole    records the run; null where nobody does. Outlives this.
  SharedSteps(const Stretches& to_do, std::size_t members, Checkpoint* whole);
  ~SharedSteps();

  /// What member `i` is to do, and where it tells what is done.
  [[nodiscard]] Checkpoint& of_member(std::size_t i);

  /// A member does no more: it has come to its end, or failed. The others end, if it failed, with
  /// their next step. @param failure  null where it has not failed
  void leave(std::exception_ptr failure);

  /// A member does no more, and the others go on.
  void lose();

  /// Once all have left. @returns what a lost member has left to do
  /// @throws what the first that failed threw
  Stretches finish();

 private:
  class Member;
  void finish_step(const Stretches& steps);
  void record_once_all_wait();
  [[nodiscard]] bool is_due() const;

  Stretches to_do_;
  Checkpoint* whole_;
  std::vector<std::unique_ptr<Member>> members_;
  std::mutex mutex_;
  std::condition_variable recorded_;
  Stretches finished_;
  Stretches pending_;  ///< of these, not recorded yet
  std::size_t working_, waiting_ = 0;
  std::int64_t records_ = 0;
  std::exception_ptr failure_;
};

}  // namespace synthoscope::multigpu

// SPDX-License-Identifier: MIT
#include "multigpu/shared_steps.hpp"
#include <utility>

namespace synthoscope::multigpu {
namespace {

/// Another member failed.
struct Ended {};

}  // namespace

class SharedSteps::Member final : public Checkpoint {
 public:
  Member(SharedSteps& shared, IntervalSet share) : shared_{shared}, share_{std::move(share)} {}
  [[nodiscard]] IntervalSet to_do(std::int64_t) const override { return share_; }
  void finish(const IntervalSet& steps) override { shared_.finish_step(steps); }

 private:
  SharedSteps& shared_;
  IntervalSet share_;
};

SharedSteps::SharedSteps(const IntervalSet& to_do, std::size_t members, Checkpoint* whole)
    : to_do_{to_do}, whole_{whole}, working_{members} {
  const auto first_of = [&](std::size_t i) {
    return to_do.count() * static_cast<std::int64_t>(i) / static_cast<std::int64_t>(members);
  };
  for (std::size_t i = 0; i < members; ++i)
    members_.push_back(
        std::make_unique<Member>(*this, to_do.slice(first_of(i), first_of(i + 1) - first_of(i))));
}

SharedSteps::~SharedSteps() = default;

Checkpoint& SharedSteps::of_member(std::size_t i) {
  return *members_[i];
}

void SharedSteps::finish_step(const IntervalSet& steps) {
  std::unique_lock lock{mutex_};
  finished_.add(steps);
  pending_.add(steps);
  if (waiting_ > 0 || is_due()) {
    const std::int64_t before = records_;
    ++waiting_;
    record_once_all_wait();
    recorded_.wait(lock, [&] { return records_ != before || failure_; });
  }
  if (failure_) throw Ended{};
}

void SharedSteps::leave(std::exception_ptr failure) {
  const std::scoped_lock lock{mutex_};
  --working_;
  if (failure && !failure_) failure_ = std::move(failure);
  if (failure_)
    recorded_.notify_all();
  else
    record_once_all_wait();
}

void SharedSteps::lose() {
  leave(nullptr);
}

IntervalSet SharedSteps::finish() {
  if (failure_) std::rethrow_exception(failure_);
  if (whole_ && pending_.count() > 0) whole_->finish(std::exchange(pending_, {}));
  return to_do_.without(finished_);
}

bool SharedSteps::is_due() const {
  return whole_ && whole_->is_due();
}

/// The last to come records for all.
void SharedSteps::record_once_all_wait() {
  if (waiting_ == 0 || waiting_ < working_) return;
  try {
    whole_->finish(std::exchange(pending_, {}));
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
  waiting_ = 0;
  ++records_;
  recorded_.notify_all();
}

}  // namespace synthoscope::multigpu

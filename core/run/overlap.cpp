// SPDX-License-Identifier: MIT
#include "core/run/overlap.hpp"
#include <tbb/concurrent_queue.h>
#include <atomic>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace synthoscope {
namespace {

/// What threads tell each other: a slot has a batch, or is free; or that all is over.
struct Message {
  enum class About { batch, room, end };
  About about = About::end;
  int slot = 0;
};
using Mailbox = tbb::concurrent_bounded_queue<Message>;

class Overlap {
 public:
  Overlap(std::span<const PipelineStep> steps, int slots, bool reuses_room, BatchWork& work)
      : steps_{steps}, reuses_room_{reuses_room}, work_{work} {
    for (int slot = 0; slot < slots; ++slot) {
      loader_.push({Message::About::room, slot});
      rooms_.push_back(slot);
    }
  }

  void run() {
    std::thread loading, receiving, storing;
    guarded([&] {
      loading =
          std::thread{[&] { guarded([&] { pass_on(loader_, receiver_, &BatchWork::load); }); }};
      receiving =
          std::thread{[&] { guarded([&] { pass_on(receiver_, driver_, &BatchWork::receive); }); }};
      storing = std::thread{[&] { guarded([&] { store_all(); }); }};
      drive();
    });
    for (std::thread* thread : {&loading, &receiving, &storing})
      if (thread->joinable()) thread->join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Ended {};  ///< another thread failed

  /// The first failure ends all threads: each that waits for a message gets one.
  template <class Body>
  void guarded(Body&& body) {
    try {
      body();
    } catch (const Ended&) {
    } catch (...) {
      {
        const std::scoped_lock lock{failing_};
        if (!failure_) failure_ = std::current_exception();
      }
      failed_ = true;
      for (Mailbox* box : {&loader_, &receiver_, &driver_, &storer_}) box->push({});
    }
  }

  Message next(Mailbox& box) {
    Message message;
    box.pop(message);
    if (failed_) throw Ended{};
    return message;
  }

  /// Does `work` for all batches that are taken, each in the slot that `from` names, and notifies
  /// `to`.
  void pass_on(Mailbox& from, Mailbox& to, void (BatchWork::*work)(const Batch&, int)) {
    for (const PipelineStep& step : steps_)
      for (const Batch& batch : step.inputs) {
        const int slot = next(from).slot;
        (work_.*work)(batch, slot);
        to.push({Message::About::batch, slot});
      }
  }

  void store_all() {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      for (const Batch& batch : steps_[i].outputs) {
        const int slot = next(storer_).slot;
        work_.store(batch, slot);
        driver_.push({Message::About::room, slot});
      }
      if (failed_) throw Ended{};
      work_.finish(i);
    }
  }

  void drive() {
    const PipelineStep none;
    for (std::size_t i = 0; i <= steps_.size(); ++i) {
      exchange(i > 0 ? steps_[i - 1].outputs : none.outputs,
               i < steps_.size() ? steps_[i].inputs : none.inputs);
      if (i < steps_.size()) work_.compute(i);
    }
  }

  void exchange(const std::vector<Batch>& gives, const std::vector<Batch>& takes) {
    std::size_t given = 0, taken = 0;
    while (given < gives.size() || taken < takes.size()) {
      const bool can_give = given < gives.size() && !rooms_.empty();
      if (can_give) {
        const int slot = first_of(rooms_);
        work_.give(gives[given++], slot);
        storer_.push({Message::About::batch, slot});
      }
      const bool may_take = taken < takes.size() && (!reuses_room_ || given == gives.size());
      const bool can_take = may_take && !arrived_.empty();
      if (can_take) {
        const int slot = first_of(arrived_);
        work_.take(takes[taken++], slot);
        loader_.push({Message::About::room, slot});
      }
      if (!can_give && !can_take) sort(next(driver_));
      for (Message message; driver_.try_pop(message);) sort(message);
      if (failed_) throw Ended{};
    }
  }

  void sort(const Message& message) {
    if (message.about == Message::About::room) rooms_.push_back(message.slot);
    if (message.about == Message::About::batch) arrived_.push_back(message.slot);
  }

  static int first_of(std::deque<int>& slots) {
    const int slot = slots.front();
    slots.pop_front();
    return slot;
  }

  std::span<const PipelineStep> steps_;
  bool reuses_room_;
  BatchWork& work_;
  Mailbox loader_, receiver_, driver_, storer_;
  std::deque<int> rooms_, arrived_;  ///< that the driver may give to, and take from
  std::atomic<bool> failed_{false};
  std::mutex failing_;
  std::exception_ptr failure_;
};

}  // namespace

void run_overlapped(std::span<const PipelineStep> steps, int slots, bool reuses_room,
                    BatchWork& work) {
  Overlap{steps, slots, reuses_room, work}.run();
}

}  // namespace synthoscope

// SPDX-License-Identifier: MIT
#include "multigpu/shared_steps.hpp"
#include <gtest/gtest.h>
#include <atomic>
#include <stdexcept>
#include <thread>

namespace synthoscope::multigpu {
namespace {

/// Keeps what it is told; a record is always due, or never before the end.
class Recorded final : public Checkpoint {
 public:
  explicit Recorded(bool due) : due_{due} {}
  [[nodiscard]] IntervalSet to_do(std::int64_t all) const override { return IntervalSet{{0, all}}; }
  void finish(const IntervalSet& steps) override {
    EXPECT_EQ(writing, 0) << "a record is made while nobody writes";
    ++records;
    finished.add(steps);
  }
  [[nodiscard]] bool is_due() const override { return due_; }
  IntervalSet finished;
  int records = 0;
  std::atomic<int> writing{0};

 private:
  bool due_;
};

/// Every member does its share, step by step, in a thread of its own.
template <class Step>
void work(SharedSteps& shared, std::size_t members, Step&& step) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < members; ++i)
    threads.emplace_back([&, i] {
      try {
        Checkpoint& mine = shared.of_member(i);
        for (const std::int64_t number : mine.to_do(0).numbers()) {
          step(i, number);
          mine.finish(IntervalSet{{number, 1}});
        }
        shared.leave(nullptr);
      } catch (...) {
        shared.leave(std::current_exception());
      }
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(SharedStepsTest, GiveEachMemberAStretchOfWhatIsLeft) {
  IntervalSet to_do{{2, 5}};
  to_do.add({10, 4});
  struct Case {
    std::size_t members;
    std::vector<std::int64_t> counts;
  };
  for (const Case& c : {Case{1, {9}}, {2, {4, 5}}, {4, {2, 2, 2, 3}}}) {
    SharedSteps shared{to_do, c.members, nullptr};
    IntervalSet together;
    for (std::size_t i = 0; i < c.members; ++i) {
      const IntervalSet share = shared.of_member(i).to_do(99);
      EXPECT_EQ(share.count(), c.counts[i]);
      EXPECT_EQ(share.without(together), share) << "no step twice";
      together.add(share);
    }
    EXPECT_EQ(together, to_do);
  }
}

TEST(SharedStepsTest, AreRecordedWhileNobodyWrites) {
  for (const bool due : {true, false})
    for (const std::size_t members : {1u, 2u, 5u}) {
      Recorded whole{due};
      SharedSteps shared{IntervalSet{{0, 103}}, members, &whole};
      work(shared, members, [&](std::size_t, std::int64_t) {
        ++whole.writing;
        std::this_thread::yield();
        --whole.writing;
      });
      shared.finish();
      EXPECT_EQ(whole.finished, IntervalSet({0, 103}));
      EXPECT_EQ(whole.records > 1, due);
    }
}

TEST(SharedStepsTest, EndForAllWhereOneFails) {
  for (const bool due : {true, false}) {
    Recorded whole{due};
    SharedSteps shared{IntervalSet{{0, 3000}}, 3, &whole};
    std::atomic<bool> failed{false};
    std::atomic<int> behind{0};
    work(shared, 3, [&](std::size_t member, std::int64_t number) {
      if (member == 1 && number == 1400) {
        failed = true;
        throw std::runtime_error("the disk is full");
      }
      behind += failed ? 1 : 0;
      std::this_thread::yield();
    });
    EXPECT_THROW(shared.finish(), std::runtime_error);
    const IntervalSet failed_step{{1400, 1}};
    EXPECT_EQ(failed_step.without(whole.finished), failed_step);
    EXPECT_LT(behind, 1000) << "the others end soon";
  }
}

/// A record that fails is a failure of the run.
class Broken final : public Checkpoint {
 public:
  [[nodiscard]] IntervalSet to_do(std::int64_t all) const override { return IntervalSet{{0, all}}; }
  void finish(const IntervalSet&) override { throw std::runtime_error("no record"); }
};

TEST(SharedStepsTest, FailWithTheRecord) {
  Broken whole;
  SharedSteps shared{IntervalSet{{0, 100}}, 4, &whole};
  work(shared, 4, [](std::size_t, std::int64_t) {});
  EXPECT_THROW(shared.finish(), std::runtime_error);
}

}  // namespace
}  // namespace synthoscope::multigpu

// SPDX-License-Identifier: MIT
// Loading, computing and storing overlap, and no slot is used by two of them. Needs no device.
#include "core/run/overlap.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include "tests/support/case_name.hpp"
#include "tests/support/hang.hpp"

namespace synthoscope {
namespace {

constexpr int kSlots = 3;

struct OverlapCase {
  const char* name;
  std::vector<std::pair<int, int>> steps;  ///< batches up and down of each
  bool reuses_room = false;
  int load_us = 0, store_us = 0, travel_us = 0;  ///< what a batch takes
};

const OverlapCase kOverlapCases[] = {
    {"nothing", {}},
    {"one_batch", {{1, 1}}},
    {"fewer_than_slots", {{2, 1}}},
    {"in_core", {{9, 7}}, true},
    {"terms", {{4, 0}, {3, 0}, {5, 6}}, true},
    {"ring", {{6, 4}, {4, 4}, {4, 4}, {4, 4}, {1, 3}}},
    {"ring_with_slow_loading", {{4, 3}, {3, 3}, {3, 3}}, false, 300, 0},
    {"ring_with_slow_storing", {{4, 3}, {3, 3}, {3, 3}}, false, 0, 300},
    {"ring_with_a_slow_link", {{4, 3}, {3, 3}, {3, 3}}, false, 0, 0, 300},
    {"steps_that_load_nothing", {{3, 2}, {0, 2}, {0, 2}}},
    {"tiles_in_the_room_of_spectra", {{5, 5}, {5, 5}, {5, 5}}, true},
};

std::vector<PipelineStep> steps_of(const OverlapCase& c) {
  std::vector<PipelineStep> steps;
  std::int64_t up = 0, down = 0;
  for (const auto& [takes, gives] : c.steps) {
    PipelineStep& step = steps.emplace_back();
    for (int i = 0; i < takes; ++i) step.inputs.push_back({0, {up++, 1}});
    for (int i = 0; i < gives; ++i) step.outputs.push_back({0, {down++, 1}});
  }
  return steps;
}

void sleep_us(int us) {
  if (us > 0) std::this_thread::sleep_for(std::chrono::microseconds{us});
}

/// Keeps what was called, and who holds each slot; throws at the n-th call of a function.
class Recorder : public BatchWork {
 public:
  explicit Recorder(const OverlapCase& c) : case_{c} {}

  void load(const Batch& batch, int slot) override {
    say("load", batch.planes.first);
    sleep_us(case_.load_us);
    hold(up_, slot, batch.planes.first);
  }
  void receive(const Batch& batch, int slot) override {
    say("receive", batch.planes.first);
    sleep_us(case_.travel_us);
    if (up_.at(static_cast<std::size_t>(slot)) != batch.planes.first) ++broken;
  }
  void take(const Batch& batch, int slot) override {
    say("take", batch.planes.first);
    release(up_, slot, batch.planes.first);
  }
  void compute(std::size_t step) override { say("compute", static_cast<std::int64_t>(step)); }
  void give(const Batch& batch, int slot) override {
    say("give", batch.planes.first);
    hold(down_, slot, batch.planes.first);
  }
  void store(const Batch& batch, int slot) override {
    say("store", batch.planes.first);
    sleep_us(case_.store_us);
    release(down_, slot, batch.planes.first);
  }
  void finish(std::size_t step) override { say("finish", static_cast<std::int64_t>(step)); }

  /// Place of a call among all; -1 where it was not made.
  [[nodiscard]] std::int64_t place(const std::string& what, std::int64_t index) const {
    const auto at = std::find(said_.begin(), said_.end(), std::pair{what, index});
    return at == said_.end() ? -1 : at - said_.begin();
  }
  [[nodiscard]] std::size_t calls() const { return said_.size(); }

  std::string throws_in;
  std::int64_t throws_at = 0;
  std::atomic<int> broken{0};  ///< slots that two held at once, or that held another batch

 private:
  static constexpr std::int64_t kFree = -1;
  using Slots = std::array<std::atomic<std::int64_t>, kSlots>;

  void say(const char* what, std::int64_t index) {
    {
      const std::scoped_lock lock{mutex_};
      said_.emplace_back(what, index);
    }
    if (throws_in == what && throws_at == index) throw std::runtime_error(what);
  }
  void hold(Slots& slots, int slot, std::int64_t batch) {
    if (slots.at(static_cast<std::size_t>(slot)).exchange(batch) != kFree) ++broken;
  }
  void release(Slots& slots, int slot, std::int64_t batch) {
    if (slots.at(static_cast<std::size_t>(slot)).exchange(kFree) != batch) ++broken;
  }

  const OverlapCase& case_;
  std::mutex mutex_;
  std::vector<std::pair<std::string, std::int64_t>> said_;
  Slots up_{kFree, kFree, kFree}, down_{kFree, kFree, kFree};
};

class Overlapped : public testing::TestWithParam<OverlapCase> {};

TEST_P(Overlapped, EveryBatchGoesItsWayInOrder) {
  const OverlapCase& c = GetParam();
  const auto steps = steps_of(c);
  Recorder work{c};
  run_overlapped(steps, kSlots, c.reuses_room, work);
  EXPECT_EQ(work.broken, 0);
  std::size_t calls = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto step = static_cast<std::int64_t>(i);
    const std::int64_t computed = work.place("compute", step),
                       finished = work.place("finish", step);
    for (const Batch& batch : steps[i].inputs) {
      const std::int64_t p = batch.planes.first;
      EXPECT_GE(work.place("load", p), 0);
      EXPECT_LT(work.place("load", p), work.place("receive", p));
      EXPECT_LT(work.place("receive", p), work.place("take", p));
      EXPECT_LT(work.place("take", p), computed);
      if (step > 0) {
        EXPECT_GT(work.place("take", p), work.place("compute", step - 1));
      }
      if (p > 0) {
        EXPECT_LT(work.place("take", p - 1), work.place("take", p));
      }
      if (c.reuses_room && i > 0 && !steps[i - 1].outputs.empty()) {
        EXPECT_GT(work.place("take", p),
                  work.place("give", steps[i - 1].outputs.back().planes.first));
      }
    }
    for (const Batch& batch : steps[i].outputs) {
      const std::int64_t p = batch.planes.first;
      EXPECT_GT(work.place("give", p), computed);
      EXPECT_GT(work.place("store", p), work.place("give", p));
      EXPECT_LT(work.place("store", p), finished);
      if (i + 1 < steps.size()) {
        EXPECT_LT(work.place("give", p), work.place("compute", step + 1));
      }
      if (p > 0) {
        EXPECT_LT(work.place("store", p - 1), work.place("store", p));
      }
    }
    if (step > 0) {
      EXPECT_GT(finished, work.place("finish", step - 1));
    }
    calls += 2 + 3 * steps[i].inputs.size() + 2 * steps[i].outputs.size();
  }
  EXPECT_EQ(work.calls(), calls);
}

TEST_P(Overlapped, AFailureAnywhereEndsAllAndReachesTheCaller) {
  const OverlapCase& c = GetParam();
  const auto steps = steps_of(c);
  int thrown = 0;
  for (const char* what : {"load", "receive", "take", "compute", "give", "store", "finish"})
    for (std::int64_t at = 0; at < 12; ++at) {
      Recorder work{c};
      work.throws_in = what;
      work.throws_at = at;
      try {
        run_overlapped(steps, kSlots, c.reuses_room, work);
        EXPECT_EQ(work.place(what, at), -1) << what << " " << at << " was swallowed";
      } catch (const std::runtime_error& failure) {
        EXPECT_STREQ(failure.what(), what);
        ++thrown;
      }
      EXPECT_EQ(work.broken, 0);
    }
  EXPECT_GE(thrown, steps.empty() ? 0 : 4);
}

INSTANTIATE_TEST_SUITE_P(Table, Overlapped, testing::ValuesIn(kOverlapCases), test::kCaseName);

/// A load that waits until results of the step before are stored, and the other way round.
class Together final : public Recorder {
 public:
  using Recorder::Recorder;
  void load(const Batch& batch, int slot) override {
    Recorder::load(batch, slot);
    loaded = batch.planes.first;
  }
  void store(const Batch& batch, int slot) override {
    // Batches of the next step come while this one is away
    const auto patience = std::chrono::steady_clock::now() + test::kHang;
    while (batch.planes.first < 4 && loaded < batch.planes.first + 4 &&
           std::chrono::steady_clock::now() < patience)
      std::this_thread::yield();
    if (batch.planes.first < 4) {
      EXPECT_GE(loaded, batch.planes.first + 4);
    }
    Recorder::store(batch, slot);
  }
  std::atomic<std::int64_t> loaded{-1};
};

TEST(OverlappedRun, LoadsTheNextStepWhileResultsAreStored) {
  const OverlapCase c{"ring", {{4, 4}, {4, 4}}};
  Together work{c};
  run_overlapped(steps_of(c), kSlots, false, work);
  EXPECT_EQ(work.loaded, 7);
}

/// A link whose way up stands still from the second step on until all of the first has gone down.
class Standing final : public Recorder {
 public:
  Standing(const OverlapCase& c, std::int64_t first, std::int64_t results)
      : Recorder{c}, first_{first}, results_{results} {}
  void receive(const Batch& batch, int slot) override {
    const auto patience = std::chrono::steady_clock::now() + test::kHang;
    while (batch.planes.first >= first_ && stored_ < results_ &&
           std::chrono::steady_clock::now() < patience)
      std::this_thread::yield();
    if (batch.planes.first >= first_) {
      EXPECT_EQ(stored_, results_);
    }
    Recorder::receive(batch, slot);
  }
  void store(const Batch& batch, int slot) override {
    Recorder::store(batch, slot);
    ++stored_;
  }

 private:
  const std::int64_t first_, results_;
  std::atomic<std::int64_t> stored_{0};
};

TEST(OverlappedRun, ResultsGoBeforeBatchesThatHaveNotCome) {
  // More batches than slots: the driver would have to take some before it could give the last
  const OverlapCase c{"ring", {{7, 7}, {7, 0}}};
  Standing work{c, 7, 7};
  run_overlapped(steps_of(c), kSlots, false, work);
  for (std::int64_t p = 7; p < 14; ++p) EXPECT_GT(work.place("take", p), work.place("give", 6));
  EXPECT_EQ(work.broken, 0);
}

}  // namespace
}  // namespace synthoscope

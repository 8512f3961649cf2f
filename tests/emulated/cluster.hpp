// SPDX-License-Identifier: MIT
// tests/emulated/cluster.hpp — device code of clusters of blocks on the host: what it computes, and
// whether its signals and copies are in order, without a GPU.
//
// Each thread of the device is a fiber. Fibers run in random order, and what blocks send each other
// and what is copied comes later, in random order too: code that depends on an order fails for some
// seed. Races that no order shows are for compute-sanitizer to find.
#pragma once
#include <ucontext.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

namespace synthoscope::test::emulated {

/// Shared memory of a block, of which the last part holds signals.
inline constexpr unsigned kBlockBytes = 256 << 10, kSignalBytes = 1 << 10;
/// Addresses in the shared memory of a cluster have the block's rank above these bits.
inline constexpr unsigned kRankShift = 20;

/// A signal (mbarrier): a phase ends when all arrivals and all announced bytes have come.
struct Barrier {
  int arrivals = 0, missing = 0;
  long missing_bytes = 0;
  unsigned phase = 0;

  void arrive(int bytes) {
    missing_bytes += bytes;
    if (--missing < 0) throw std::logic_error{"more arrivals than a phase has"};
    end_phase();
  }
  void came(int bytes) {
    missing_bytes -= bytes;
    end_phase();
  }

 private:
  void end_phase() {
    if (missing != 0 || missing_bytes != 0) return;
    missing = arrivals;
    ++phase;
  }
};

/// Threads that meet.
struct Meeting {
  int members = 0, waiting = 0;
  unsigned generation = 0;
};

/// One launch of a kernel.
class Launch {
 public:
  /// Runs `kernel` by clusters of `cluster` blocks.
  /// @throws std::logic_error  threads wait for what does not come, signals are used wrongly.
  static void run(int clusters, int cluster, int threads, unsigned seed,
                  const std::function<void()>& kernel) {
    Launch launch{clusters * cluster, cluster, threads, seed, kernel};
    current_ = &launch;
    launch.run_all();
    current_ = nullptr;
  }
  static Launch& current() { return *current_; }

  [[nodiscard]] int thread() const { return running_ % threads_; }
  [[nodiscard]] int block() const { return running_ / threads_; }
  [[nodiscard]] int blocks() const { return blocks_; }
  [[nodiscard]] int rank() const { return block() % cluster_; }

  void meet_in_block() { meet(of_blocks_[index(block())]); }
  void meet_in_cluster() { meet(of_clusters_[index(block() / cluster_)]); }
  void meet_in_warp() { meet(of_warps_[warp()]); }
  /// The sum over the threads of a warp.
  int sum_of_warp(int value) {
    meet_in_warp();
    sums_[warp()] = 0;
    meet_in_warp();
    sums_[warp()] += value;
    meet_in_warp();
    return sums_[warp()];
  }
  void wait_while(const std::function<bool()>& closed) {
    while (closed()) yield();
  }

  /// Shared memory of this block, and its signals.
  [[nodiscard]] std::byte* shared() { return memory_.data() + index(block()) * kBlockBytes; }
  [[nodiscard]] std::byte* signals() { return shared() + kBlockBytes - kSignalBytes; }
  [[nodiscard]] unsigned address_of(const void* shared_memory) {
    const auto offset = static_cast<const std::byte*>(shared_memory) - shared();
    return static_cast<unsigned>(rank()) << kRankShift | static_cast<unsigned>(offset);
  }
  [[nodiscard]] std::byte* at(unsigned address) { return memory_.data() + place(address); }
  [[nodiscard]] Barrier& barrier(unsigned address) {
    return barriers_.at(place(address) / sizeof(std::uint64_t));
  }
  /// Does something at a later time, after or before what others do then.
  void later(std::function<void()> what) { pending_.push_back(std::move(what)); }

 private:
  struct Fiber {
    ucontext_t context{};
    std::unique_ptr<std::byte[]> stack;
    bool begun = false, ended = false;
  };

  Launch(int blocks, int cluster, int threads, unsigned seed, const std::function<void()>& kernel)
      : blocks_{blocks},
        cluster_{cluster},
        threads_{threads},
        random_{seed},
        kernel_{kernel},
        fibers_(index(blocks * threads)),
        memory_(index(blocks) * kBlockBytes, std::byte{0xff}),
        barriers_(memory_.size() / sizeof(std::uint64_t)),
        of_blocks_(index(blocks), {threads}),
        of_clusters_(index(blocks / cluster), {cluster * threads}),
        of_warps_(index(blocks * threads / kWarp), {kWarp}),
        sums_(of_warps_.size()),
        left_out_(of_warps_.size()) {}

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] std::size_t warp() const { return index(running_ / kWarp); }
  [[nodiscard]] std::size_t place(unsigned address) const {
    const auto of_cluster = static_cast<unsigned>(block() / cluster_ * cluster_);
    const unsigned offset = address & ((1U << kRankShift) - 1);
    if (offset >= kBlockBytes) throw std::logic_error{"an address beyond shared memory"};
    return std::size_t{of_cluster + (address >> kRankShift)} * kBlockBytes + offset;
  }

  void yield() { swapcontext(&fibers_[index(running_)].context, &scheduler_); }

  void meet(Meeting& meeting) {
    const unsigned generation = meeting.generation;
    if (++meeting.waiting == meeting.members) {
      meeting.waiting = 0;
      ++meeting.generation;
    }
    while (meeting.generation == generation) yield();
  }

  /// Exceptions do not cross from one stack to another.
  static void begin() {
    Launch& launch = *current_;
    try {
      launch.kernel_();
    } catch (...) {
      launch.failure_ = std::current_exception();
    }
    launch.fibers_[index(launch.running_)].ended = true;
    launch.yield();
  }

  void go_on(int fiber) {
    constexpr std::size_t kStackBytes = 128 << 10;
    Fiber& f = fibers_[index(fiber)];
    if (f.ended) return;
    running_ = fiber;
    if (!f.begun) {
      f.begun = true;
      f.stack = std::make_unique<std::byte[]>(kStackBytes);
      getcontext(&f.context);
      f.context.uc_stack.ss_sp = f.stack.get();
      f.context.uc_stack.ss_size = kStackBytes;
      makecontext(&f.context, begin, 0);
    }
    swapcontext(&scheduler_, &f.context);
    if (f.ended) --left_;
    if (failure_) std::rethrow_exception(failure_);
  }

  /// Warps in random order, each now and then left out, seldom for long: others then do what takes
  /// them several turns.
  void run_all() {
    constexpr int kMostTurns = 100'000, kSeldom = 32, kLong = 16;
    std::vector<int> warps(of_warps_.size());
    for (std::size_t i = 0; i < warps.size(); ++i) warps[i] = static_cast<int>(i);
    left_ = blocks_ * threads_;
    for (int turn = 0; left_ > 0; ++turn) {
      if (turn == kMostTurns) throw std::logic_error{"threads wait for what does not come"};
      std::shuffle(warps.begin(), warps.end(), random_);
      for (const int w : warps) {
        if (int& turns = left_out_[index(w)]; turns > 0 && turns-- > 0) continue;
        if (random_() % kSeldom == 0) left_out_[index(w)] = kLong;
        if (is_left_out()) continue;
        const bool backwards = is_left_out();
        for (int lane = 0; lane < kWarp; ++lane)
          go_on(w * kWarp + (backwards ? kWarp - 1 - lane : lane));
        do_some_pending();
      }
    }
    while (!pending_.empty()) do_some_pending();
  }

  bool is_left_out() { return random_() % 4 == 0; }

  void do_some_pending() {
    std::shuffle(pending_.begin(), pending_.end(), random_);
    for (std::size_t left = is_left_out() ? pending_.size() : pending_.size() / 2;
         pending_.size() > left;) {
      const auto what = std::move(pending_.back());
      pending_.pop_back();
      what();
    }
  }

  static constexpr int kWarp = 32;
  static inline Launch* current_ = nullptr;

  int blocks_, cluster_, threads_, running_ = 0, left_ = 0;
  std::mt19937 random_;
  const std::function<void()>& kernel_;
  ucontext_t scheduler_{};
  std::vector<Fiber> fibers_;
  std::vector<std::byte> memory_;
  std::vector<Barrier> barriers_;
  std::vector<Meeting> of_blocks_, of_clusters_, of_warps_;
  std::vector<int> sums_;
  std::vector<int> left_out_;  ///< turns that a warp is still left out
  std::vector<std::function<void()>> pending_;
  std::exception_ptr failure_;
};

}  // namespace synthoscope::test::emulated

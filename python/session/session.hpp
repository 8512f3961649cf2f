// SPDX-License-Identifier: MIT
// python/session/session.hpp — threads, memory, progress and log of a long call.
#pragma once
#include <nanobind/nanobind.h>
#include <tbb/global_control.h>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "jobs/machine/gpu_in_use.hpp"
#include "python/session/call.hpp"

namespace synthoscope::python {

/// How far work has come, written by its threads and looked at by the caller's.
class ProgressBoard final : public Progress {
 public:
  struct State {
    std::string stage;
    std::int64_t done = 0, total = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  void begin(std::string_view stage, std::int64_t total) override;
  void advance(std::int64_t units) override { done_ += units; }
  [[nodiscard]] State state() const;

 private:
  mutable std::mutex mutex_;
  std::string stage_;
  std::int64_t total_ = 0;
  std::atomic<std::int64_t> done_{0};
};

/// Collects messages until they can be passed to Python.
class KeptLog final : public Log {
 public:
  struct Said {
    Severity severity;
    std::string sentence;
  };
  void say(Severity severity, std::string_view sentence) override;
  /// All of it, and keeps it no more.
  [[nodiscard]] std::vector<Said> take();

 private:
  std::mutex mutex_;
  std::vector<Said> said_;
};

/// Returns a function for jobs::Workspace that measures the memory of the host that CUDA takes from
/// now on, if GPUs are used. What else the interpreter holds is not part of the memory of a call.
std::function<std::int64_t()> bytes_of_cuda(const jobs::GpuChoice& choice);

/// Threads, memory and listeners of one call, or of several one after the other.
class Session {
 public:
  /// @param workers   threads; absent: all cores
  /// @param memory    bytes, as parse_bytes takes them; absent: 70 % of what is free
  /// @param progress  called as progress(done, total, stage), or None
  /// @throws InvalidSpec
  Session(std::optional<int> workers, const std::optional<std::string>& memory,
          nanobind::object progress = nanobind::none());

  /// Calls `work(context)` as run_watched does, and `progress` meanwhile and once afterwards; then
  /// passes the messages to synthoscope._messages. One at a time: other threads wait. Messages from
  /// before a failure are passed with it. @throws what `work` and `progress` do
  template <class Work>
  void run(Work&& work) {
    auto turn = take_turn();
    StopFlag stop;
    std::optional<tbb::global_control> allowed;
    if (pool_.threads() >
        usual_allowance().threads)  // more threads than cores are the caller's choice
      allowed.emplace(tbb::global_control::max_allowed_parallelism,
                      static_cast<std::size_t>(pool_.threads()));
    run_watched(
        stop,
        [&] {
          work(RunContext{pool_, memory_, board_, log_, stop});
        },
        [&] { look(); });
    look();
    const auto said = log_.take();
    turn.unlock();
    tell(said);
  }

  [[nodiscard]] MemoryBudget& memory() { return memory_; }

 private:
  /// Waits for those that work, with an empty log and without the interpreter's lock.
  [[nodiscard]] std::unique_lock<std::mutex> take_turn();
  void look();
  static void tell(const std::vector<KeptLog::Said>& said);

  TaskPool pool_;
  MemoryBudget memory_;
  ProgressBoard board_;
  KeptLog log_;
  nanobind::object progress_;
  ProgressBoard::State shown_;
  std::mutex turn_;
};

}  // namespace synthoscope::python

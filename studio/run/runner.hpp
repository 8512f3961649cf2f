// SPDX-License-Identifier: MIT
// studio/run/runner.hpp — the program, run as a child: one run at a time.
#pragma once
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
#include "studio/run/run_state.hpp"
#include "studio/server/event_stream.hpp"

namespace synthoscope::studio {

/// The program that runs are made by.
struct RunProgram {
  std::string file;
  std::vector<std::string> options;  ///< follow the arguments of every run
};

/// What is run.
struct RunJob {
  RunKind kind = RunKind::data_set;
  std::vector<std::string> arguments = {};  ///< of the program
  std::string output = {};                  ///< folder of the data set
  std::vector<std::string> sets = {};       ///< folders in it, of a sweep
  std::string page = {};                    ///< of a report
  std::function<void()> when_done = {};     ///< is called before a run is known to be done
};

/// Runs the program with arguments, so that a run has memory of its own and cannot take the page
/// with it. Publishes the state (json_of(RunState)) when it begins, at most ten times a second, and
/// when it ends. Thread-safe.
class Runner {
 public:
  /// @param folder  in which the program runs
  /// @param events  outlives this
  Runner(RunProgram program, std::filesystem::path folder, EventStream& events);
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  /// Stops a run, and waits until it has ended.
  ~Runner();

  /// Begins a run. Returns its state.
  /// @param prepare  is called first, while no other run can begin; what it throws ends the call
  /// @throws RequestFailure  409: another one is at work.
  RunState start(const RunJob& job, const std::function<void()>& prepare);

  /// Stops the run at work as Ctrl-C does; a second call ends it at once. Returns the state.
  RunState stop();

  [[nodiscard]] RunState state() const;

 private:
  void work();
  void run(const RunJob& job);
  void follow(Child& child);
  void take(const std::vector<std::string>& lines);
  void publish_now_and_then();
  void change(const std::function<void(RunState&)>& change);

  const RunProgram program_;
  const std::filesystem::path folder_;
  EventStream& events_;
  mutable std::mutex mutex_;
  std::condition_variable has_come_;
  RunState state_;
  std::unique_ptr<RunJob> waiting_;
  int stops_ = 0;  ///< requested for the run at work
  bool ends_ = false;
  std::chrono::steady_clock::time_point began_, published_, ending_;
  std::thread thread_;  ///< starts all children: each ends with the thread that started it
};

}  // namespace synthoscope::studio

// SPDX-License-Identifier: MIT
#include "studio/run/runner.hpp"
#include <fmt/format.h>
#include <csignal>
#include <exception>
#include <utility>
#include "core/base/json.hpp"
#include "studio/server/request.hpp"

namespace synthoscope::studio {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLookAtChild{50}, kBetweenEvents{100};
constexpr std::chrono::seconds kPatienceAtEnd{20};  ///< for a run that ends with the page

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

Runner::Runner(RunProgram program, std::filesystem::path folder, EventStream& events)
    : program_{std::move(program)}, folder_{std::move(folder)}, events_{events}, thread_{[this] {
        work();
      }} {}

Runner::~Runner() {
  {
    const std::scoped_lock lock{mutex_};
    ends_ = true;
    ending_ = std::chrono::steady_clock::now();
    if (stops_ == 0) stops_ = 1;
  }
  has_come_.notify_all();
  thread_.join();
}

RunState Runner::start(const RunJob& job, const std::function<void()>& prepare) {
  const std::scoped_lock lock{mutex_};
  if (state_.phase == RunPhase::running)
    throw RequestFailure(409, fmt::format("start a run: another one makes {} now; wait until it is "
                                          "done, or stop it",
                                          state_.page.empty() ? state_.output : state_.page));
  prepare();
  const std::int64_t id = state_.id + 1;
  state_ = {.id = id,
            .kind = job.kind,
            .phase = RunPhase::running,
            .output = job.output,
            .sets = job.sets,
            .page = job.page};
  stops_ = 0;
  began_ = published_ = std::chrono::steady_clock::now();
  waiting_ = std::make_unique<RunJob>(job);
  events_.publish(json_of(state_));
  has_come_.notify_all();
  return state_;
}

RunState Runner::stop() {
  const std::scoped_lock lock{mutex_};
  if (state_.phase == RunPhase::running) ++stops_;
  return state_;
}

RunState Runner::state() const {
  const std::scoped_lock lock{mutex_};
  return state_;
}

void Runner::work() {
  while (true) {
    std::unique_ptr<RunJob> job;
    {
      std::unique_lock lock{mutex_};
      has_come_.wait(lock, [this] { return ends_ || waiting_; });
      if (ends_) return;
      job = std::move(waiting_);
    }
    run(*job);
  }
}

void Runner::run(const RunJob& job) {
  std::vector<std::string> words{program_.file};
  for (const auto& more : {job.arguments, program_.options})
    words.insert(words.end(), more.begin(), more.end());
  try {
    Child child{words, folder_};
    follow(child);
    const ChildEnd end = child.end();
    if (end.signal == 0 && end.exit_code == 0 && job.when_done) job.when_done();
    change([&](RunState& state) { take_end(state, end, stops_ > 0); });
  } catch (const std::exception& problem) {
    change([&](RunState& state) {
      state.phase = RunPhase::failed;
      state.error = problem.what();
    });
  }
}

/// Reads what the child prints until it ends, and stops it if that is requested.
void Runner::follow(Child& child) {
  Lines lines;
  const auto read = [&](std::string_view text) { take(lines.take(text)); };
  int sent = 0;
  while (child.read_for(kLookAtChild, read)) {
    publish_now_and_then();
    int asked = 0;
    bool is_late = false;
    {
      const std::scoped_lock lock{mutex_};
      asked = stops_;
      is_late = ends_ && std::chrono::steady_clock::now() - ending_ > kPatienceAtEnd;
    }
    for (; sent < asked; ++sent) child.send(SIGINT);
    if (is_late) child.send(SIGKILL);
  }
}

void Runner::take(const std::vector<std::string>& lines) {
  const std::scoped_lock lock{mutex_};
  for (const std::string& line : lines) take_line(state_, line);
}

void Runner::publish_now_and_then() {
  const std::scoped_lock lock{mutex_};
  const auto now = std::chrono::steady_clock::now();
  state_.seconds = seconds_between(began_, now);
  if (now - published_ < kBetweenEvents) return;
  published_ = now;
  events_.publish(json_of(state_));
}

/// Changes the state at the end of a run, and publishes it.
void Runner::change(const std::function<void(RunState&)>& change) {
  const std::scoped_lock lock{mutex_};
  change(state_);
  state_.seconds = seconds_between(began_, std::chrono::steady_clock::now());
  events_.publish(json_of(state_));
}

}  // namespace synthoscope::studio

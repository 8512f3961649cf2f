// SPDX-License-Identifier: MIT
// Runs of a small program, a shell, in place of the simulator: they end, fail, hang and are
// stopped.
#include "studio/run/runner.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include "core/base/json.hpp"
#include "studio/server/request.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::studio {
namespace {

using namespace std::chrono_literals;

class Runs : public testing::Test {
 protected:
  /// A run of a script, whose $1 is the option that follows the arguments of every run.
  static RunJob script(const std::string& text) {
    return {.arguments = {"-c", text, "shell"}, .output = "data"};
  }

  RunState start(const std::string& text) {
    return runner_->start(script(text), [] {});
  }

  RunState ended() {
    const auto patience = std::chrono::steady_clock::now() + 60s;
    while (runner_->state().phase == RunPhase::running &&
           std::chrono::steady_clock::now() < patience)
      std::this_thread::sleep_for(2ms);
    return runner_->state();
  }

  /// Returns the text of a file, once the script has written it.
  std::string written(const std::string& name) {
    const auto patience = std::chrono::steady_clock::now() + 60s;
    while (!std::filesystem::exists(folder_.path() / name) &&
           std::chrono::steady_clock::now() < patience)
      std::this_thread::sleep_for(2ms);
    std::ifstream file{folder_.path() / name};
    return {std::istreambuf_iterator<char>{file}, {}};
  }

  test::TemporaryFolder folder_;
  EventStream events_;
  std::unique_ptr<Runner> runner_ =
      std::make_unique<Runner>(RunProgram{"/bin/sh", {"--option"}}, folder_.path(), events_);
};

TEST_F(Runs, AreDoneInTheFolderWithTheOptions) {
  EXPECT_EQ(runner_->state().phase, RunPhase::none);
  bool is_done = false;
  RunJob job = script("echo $1 > made; echo '{\"stage\":\"blur\",\"done\":1,\"total\":2}' >&2");
  job.when_done = [&] { is_done = true; };
  EXPECT_EQ(runner_->start(job, [] {}).id, 1);
  const RunState state = ended();
  EXPECT_EQ(state.phase, RunPhase::done);
  EXPECT_EQ(state.stage, "blur");
  EXPECT_TRUE(is_done);
  EXPECT_EQ(written("made"), "--option\n");
  std::uint64_t last = 0;
  const std::string text = events_.wait_after(last, 0ms);
  EXPECT_NE(text.find(R"("state":"running")"), std::string::npos);
  EXPECT_NE(text.find(R"("state":"done")"), std::string::npos);
}

TEST_F(Runs, FailWithASentence) {
  start("echo '{\"error\":\"make it: it is wrong\"}' >&2; exit 3");
  EXPECT_EQ(ended().error, "make it: it is wrong");
  EXPECT_EQ(ended().phase, RunPhase::failed);
  start("kill -9 $$");
  EXPECT_NE(ended().error.find("Killed"), std::string::npos) << ended().error;
}

TEST_F(Runs, FailWithoutAProgram) {
  Runner none{{"/none/program", {}}, folder_.path(), events_};
  none.start(script(""), [] {});
  const auto patience = std::chrono::steady_clock::now() + 60s;
  while (none.state().phase == RunPhase::running && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(2ms);
  EXPECT_EQ(none.state().phase, RunPhase::failed);
  EXPECT_NE(none.state().error.find("/none/program"), std::string::npos) << none.state().error;
}

TEST_F(Runs, AreStoppedAsByCtrlC) {
  start("trap 'exit 7' INT; touch begun; while :; do sleep 0.01; done");
  written("begun");
  runner_->stop();
  EXPECT_EQ(ended().phase, RunPhase::stopped);
}

TEST_F(Runs, CanBeStoppedInAProgramThatIgnoresCtrlC) {
  const auto before = ::signal(SIGINT, SIG_IGN);
  start("touch begun; while :; do sleep 0.01; done");
  written("begun");
  runner_->stop();
  EXPECT_EQ(ended().phase, RunPhase::stopped);
  ::signal(SIGINT, before);
}

TEST_F(Runs, AreRefusedWhileOneIsAtWork) {
  start("touch begun; sleep 60");
  bool is_prepared = false;
  EXPECT_THROW(runner_->start(script(""), [&] { is_prepared = true; }), RequestFailure);
  EXPECT_FALSE(is_prepared);
  runner_->stop();
  EXPECT_EQ(ended().phase, RunPhase::stopped);
  EXPECT_EQ(start("exit 0").id, 2);
  EXPECT_EQ(ended().phase, RunPhase::done);
}

TEST_F(Runs, EndWithTheRunnerAndLeaveNoChild) {
  start("echo $$ > part; mv part begun; sleep 60");
  const pid_t child = std::stoi(written("begun"));
  runner_.reset();
  EXPECT_EQ(::kill(child, 0), -1);
  EXPECT_EQ(errno, ESRCH);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST_F(Runs, EndIfTheThreadThatStartedThemEnds) {
  std::unique_ptr<Child> child;
  std::thread{[&] {
    child = std::make_unique<Child>(std::vector<std::string>{"/bin/sh", "-c", "sleep 60"},
                                    folder_.path());
  }}.join();
  const auto patience = std::chrono::steady_clock::now() + 60s;
  while (child->read_for(10ms, [](std::string_view) {}) &&
         std::chrono::steady_clock::now() < patience)
    continue;
  EXPECT_EQ(child->end().signal, SIGUSR2);
}

TEST_F(Runs, HaveNoFileOfThisProgram) {
  const int file = ::fcntl(STDERR_FILENO, F_DUPFD, 200);  // programs that are started have it
  ASSERT_GE(file, 200);
  start("test -e /proc/$$/fd/" + std::to_string(file) + "; echo $? > part; mv part made");
  EXPECT_EQ(written("made"), "1\n");
  ::close(file);
  ended();
}

}  // namespace
}  // namespace synthoscope::studio

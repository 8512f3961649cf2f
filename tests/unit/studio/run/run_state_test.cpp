// SPDX-License-Identifier: MIT
// The state of a run follows from the lines that the program prints, and from how it ends.
#include "studio/run/run_state.hpp"
#include <gtest/gtest.h>
#include <csignal>
#include <string>
#include <vector>
#include "core/base/json.hpp"

namespace synthoscope::studio {
namespace {

RunState running_state() {
  return {.id = 3, .phase = RunPhase::running, .output = "data"};
}

TEST(RunStates, HaveTheStageOfTheLastLine) {
  RunState state = running_state();
  take_line(state, R"({"stage":"labels","done":3,"total":12,"seconds":0.1})");
  EXPECT_EQ(state.stage, "labels");
  EXPECT_EQ(state.done, 3);
  EXPECT_EQ(state.total, 12);
  for (const char* other :
       {"", "{", "[1]", "synthoscope: note", R"({"note":"a"})", R"({"stage":5})"})
    take_line(state, other);
  EXPECT_EQ(json_of(state)["stage"], "labels");
  EXPECT_EQ(json_of(state)["sets"], nullptr);
}

TEST(RunStates, CountSetsOfSweeps) {
  RunState state = running_state();
  state.sets = {"na-1", "na-1.2", "na-1.4"};
  take_line(state, R"({"stage":"set 3/3: frame 1/2: blur","done":1,"total":2,"seconds":0.1})");
  EXPECT_EQ(state.stage, "frame 1/2: blur");
  EXPECT_EQ(json_of(state)["sets"]["done"], 2);
  EXPECT_EQ(json_of(state)["sets"]["total"], 3);
  take_end(state, {}, false);
  EXPECT_EQ(json_of(state)["sets"]["done"], 3);
}

TEST(RunStates, TakeStagesThatOnlyLookLikeSets) {
  for (const char* stage : {"set", "set x/3: a", "set 3: a", "settle: a", "set /: a"}) {
    RunState state = running_state();
    take_line(state, text_of(Json{{"stage", stage}, {"done", 0}, {"total", 1}}));
    EXPECT_EQ(state.stage, stage);
    EXPECT_EQ(state.sets_done, 0);
  }
}

TEST(RunStates, EndAsTheProgramDid) {
  struct Row {
    ChildEnd end;
    bool is_stopped;
    RunPhase phase;
    std::vector<std::string> words;
  };
  const Row rows[] = {
      {{0, 0}, false, RunPhase::done, {}},
      {{0, 0}, true, RunPhase::done, {}},
      {{7, 0}, false, RunPhase::stopped, {}},
      {{0, SIGINT}, true, RunPhase::stopped, {}},
      {{4, 0}, false, RunPhase::failed, {"exit code 4", "the data set"}},
      {{0, SIGKILL}, false, RunPhase::failed, {"Killed", "memory"}},
      {{0, SIGSEGV}, false, RunPhase::failed, {"Segmentation fault"}},
  };
  for (const Row& row : rows) {
    RunState state = running_state();
    take_end(state, row.end, row.is_stopped);
    EXPECT_EQ(state.phase, row.phase);
    EXPECT_EQ(state.error.empty(), row.words.empty());
    for (const std::string& word : row.words)
      EXPECT_NE(state.error.find(word), std::string::npos) << state.error;
  }
}

TEST(RunStates, FailWithTheSentenceOfTheProgram) {
  RunState state = running_state();
  take_line(state, R"({"warning":"one"})");
  take_line(state, R"({"error":"read scene.toml: it is wrong"})");
  take_end(state, {2, 0}, false);
  EXPECT_EQ(json_of(state)["error"], "read scene.toml: it is wrong");
  EXPECT_EQ(json_of(state)["state"], "failed");
  EXPECT_EQ(json_of(state)["warnings"], Json::array({"one"}));
}

TEST(RunStates, FailWithSentencesAboutOptions) {
  RunState state = running_state();
  take_line(state, "synthoscope: error: simulate: --format is wrong");
  take_end(state, {2, 0}, false);
  EXPECT_EQ(state.error, "simulate: --format is wrong");
}

TEST(LinesOfText, AreWholeWhereverTheTextIsDivided) {
  const std::string text = "one\ntwo\n\nthree\nrest";
  const std::vector<std::string> whole{"one", "two", "", "three"};
  for (std::size_t size = 1; size <= text.size(); ++size) {
    Lines lines;
    std::vector<std::string> taken;
    for (std::size_t at = 0; at < text.size(); at += size)
      for (std::string& line : lines.take(text.substr(at, size))) taken.push_back(std::move(line));
    EXPECT_EQ(taken, whole) << size;
  }
}

TEST(LinesOfText, AreLostIfTheyAreTooLong) {
  Lines lines;
  EXPECT_TRUE(lines.take(std::string(100000, 'a')).empty());
  EXPECT_EQ(lines.take("b\nc\n"), (std::vector<std::string>{"b", "c"}));
}

}  // namespace
}  // namespace synthoscope::studio

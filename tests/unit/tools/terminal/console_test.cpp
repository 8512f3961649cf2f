// SPDX-License-Identifier: MIT
#include "tools/terminal/console.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace synthoscope::tools {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

TEST(ProgressLine, SaysShareRateAndTimeLeft) {
  EXPECT_EQ(progress_line("blur", 50, 200, 10.0, false),
            "blur               [#######-----------------------]  25 %  5.0/s  30 s left");
  EXPECT_EQ(progress_line("blur", 200, 200, 10.0, false),
            "blur               [##############################] 100 %  20/s");
}

TEST(ProgressLine, CountsHoursWhenThereAreHours) {
  const std::string line = progress_line("blur", 1, 7201, 1.0, false);
  EXPECT_NE(line.find("2 h 00 min left"), std::string::npos) << line;
}

TEST(ProgressLine, PromisesNothingBeforeTheFirstUnit) {
  EXPECT_EQ(progress_line("blur", 0, 10, 3.0, false),
            "blur               [------------------------------]   0 %");
}

TEST(ProgressLine, NeverShowsMoreThanAll) {
  EXPECT_NE(progress_line("blur", 11, 10, 1.0, false).find("100 %"), std::string::npos);
}

TEST(Console, QuietKeepsWarningsOnceAndDropsNotes) {
  CaptureStderr();
  Console console;
  console.configure(ProgressStyle::tty, Verbosity::quiet);
  console.note("a note");
  console.begin("blur", 3);
  console.advance(3);
  console.warn("a warning");
  console.warn("a warning");
  console.finish();
  EXPECT_EQ(GetCapturedStderr(), "synthoscope: warning: a warning\n");
  EXPECT_EQ(console.warnings(), std::vector<std::string>{"a warning"});
}

TEST(Console, GoesOnWhereNothingCanBeSaid) {
  const int usual = dup(STDERR_FILENO);
  const int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  dup2(full, STDERR_FILENO);
  for (const ProgressStyle style : {ProgressStyle::json, ProgressStyle::tty}) {
    Console console;
    console.configure(style, Verbosity::normal);
    EXPECT_NO_THROW({
      console.begin("blur", 1);
      console.advance(1);
      console.warn("a warning");
      console.finish();
    });
  }
  dup2(usual, STDERR_FILENO);
  close(full);
  close(usual);
}

TEST(Console, AutomaticProgressIsSilentWithoutATerminal) {
  CaptureStderr();
  Console console;
  console.configure(ProgressStyle::automatic, Verbosity::normal);
  console.begin("blur", 3);
  console.advance(3);
  EXPECT_EQ(GetCapturedStderr(), "");
}

TEST(Console, TakesTheLineOfProgressAwayBeforeAMessage) {
  CaptureStderr();
  Console console;
  console.configure(ProgressStyle::tty, Verbosity::normal);
  console.begin("blur", 3);
  console.warn("a warning");
  console.finish();
  const std::string said = GetCapturedStderr();
  EXPECT_NE(said.find("\r\x1b[Ksynthoscope: warning: a warning\n"), std::string::npos) << said;
}

TEST(Console, WritesProgressAsOneObjectPerLine) {
  CaptureStderr();
  Console console;
  console.configure(ProgressStyle::json, Verbosity::normal);
  console.begin("blur", 3);
  console.advance(3);
  const std::string said = GetCapturedStderr();
  EXPECT_EQ(said.find("{\"stage\":\"blur\",\"done\":0,\"total\":3,"), 0u) << said;
  EXPECT_NE(said.find("\n{\"stage\":\"blur\",\"done\":3,\"total\":3,"), std::string::npos) << said;
}

}  // namespace
}  // namespace synthoscope::tools

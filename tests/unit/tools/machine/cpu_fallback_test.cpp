// SPDX-License-Identifier: MIT
// Where a GPU fails the host begins again, if it was allowed to.
#include "tools/machine/cpu_fallback.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "jobs/output/resumable_output.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::tools {
namespace {

using Words = std::vector<std::string>;

TEST(CpuFallback, UsesNoGpuInPlaceOfWhatWasSaidOfThem) {
  const struct {
    Words said, expected;
  } cases[] = {
      {{"convolve", "a"}, {"convolve", "a", "--gpus", "none"}},
      {{"convolve", "--gpus", "all", "a"}, {"convolve", "a", "--gpus", "none"}},
      {{"convolve", "a", "--gpus=0,2", "-v"}, {"convolve", "a", "-v", "--gpus", "none"}},
      {{"f", "--gpu-memory", "8G", "--gpus=0", "a"}, {"f", "a", "--gpus", "none"}},
      {{"f", "--gpu-memory=8G", "--", "--gpus", "all"},
       {"f", "--gpus", "none", "--", "--gpus", "all"}},
  };
  for (const auto& one : cases) EXPECT_EQ(without_gpus(one.said), one.expected);
}

struct Failing {
  test::KeepingLog log;
  std::vector<Words> runs;

  /// Fails as long as a GPU may be used.
  void operator()(const Words& words) {
    run_or_fall_back(words, log, [&](std::span<const std::string> run) {
      runs.emplace_back(run.begin(), run.end());
      if (runs.back().back() != "none") throw CudaError("GPU 0 fell off the bus");
    });
  }
};

TEST(CpuFallback, SaysWhatFailedAndRunsOnceMore) {
  Failing run;
  run({"convolve", "--allow-cpu-fallback", "a"});
  ASSERT_EQ(run.runs.size(), 2u);
  EXPECT_EQ(run.runs[1], (Words{"convolve", "--allow-cpu-fallback", "a", "--gpus", "none"}));
  ASSERT_EQ(run.log.warnings.size(), 1u);
  EXPECT_NE(run.log.warnings[0].find("GPU 0 fell off the bus"), std::string::npos);
}

TEST(CpuFallback, TellsWhatFailedAndNotHowAGpuWouldGoOn) {
  test::KeepingLog log;
  const Words words{"convolve", "--allow-cpu-fallback"};
  run_or_fall_back(words, log, [&](std::span<const std::string> run) {
    const auto fail = [&] {
      if (run.back() != "none") throw CudaError("GPU 0 fell off the bus");
    };
    jobs::keep_finished(
        fail, [] { return true; }, "--resume continues it");
  });
  ASSERT_EQ(log.warnings.size(), 1u);
  EXPECT_TRUE(log.warnings[0].find("(GPU 0 fell off the bus); the host") != std::string::npos)
      << log.warnings[0];
}

TEST(CpuFallback, IsRefusedWhereMoreThanOneRunMakesTheResult) {
  for (const char* other : {"--resume", "--shard=1/2", "--mpi", "--plan"}) {
    Failing run;
    const Words words{"convolve", "--allow-cpu-fallback", other};
    test::expect_failure<InvalidSpec>([&] { run(words); }, {"--allow-cpu-fallback with --"});
    EXPECT_TRUE(run.runs.empty());
  }
}

TEST(CpuFallback, IsNotTakenUnasked) {
  for (const Words& words : {Words{"convolve", "a"}, Words{"f", "--", "--allow-cpu-fallback"}}) {
    Failing run;
    EXPECT_THROW(run(words), CudaError);
    EXPECT_EQ(run.runs.size(), 1u);
    EXPECT_TRUE(run.log.warnings.empty());
  }
}

TEST(CpuFallback, OtherFailuresAreNotOfTheGpu) {
  test::KeepingLog log;
  int runs = 0;
  const Words words{"convolve", "--allow-cpu-fallback"};
  EXPECT_THROW(run_or_fall_back(words, log,
                                [&](std::span<const std::string>) {
                                  ++runs;
                                  throw IoError("write: no space left");
                                }),
               IoError);
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace synthoscope::tools

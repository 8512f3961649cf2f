// SPDX-License-Identifier: MIT
#include "tools/options/run.hpp"
#include <gtest/gtest.h>
#include <cstdlib>
#include <string>

namespace synthoscope::tools {
namespace {

class Remembering final : public Log {
 public:
  void say(Severity, std::string_view sentence) override { said += sentence; }
  std::string said;
};

class Threads : public testing::Test {
 protected:
  void SetUp() override { TearDown(); }
  void TearDown() override {
    unsetenv("SLURM_CPUS_PER_TASK");
    unsetenv("OMP_NUM_THREADS");
  }
  RunOptions options;
  Remembering log;
};

TEST_F(Threads, ComeFromTheOptionBeforeTheEnvironment) {
  setenv("SLURM_CPUS_PER_TASK", "3", 1);
  options.threads = 5;
  EXPECT_EQ(threads_of(options, log), 5);
}

TEST_F(Threads, ComeFromSlurmBeforeOpenMp) {
  setenv("SLURM_CPUS_PER_TASK", "3", 1);
  setenv("OMP_NUM_THREADS", "7,2", 1);
  EXPECT_EQ(threads_of(options, log), 3);
  unsetenv("SLURM_CPUS_PER_TASK");
  EXPECT_EQ(threads_of(options, log), 7);
}

TEST_F(Threads, AreAllThereAreWhenNobodySays) {
  EXPECT_EQ(threads_of(options, log), available_threads());
  EXPECT_EQ(log.said, "");
}

TEST_F(Threads, PassOverAVariableThatIsNoNumberAndSaySo) {
  setenv("OMP_NUM_THREADS", "lots", 1);
  EXPECT_EQ(threads_of(options, log), available_threads());
  EXPECT_EQ(log.said, "OMP_NUM_THREADS is 'lots', which is not a number of threads; it is ignored");
}

}  // namespace
}  // namespace synthoscope::tools

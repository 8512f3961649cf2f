// SPDX-License-Identifier: MIT
// What the process grows by while a job is prepared is not planned with.
#include "jobs/machine/workspace.hpp"
#include <gtest/gtest.h>
#include "tests/support/test_context.hpp"

namespace synthoscope::jobs {
namespace {

constexpr std::int64_t kLimit = 1000;

struct Growing {
  test::TestContext machine{1, kLimit};
  std::int64_t program = 0;
  Stages stages;
  Stopwatch watch{stages};
  Workspace workspace{machine.context, [this] { return program; }, watch};
};

TEST(Workspace, OffersWhatIsNeitherUsedNorHeld) {
  Growing growing;
  const Reservation used = growing.machine.memory.reserve(100, "a buffer");
  const fftconv::Machine offered = growing.workspace.machine({}, 30);
  EXPECT_EQ(offered.host_bytes, 870);
  EXPECT_EQ(growing.workspace.growth_reservations(), 0U);
}

TEST(Workspace, TakesGrowthIntoUseOnce) {
  Growing growing;
  growing.program = 200;
  EXPECT_EQ(growing.workspace.count_growth(), 800);
  EXPECT_EQ(growing.workspace.count_growth(), 800);
  EXPECT_EQ(growing.machine.memory.used(), 200);
  EXPECT_EQ(growing.workspace.growth_reservations(), 1U);
}

TEST(Workspace, ReportsGrowthBeyondTheBudget) {
  Growing growing;
  growing.program = kLimit + 50;
  EXPECT_EQ(growing.workspace.count_growth(), -50);
  EXPECT_EQ(growing.machine.memory.used(), kLimit);
}

TEST(Workspace, ForgetsGrowthWithAWarning) {
  Growing growing;
  growing.program = 200;
  growing.workspace.count_growth();
  growing.program = 500;
  growing.workspace.count_growth();
  growing.workspace.release_growth_after(1);
  EXPECT_EQ(growing.machine.memory.used(), 200);
  ASSERT_EQ(growing.machine.log.warnings.size(), 1U);
  EXPECT_NE(growing.machine.log.warnings[0].find("300"), std::string::npos);
}

}  // namespace
}  // namespace synthoscope::jobs

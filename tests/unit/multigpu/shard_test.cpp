// SPDX-License-Identifier: MIT
#include "multigpu/shard.hpp"
#include <gtest/gtest.h>
#include <map>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::multigpu {
namespace {

using Variables = std::map<std::string, std::string>;

Environment of(const Variables& variables) {
  return [=](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional{found->second};
  };
}

TEST(ShardTest, IsNamedOrThatOfTheJob) {
  struct Case {
    const char* text;
    Variables variables;
    Shard expected;
  };
  const Variables array{{"SLURM_ARRAY_TASK_ID", "7"},
                        {"SLURM_ARRAY_TASK_COUNT", "4"},
                        {"SLURM_ARRAY_TASK_MIN", "1"},
                        {"SLURM_ARRAY_TASK_STEP", "2"}};
  const Variables ranks{{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "3"}};
  Variables both = array;
  both.insert(ranks.begin(), ranks.end());
  const Case cases[] = {
      {"1/1", {}, {1, 1}},
      {"3/8", array, {3, 8}},
      {"auto", array, {4, 4}},
      {"auto", ranks, {1, 3}},
      {"auto", both, {4, 4}},
      {"auto", {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}, {2, 2}},
      {"auto", {{"SLURM_PROCID", "5"}, {"SLURM_NTASKS", "6"}}, {6, 6}},
      {"auto", {{"SLURM_ARRAY_TASK_ID", "2"}, {"SLURM_ARRAY_TASK_COUNT", "3"}}, {3, 3}},
  };
  for (const Case& c : cases) EXPECT_EQ(shard_named(c.text, of(c.variables)), c.expected);
}

TEST(ShardTest, IsRefusedWhereItIsNone) {
  for (const char* text : {"", "1", "0/3", "4/3", "1/0", "-1/2", "1/2/3", "a/b", "1/ 2", "all"})
    test::expect_failure<InvalidSpec>([&] { (void)shard_named(text, of({})); },
                                      {"is not a shard", "I/N", "auto"});
  for (const Variables& variables :
       {Variables{}, Variables{{"OMPI_COMM_WORLD_RANK", "0"}},
        Variables{{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "3"}},
        Variables{{"PMI_RANK", "x"}, {"PMI_SIZE", "3"}}})
    test::expect_failure<InvalidSpec>([&] { (void)shard_named("auto", of(variables)); },
                                      {"'auto' finds no shard", "--shard 1/4"});
}

TEST(ShardTest, SharesCoverAllStepsOnce) {
  for (const std::int64_t steps : {0, 1, 2, 7, 100})
    for (const std::int64_t count : {1, 2, 3, 8}) {
      IntervalSet all;
      for (std::int64_t number = 1; number <= count; ++number) {
        const IntervalSet share{share_of({number, count}, steps)};
        EXPECT_EQ(share.without(all), share);
        EXPECT_LE(share.count(), steps / count + 1);
        all.add(share);
      }
      EXPECT_EQ(all, IntervalSet({0, steps}));
    }
}

/// Of 10 steps 3 to 5 are finished.
class Recorded final : public Checkpoint {
 public:
  [[nodiscard]] IntervalSet to_do(std::int64_t all) const override {
    return IntervalSet{{0, all}}.without(IntervalSet{{3, 3}});
  }
  void finish(const IntervalSet& steps) override { finished.add(steps); }
  IntervalSet finished;
};

TEST(ShardTest, DoesWhatIsLeftOfItsShare) {
  Recorded whole;
  EXPECT_EQ((ShardSteps{{1, 2}, whole}.to_do(10)), IntervalSet({0, 3}));
  EXPECT_EQ((ShardSteps{{2, 2}, whole}.to_do(10)), IntervalSet({6, 4}));
  ShardSteps{{2, 2}, whole}.finish(IntervalSet{{7, 1}});
  EXPECT_EQ(whole.finished, IntervalSet({7, 1}));
}

}  // namespace
}  // namespace synthoscope::multigpu

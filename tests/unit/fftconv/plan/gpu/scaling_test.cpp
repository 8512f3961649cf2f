// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/scaling.hpp"
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv::device {
namespace {

using test::kGiB;

const std::vector<Crew> kCrews{{1, 1}, {2, 1}, {4, 1}, {8, 1}, {8, 8}, {8, 64}};

struct ScalingCase {
  const char* name;
  bool made_on_gpu, on_disk;
  Extent3 image, kernel;
  std::int64_t device_bytes;
  Strategy strategy;
  std::string_view bound;  ///< of one GPU
  double least, most;      ///< speed-up of two
  std::string_view many;   ///< what 8 GPUs wait for
};

const ScalingCase kCases[] = {
    {"ring_from_memory",
     false,
     false,
     {12000, 2048, 2048},
     {101, 101, 101},
     140 * kGiB,
     Strategy::ring,
     "the links",
     1.3,
     1.43,
     "the links"},
    {"ring_made_there",
     true,
     false,
     {24000, 2048, 2048},
     {61, 61, 61},
     140 * kGiB,
     Strategy::ring,
     "the links",
     1.5,
     1.9,
     "the links"},
    {"ring_of_few_planes",
     true,
     false,
     {12000, 4096, 4096},
     {201, 31, 31},
     31 * kGiB,
     Strategy::ring,
     "the GPUs",
     1.8,
     2,
     "the links"},
    {"ring_from_disk",
     false,
     true,
     {1536, 1536, 1536},
     {101, 101, 101},
     140 * kGiB,
     Strategy::ring,
     "storage",
     0.9,
     1.05,
     "storage"},
    {"tiles",
     true,
     false,
     {4000, 4000, 4000},
     {61, 61, 61},
     4 * kGiB,
     Strategy::tiles,
     "the links",
     1.5,
     1.9,
     "the links"},
};

class Scaling : public testing::TestWithParam<ScalingCase> {
 protected:
  static Plan plan() {
    const ScalingCase& c = GetParam();
    Problem p = test::centred_problem(c.image, c.kernel);
    p.image_made_on_gpu = c.made_on_gpu;
    p.source_voxel_bytes = 4;
    p.sink_voxel_bytes = c.made_on_gpu ? 2 : 4;
    p.image_voxel_bytes = p.result_voxel_bytes = c.on_disk ? 4 : 0;
    Machine machine = test::machine_with_gpu(c.device_bytes, 512 * kGiB, 1);
    machine.rates.memory_bytes_per_second = 1e12;  // many cores: the host's copying is not met
    machine.gpu_only = true;
    return plan_convolution(p, machine, c.strategy);
  }
};

TEST_P(Scaling, BeginsWithThePredictionOfThePlan) {
  const Plan made = plan();
  const auto runs = scaled_runs(made, {{1, 1}});
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_NEAR(runs.front().seconds, test::chosen(made).seconds, 1e-9 * runs.front().seconds);
  EXPECT_EQ(runs.front().bound, GetParam().bound);
}

TEST_P(Scaling, IsWhatIsSharedAllows) {
  const auto runs = scaled_runs(plan(), kCrews);
  ASSERT_EQ(runs.size(), kCrews.size());
  const auto speed_up = [&](std::size_t i) { return runs[0].seconds / runs[i].seconds; };
  EXPECT_GE(speed_up(1), GetParam().least);
  EXPECT_LE(speed_up(1), GetParam().most);
  EXPECT_EQ(runs[3].bound, GetParam().many);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].crew, kCrews[i]);
    EXPECT_LE(speed_up(i), static_cast<double>(kCrews[i].gpus * kCrews[i].machines));
  }
  EXPECT_GE(speed_up(5), 0.99 * speed_up(4)) << "more machines are no slower";
}

TEST_P(Scaling, EndsWhereThereAreNoMoreSteps) {
  const Plan made = plan();
  const std::int64_t steps = step_count(made);
  const auto runs = scaled_runs(made, {{1, steps}, {1, 1000 * steps}});
  EXPECT_EQ(runs[0].seconds, runs[1].seconds);
}

TEST_P(Scaling, HasSmallerBatchesOnMoreDevicesWhereTheHostCopies) {
  const Plan made = plan();
  Volume<float> voxels{{1, 1, 1}};
  const auto planes = [&](std::int64_t gpus, HostMemory memory) {
    MemorySource image{voxels.view(), memory};
    MemorySink stored{voxels.view(), memory};
    const Term term{&image, {&image, 0, 1}, {}};
    return with_batches_for(gpus, made, {&term, 1}, stored).cut.batch_planes;
  };
  EXPECT_LE(planes(1, HostMemory::ordinary), made.cut.batch_planes);
  EXPECT_EQ(planes(1000, HostMemory::ordinary), 1);
  EXPECT_EQ(planes(1000, HostMemory::pinned), made.cut.batch_planes) << "the GPU reads and writes";
}

INSTANTIATE_TEST_SUITE_P(Table, Scaling, testing::ValuesIn(kCases), synthoscope::test::kCaseName);

TEST(ScalingOfOthers, IsNotTold) {
  const Problem small = test::centred_problem({64, 256, 256}, {9, 9, 9});
  Machine machine = test::machine_with_gpu(140 * kGiB, 512 * kGiB, 1);
  machine.gpu_only = true;
  EXPECT_TRUE(scaled_runs(plan_convolution(small, machine, Strategy::in_core), kCrews).empty());
  EXPECT_TRUE(scaled_runs(plan_convolution(small, {512 * kGiB}, Strategy::ring), kCrews).empty());
}

}  // namespace
}  // namespace synthoscope::fftconv::device

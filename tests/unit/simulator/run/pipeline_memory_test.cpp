// SPDX-License-Identifier: MIT
// pipeline_memory_test.cpp — a simulation fits the memory that it names.
#include <gtest/gtest.h>
#include <string>
#include "core/base/error.hpp"
#include "simulator/run/additional_memory.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/unit/simulator/run/pipeline_case.hpp"

namespace synthoscope::simulator {
namespace {

class PipelineMemory : public Pipeline {};

TEST_F(PipelineMemory, CountsWhatItHoldsAndRefusesABudgetTooSmallBeforeAnythingIsWritten) {
  test::TestContext usual;
  const auto executor = fftconv::make_host_executor({usual.memory.limit()});
  const auto plans = plan_simulation(tiny_scene(), executor->machine(), usual.context);
  EXPECT_LT(plans[0].machine.host_bytes, usual.memory.limit());
  EXPECT_EQ(usual.memory.used(), 0);
  for (const std::int64_t bytes : {1000, 100'000, 1'000'000}) {
    test::TestContext little{2, bytes};
    const auto small = fftconv::make_host_executor({bytes});
    EXPECT_THROW(
        simulate(tiny_scene(), {.directory = folder_ / "set", .plans = {}}, *small, little.context),
        PlanError)
        << bytes;
    EXPECT_THROW(plan_simulation(tiny_scene(), small->machine(), little.context), PlanError)
        << bytes;
    EXPECT_LE(little.memory.peak(), bytes);
    EXPECT_TRUE(entries().empty());
  }
}

/// What a refused simulation says is enough.
std::int64_t named_budget(const std::string& refusal) {
  return synthoscope::test::size_in(refusal, "give --memory ");
}

TEST_F(PipelineMemory, NamesABudgetThatIsEnoughAndHardlyTooLarge) {
  for (const char* optics : {"size = [9, 21, 21]", "size = [23, 79, 87]", "size = [1, 3, 3]",
                             "size = [9, 41, 41]\noversample = 2"}) {
    auto scene = tiny_scene();
    const SceneSpec other =
        parse_scene(std::string{"[optics]\nna = 0.8\nimmersion_index = 1.33\n"} + optics, "other");
    scene.optics = other.optics;
    scene.oversample = other.oversample;
    const auto said = [&](std::int64_t bytes) -> std::string {
      test::TestContext run{2, bytes};
      const auto executor = fftconv::make_host_executor({bytes});
      try {
        simulate(scene, {.directory = folder_ / "set", .overwrite = true, .plans = {}}, *executor,
                 run.context);
      } catch (const PlanError& failure) {
        return failure.what();
      }
      return "";
    };
    const std::int64_t named = named_budget(said(1000));
    ASSERT_GT(named, 1000) << optics;
    EXPECT_EQ(said(named), "") << optics;
    EXPECT_EQ(named_budget(said(synthoscope::test::less_than_named(named))), named) << optics;
  }
}

TEST_F(PipelineMemory, RefusesAGivenPlanThatDoesNotFitBeforeAnythingIsWritten) {
  test::TestContext roomy;
  const auto executor = fftconv::make_host_executor({roomy.memory.limit()});
  const auto plans = plan_simulation(tiny_scene(), executor->machine(), roomy.context);
  test::TestContext little{2, plans[0].memory_bytes()};
  const auto small = fftconv::make_host_executor({little.memory.limit()});
  EXPECT_THROW(simulate(tiny_scene(), {.directory = folder_ / "set", .plans = plans}, *small,
                        little.context),
               PlanError);
  EXPECT_TRUE(entries().empty());
}

/// Parts read the light as often as there are parts.
TEST_F(PipelineMemory, KeepsLightThatIsReadAgainAndTheImagesAreTheSame) {
  const auto keeping = [&](const SimulateOptions& options, std::int64_t bytes) {
    test::TestContext run{2, bytes};
    return planned_channels(tiny_scene(), {bytes}, run.context, options).front().additional.keeping;
  };
  SimulateOptions parts;
  parts.strategy = fftconv::Strategy::parts;
  parts.parts = 8;
  constexpr std::int64_t kRoomy = std::int64_t{1} << 30;
  EXPECT_EQ(keeping({}, kRoomy), LightKeeping::nowhere);  // in-core
  EXPECT_EQ(keeping(parts, kRoomy), LightKeeping::in_memory);

  const auto least_budget = [&] {
    try {
      keeping(parts, 1000);
    } catch (const PlanError& failure) {
      return named_budget(failure.what());
    }
    return std::int64_t{0};
  };
  const std::int64_t little = least_budget();
  EXPECT_EQ(keeping(parts, little), LightKeeping::in_file);

  test::TestContext context{2, little};
  auto plans = plan_simulation(tiny_scene(), {little}, context.context, parts);
  SimulateOptions rendered_again;
  plans[0].problem.image_voxel_bytes = plans[0].work.image_voxel_bytes = 0;
  rendered_again.plans = plans;
  EXPECT_EQ(keeping(rendered_again, little), LightKeeping::nowhere);

  const auto executor = fftconv::make_host_executor({little});
  parts.directory = folder_ / "kept";
  rendered_again.directory = folder_ / "rendered";
  for (const SimulateOptions& options : {parts, rendered_again}) {
    test::TestContext run{2, little};
    simulate(tiny_scene(), options, *executor, run.context);
    EXPECT_LE(run.memory.peak(), little);
  }
  EXPECT_EQ(read<float>(folder_ / "kept/photons.ome.tif").voxels,
            read<float>(folder_ / "rendered/photons.ome.tif").voxels);
  EXPECT_EQ(read<std::uint16_t>(folder_ / "kept/image.ome.tif").voxels,
            read<std::uint16_t>(folder_ / "rendered/image.ome.tif").voxels);
}

}  // namespace
}  // namespace synthoscope::simulator

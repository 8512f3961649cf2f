// SPDX-License-Identifier: MIT
// collection_test.cpp — how much of the emitted light an aperture collects, and who is told.
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/json.hpp"
#include "simulator/data_set/scene_record.hpp"
#include "simulator/imaging/references.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/file/sweep.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

/// The solid angle of the rays that a flat aperture of sine `na / n` lets through, over that of a
/// sphere: rays by their angle, Simpson's rule.
double part_of_rays(double na, double n) {
  constexpr int kSteps = 2000;
  const double widest = na < n ? std::asin(na / n) : std::asin(1.0);
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double weight = i == 0 || i == kSteps ? 1 : (i % 2 == 1 ? 4 : 2);
    sum += weight * std::sin(widest * i / kSteps);
  }
  return sum * widest / kSteps / 3 / 2;
}

OpticsSpec aperture_of(double na, double sample_index) {
  OpticsSpec optics;
  optics.collection = Collection::aperture;
  optics.na = na;
  optics.sample_index = sample_index;
  return optics;
}

TEST(Collection, OfAnApertureIsTheSolidAngleOfItsConeInTheSample) {
  for (const double n : {1.0, 1.33, 1.515})
    for (const double na : {0.01, 0.3, 0.75, 0.95, 1.2, 1.4})
      EXPECT_NEAR(collected_part(aperture_of(na, n)) / part_of_rays(na, n), 1, 1e-10)
          << na << " in " << n;
}

TEST(Collection, GrowsWithTheApertureAsComputedByHand) {
  const double low = collected_part(aperture_of(0.3, 1.33));
  EXPECT_NEAR(low, 0.01289, 1e-5);
  EXPECT_NEAR(collected_part(aperture_of(0.75, 1.33)) / low, 6.7, 0.1);
  EXPECT_NEAR(collected_part(aperture_of(1.2, 1.33)) / low, 22, 0.1);
  EXPECT_EQ(collected_part(aperture_of(1.4, 1.33)), 0.5);  // half of it comes towards the lens
}

TEST(Collection, OfAllIsOneAtAnyAperture) {
  for (const double na : {0.1, 0.8, 1.4}) {
    OpticsSpec optics;
    optics.na = na;
    EXPECT_EQ(collected_part(optics), 1);
  }
}

struct WeightCase {
  const char* optics;
  bool varies;
};

TEST(Collection, IsTheSumOfTheWeightsOfAllReferences) {
  constexpr WeightCase kCases[] = {
      {"na = 0.8\n", false},
      {"na = 0.8\nmodel = \"gaussian\"\n", false},
      {"na = 0.8\nmodel = \"light-sheet\"\nsheet_along = \"x\"\n", true},
      {"na = 1.3\nsample_index = 1.4\ndepth_varying = true\n", true},
  };
  test::TestContext run{2, std::int64_t{1} << 30};
  for (const auto& [optics, varies] : kCases) {
    const SceneSpec scene =
        parse_scene(std::string{"[grid]\nsize = [12, 8, 300]\npitch_nm = [250, 120, 130]\n"
                                "[optics]\ncollection = \"aperture\"\n"} +
                        optics,
                    "scene");
    const References references = references_of(scene, run.pool);
    EXPECT_EQ(references.vary(), varies) << optics;
    const double part = part_of_rays(scene.optics.na, scene.optics.sample_index);
    for (const std::size_t z : {0, 5, 11})
      for (const std::size_t x : {0, 150, 299}) {
        double sum = 0;
        for (const Reference& one : references.all)
          sum += one.weights.z.at(z) * (one.weights.x.empty() ? 1 : one.weights.x.at(x));
        EXPECT_NEAR(sum / part, 1, 1e-10) << optics;
      }
    EXPECT_EQ(references.description().find("the aperture collects "), 0u)
        << references.description();
  }
}

std::string warning_of(const std::string& scene, const std::string& swept) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("s.toml", scene + "[sweep]\n" + swept + "\n");
  const SweepSpec sweep = read_sweep(file);
  return collection_warning(sweep, sets_of(read_scene(file), sweep, 1)).value_or("");
}

TEST(Collection, OfAllIsWarnedAboutWhereASweepChangesTheAperture) {
  const std::string kChannels =
      "[[channel]]\nname = \"a\"\nlight.nuclei = 1\n"
      "[[channel]]\nname = \"b\"\nlight.nuclei = 1\noptics.collection = \"aperture\"\n";
  const std::string said = warning_of("", "optics.na = [0.3, 0.75, 1.2]");
  EXPECT_NE(said.find("optics.na varies"), std::string::npos) << said;
  EXPECT_NE(said.find(" 22.1 times "), std::string::npos) << said;  // 0.28434 / 0.01289
  EXPECT_NE(said.find("optics.collection = \"aperture\""), std::string::npos) << said;
  EXPECT_NE(warning_of(kChannels, "channel.a.optics.na = [0.3, 0.75]"), "");
  EXPECT_NE(warning_of(kChannels, "optics.na = [0.3, 0.75]"), "");

  EXPECT_EQ(warning_of(kChannels, "channel.b.optics.na = [0.3, 0.75]"), "");
  EXPECT_EQ(warning_of("[optics]\ncollection = \"aperture\"\n", "optics.na = [0.3, 0.75]"), "");
  EXPECT_EQ(warning_of("", "optics.na = [0.75]"), "");
  EXPECT_EQ(warning_of("", "optics.na = [1.35, 1.4]"), "");  // both take half of the light
  EXPECT_EQ(warning_of("", "optics.wavelength_nm = [450, 600]"), "");
}

TEST(Collection, OfAllLeavesRecordsAsTheyWereBeforeTheKey) {
  SceneSpec scene;
  EXPECT_FALSE(record_of(scene).at("scene").at("optics").contains("collection"));
  scene.optics.collection = Collection::aperture;
  EXPECT_EQ(record_of(scene).at("scene").at("optics").at("collection"), "aperture");
  EXPECT_NE(to_json(SceneSpec{}).find("\"collection\""), std::string::npos);
}

}  // namespace
}  // namespace synthoscope::simulator

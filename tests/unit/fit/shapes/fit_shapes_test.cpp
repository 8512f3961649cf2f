// SPDX-License-Identifier: MIT
#include "fit/shapes/fit_shapes.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "fftconv/host/executor.hpp"
#include "fit/light/light_keys.hpp"
#include "fit/shapes/labels_as_bodies.hpp"
#include "simulator/scene/scene.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fit {
namespace {

using simulator::SceneSpec;

/// A small stack of nuclei that fit quickly: smooth ones, of few voxels.
SceneSpec few_nuclei(std::int64_t count) {
  SceneSpec scene;
  scene.grid = {{12, 64, 64}, {1, 0.5, 0.5}};
  scene.nuclei.count = count;
  scene.nuclei.radius_um = 3;
  scene.nuclei.degree = 2;
  return scene;
}

struct Bench {
  test::TestContext run;
  std::unique_ptr<fftconv::Executor> blur = fftconv::make_host_executor({run.memory.limit()});
  TwinImages twins{*blur, run.context};
  LabelledImages real;

  explicit Bench(const SceneSpec& truth) { real.push_back(twins.labels(truth, 77)); }
};

const Estimate* estimate_of(const Findings& found, std::string_view key) {
  const auto one = std::find_if(found.estimates.begin(), found.estimates.end(),
                                [&](const Estimate& e) { return e.key == key; });
  return one == found.estimates.end() ? nullptr : &*one;
}

TEST(FittedShapes, KeepFixedKeysAndFindTheOthers) {
  Bench bench{few_nuclei(6)};
  SceneSpec scene = few_nuclei(6);
  scene.nuclei.radius_um = 2;
  const std::set<std::string> fixed{
      "nuclei.radius_spread", "nuclei.axis_ratios", "nuclei.roughness", "nuclei.axis_spread",
      "nuclei.clustering",    "nuclei.gap_um",      "nuclei.asymmetry", "nuclei.orientation"};
  const Findings found = fit_shapes({bench.real, bench.twins, fixed, 20}, scene);
  EXPECT_EQ(found.refusal, "");
  EXPECT_NEAR(scene.nuclei.radius_um, 3, 0.3);
  EXPECT_EQ(scene.nuclei.radius_spread, 0.1);
  EXPECT_EQ(estimate_of(found, "nuclei.roughness"), nullptr);
  ASSERT_NE(estimate_of(found, "nuclei.radius_um"), nullptr);
  EXPECT_FALSE(scene.nuclei.count.has_value());
  const Estimate* const density = estimate_of(found, "nuclei.density_per_mm3");
  ASSERT_NE(density, nullptr);
  const double truth = 6 / (12 * 32.0 * 32.0) * 1e9;
  EXPECT_LT(density->low, truth);
  EXPECT_GT(density->high, truth);
  EXPECT_EQ(density->value, scene.nuclei.density_per_mm3);
}

TEST(FittedShapes, OfOneObjectHaveNoSpread) {
  Bench bench{few_nuclei(1)};
  SceneSpec scene = few_nuclei(1);
  const Findings found = fit_shapes({bench.real, bench.twins, {}, 20}, scene);
  EXPECT_EQ(estimate_of(found, "nuclei.radius_spread"), nullptr);
  EXPECT_EQ(scene.nuclei.radius_spread, 0.1);
  const Estimate* const radius = estimate_of(found, "nuclei.radius_um");
  ASSERT_NE(radius, nullptr);
  // One of a population that varies by a tenth
  EXPECT_GT(radius->high - radius->low, 0.5);
  EXPECT_TRUE(std::any_of(found.untold.begin(), found.untold.end(), [](const std::string& said) {
    return said.find("1 whole object is too few") != std::string::npos;
  }));
}

TEST(FittedShapes, OfObjectsThatTheFieldCutsAreAsLargeAsWholeOnes) {
  // One nucleus is whole, and ten are cut; together, six twins show more than five whole ones
  SceneSpec truth = few_nuclei(14);
  truth.nuclei.border = simulator::BorderRule::cut;
  truth.margin_um = {3, 3, 3};
  Bench bench{truth};
  SceneSpec scene = truth;
  scene.nuclei.radius_um = 2;
  const std::set<std::string> fixed{
      "nuclei.radius_spread", "nuclei.axis_ratios", "nuclei.roughness",   "nuclei.axis_spread",
      "nuclei.clustering",    "nuclei.gap_um",      "nuclei.asymmetry",   "nuclei.orientation",
      "grid.margin_um",       "nuclei.border",      "nuclei.arrangement", "nuclei.count"};
  const Findings found = fit_shapes({bench.real, bench.twins, fixed, 20}, scene);
  EXPECT_EQ(found.refusal, "");
  EXPECT_NEAR(scene.nuclei.radius_um, 3, 0.3);
}

TEST(FittedShapes, AreRefusedWithoutObjectsInTheScene) {
  Bench bench{few_nuclei(2)};
  SceneSpec scene = few_nuclei(0);
  const Findings found = fit_shapes({bench.real, bench.twins, {}, 20}, scene);
  EXPECT_NE(found.refusal.find("has no nuclei, cells"), std::string::npos);
}

TEST(LabelsAsBodies, MakeATwinWithTheSameMasks) {
  Bench bench{few_nuclei(6)};
  LabelledImage& image = bench.real.front();
  image.counts = Volume<float>{image.grid.extent};
  std::fill(image.counts.voxels.begin(), image.counts.voxels.end(), 100.0F);
  for (std::size_t i = 0; i < image.labels.voxels.size(); ++i)
    if (image.labels.voxels[i] > 0)
      image.counts.voxels[i] += 10.0F * static_cast<float>(image.labels.voxels[i]);
  const test::TemporaryFolder folder;
  SceneSpec scene = few_nuclei(6);
  const Findings found = labels_as_bodies({bench.real, bench.twins, {}}, folder.path(), scene);
  EXPECT_EQ(found.refusal, "");
  const LabelledImage twin = bench.twins.labels(scene, 5);
  EXPECT_EQ(twin.labels.voxels, image.labels.voxels);
  // The scene images them as well: the sixth gives off most of the light
  const LabelledImage seen = bench.twins.image(scene, 5);
  double first = 0, sixth = 0;
  for (std::size_t i = 0; i < seen.labels.voxels.size(); ++i) {
    if (seen.labels.voxels[i] == 1)
      first = std::max(first, static_cast<double>(seen.counts.voxels[i]));
    if (seen.labels.voxels[i] == 6)
      sixth = std::max(sixth, static_cast<double>(seen.counts.voxels[i]));
  }
  EXPECT_GT(sixth - 100, 2 * (first - 100));
  // Their light has one key, the factor of the file: the other would change nothing
  const LightKeys keys = light_keys_of(scene, {bench.real, bench.twins, {}});
  ASSERT_EQ(keys.brightness.size(), 1u);
  EXPECT_EQ(keys.brightness[0].key, "volume.photons_per_value");
  EXPECT_TRUE(keys.companions.empty());
}

}  // namespace
}  // namespace synthoscope::fit

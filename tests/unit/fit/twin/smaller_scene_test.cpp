// SPDX-License-Identifier: MIT
#include "fit/twin/smaller_scene.hpp"
#include <gtest/gtest.h>

namespace synthoscope::fit {
namespace {

TEST(SmallerScene, KeepsPlanesAndTheNumberOfObjectsPerVolume) {
  simulator::SceneSpec scene;
  scene.grid.extent = {10, 800, 400};
  scene.nuclei.count = 80;
  const simulator::SceneSpec smaller = smaller_scene(scene, 10 * 200 * 200);
  EXPECT_EQ(smaller.grid.extent, (Extent3{10, 200, 200}));
  EXPECT_EQ(smaller.nuclei.count, 10);
}

TEST(SmallerScene, OfTheDefaultNumberOfNucleiHasFewer) {
  simulator::SceneSpec scene;  // ten nuclei
  scene.grid.extent = {1, 1000, 1000};
  const simulator::SceneSpec smaller = smaller_scene(scene, 500 * 500);
  EXPECT_EQ(smaller.nuclei.count, 3);  // 2.5, rounded
}

TEST(SmallerScene, IsTheSameIfItIsSmallEnough) {
  simulator::SceneSpec scene;
  scene.grid.extent = {4, 100, 100};
  const simulator::SceneSpec same = smaller_scene(scene, 1000);
  EXPECT_EQ(same.grid.extent, scene.grid.extent);
  EXPECT_FALSE(same.nuclei.count.has_value());
}

TEST(SmallerScene, KeepsDensitiesThatAreGiven) {
  simulator::SceneSpec scene;
  scene.grid.extent = {1, 1000, 1000};
  scene.nuclei.density_per_mm3 = 5000;
  const simulator::SceneSpec smaller = smaller_scene(scene, 250 * 250);
  EXPECT_EQ(smaller.grid.extent.x, 250);
  EXPECT_EQ(smaller.nuclei.density_per_mm3, 5000);
  EXPECT_FALSE(smaller.nuclei.count.has_value());
}

}  // namespace
}  // namespace synthoscope::fit

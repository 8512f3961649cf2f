// SPDX-License-Identifier: MIT
#include "fit/twin/twin_images.hpp"
#include <gtest/gtest.h>
#include "fftconv/host/executor.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::fit {
namespace {

simulator::SceneSpec small_stack(double na) {
  simulator::SceneSpec scene;
  scene.grid = {{6, 24, 24}, {0.6, 0.3, 0.3}};
  scene.nuclei.count = 1;
  scene.nuclei.radius_um = 1.2;
  scene.optics.na = na;
  return scene;
}

TEST(TwinImages, KeepThePsfOfTheirOpticsOnly) {
  test::TestContext run;
  const auto blur = fftconv::make_host_executor({run.memory.limit()});
  const TwinImages twins{*blur, run.context};
  for (const double na : {0.5, 0.5, 1.1, 0.5}) {
    const TwinImages fresh{*blur, run.context};
    EXPECT_EQ(twins.image(small_stack(na), 3).counts.voxels,
              fresh.image(small_stack(na), 3).counts.voxels);
  }
  EXPECT_NE(twins.image(small_stack(0.5), 3).counts.voxels,
            twins.image(small_stack(1.1), 3).counts.voxels);
}

}  // namespace
}  // namespace synthoscope::fit

// SPDX-License-Identifier: MIT
// Numbers of objects that vary from frame to frame.
#include <gtest/gtest.h>
#include <set>
#include "core/base/error.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

SceneSpec scene_with(const char* keys) {
  return parse_scene(std::string{"seed = 3\nframes = 60\n[grid]\nsize = [8, 200, 200]\n"} + keys,
                     "scene");
}

TEST(NumbersOfObjects, AreDrawnEvenlyAboutTheNumberGiven) {
  const SceneSpec scene = scene_with(
      "[nuclei]\ncount = 4\nradius_um = 0.4\nborder = 'cut'\ncount_spread = 0.5\n"
      "[beads]\ndensity_per_mm3 = 1e7\ncount_spread = 1\n");
  test::TestContext run;
  const Timelapse timelapse{scene, run.context};
  std::set<std::size_t> nuclei, beads;
  std::set<std::uint16_t> labels;
  double all_beads = 0;
  for (std::int64_t frame = 0; frame < scene.frames; ++frame) {
    const Phantom phantom = timelapse.phantom(frame, run.context);
    nuclei.insert(phantom.nuclei.size());
    beads.insert(phantom.beads.size());
    all_beads += static_cast<double>(phantom.beads.size());
    const FrameLabels names = timelapse.labels_of(frame);
    ASSERT_EQ(std::ssize(names.labels), phantom.count());
    for (const std::uint16_t label : names.labels)
      EXPECT_TRUE(labels.insert(label).second) << "label " << label << " is given twice";
  }
  EXPECT_EQ(nuclei, (std::set<std::size_t>{2, 3, 4, 5, 6}));
  // The field of 18 x 18 x 2 um holds 6.48e-7 mm^3
  EXPECT_EQ(*beads.begin(), 0U);
  EXPECT_EQ(*beads.rbegin(), 12U);
  EXPECT_NEAR(all_beads / 60, 6, 1.5) << "of numbers from 0 to 12, whose deviation is 3.7";
}

TEST(NumbersOfObjects, AreTheSameInAnyOrderOfFrames) {
  const SceneSpec scene =
      scene_with("[beads]\ncount = 20\ncount_spread = 0.9\n[nuclei]\ncount = 0\n");
  test::TestContext run;
  const Timelapse timelapse{scene, run.context}, again{scene, run.context};
  const auto last = again.phantom(7, run.context).beads.size();
  for (std::int64_t frame = 0; frame < 7; ++frame)
    static_cast<void>(timelapse.phantom(frame, run.context));
  EXPECT_EQ(timelapse.phantom(7, run.context).beads.size(), last);
}

TEST(NumbersOfObjects, DoNotVaryInAMovie) {
  test::expect_failure<InvalidSpec>(
      [] { scene_with("[time]\ninterval_seconds = 5\n[nuclei]\ncount = 4\ncount_spread = 0.5\n"); },
      {"check the scene: nuclei.count_spread is 0.5, but the frames of a movie have the same "
       "objects; leave it out, or leave time.interval_seconds out"});
}

}  // namespace
}  // namespace synthoscope::simulator

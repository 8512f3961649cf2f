// SPDX-License-Identifier: MIT
// What keys change in a simulated frame, beside the stages that they are said to change.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/run/frame_maker.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "studio/form/set_key.hpp"
#include "studio/stages.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/studio/form/example_scenes.hpp"

namespace synthoscope::studio {
namespace {

using simulator::SceneKey;

constexpr const char* kSmallScene =
    "seed = 2\n[grid]\nsize = [4, 12, 16]\npitch_nm = [400, 200, 200]\n[nuclei]\ncount = 2\n"
    "radius_um = 0.4\ngap_um = 0\n[background]\ngradient = 0.2\n[illumination]\ndose = 10\n"
    "photons_per = \"second\"\n[optics]\nmodel = \"gaussian\"\nna = 0.8\n";

struct SmallFrame {
  std::vector<std::uint16_t> labels;
  std::vector<float> photons;
};

SmallFrame frame_of(const simulator::SceneSpec& scene) {
  synthoscope::test::TestContext run;
  const auto blur = fftconv::make_host_executor({run.memory.limit()});
  simulator::FrameMaker maker{scene, {}, *blur, run.context};
  const auto image = maker.images().front();
  Volume<std::uint16_t> labels{scene.grid.extent};
  Volume<float> photons{scene.grid.extent};
  std::vector<std::byte> counts(static_cast<std::size_t>(volume(image.extent) * 2));
  const VoxelView recorded{counts.data(), image.type, image.extent};
  maker.make(0, {labels.view(), {}, {{recorded, photons.view()}}}, run.context);
  return {labels.voxels, photons.voxels};
}

/// Returns a frame with another value of the key; nothing if the small scene cannot have it.
std::optional<SmallFrame> frame_with_other(const SceneKey& key) {
  const auto scene = simulator::parse_scene(kSmallScene, "a scene");
  const std::string changed = set_key(kSmallScene, key.full_name(), test::other_value(key, scene));
  try {
    return frame_of(simulator::parse_scene(changed, "a scene"));
  } catch (const Error&) {
    return std::nullopt;
  }
}

TEST(StagesOfFrames, LaterOnesLeaveWhatEarlierOnesMade) {
  const SmallFrame before = frame_of(simulator::parse_scene(kSmallScene, "a scene"));
  int of_labels = 0, of_photons = 0;
  for (const SceneKey& key : simulator::scene_keys()) {
    const Stage stage = stage_of(key);
    if (stage == Stage::phantom) continue;
    const auto after = frame_with_other(key);
    if (!after) continue;
    EXPECT_EQ(after->labels, before.labels) << key.full_name();
    ++of_labels;
    if (stage != Stage::camera && stage != Stage::other) continue;
    EXPECT_EQ(after->photons, before.photons) << key.full_name();
    ++of_photons;
  }
  EXPECT_GT(of_labels, 60);
  EXPECT_GT(of_photons, 20);
}

TEST(StagesOfFrames, OfTheBackgroundAddTheSameToAnyLight) {
  const auto light_of = [](const std::string& background) {
    return frame_of(simulator::parse_scene(
        set_key(kSmallScene, "background.photons_per_pixel", parse_json(background)), "a scene"));
  };
  const SmallFrame none = light_of("0"), some = light_of("4"), much = light_of("12");
  for (std::size_t i = 0; i < none.photons.size(); ++i)
    EXPECT_NEAR(much.photons[i] - none.photons[i], 3 * (some.photons[i] - none.photons[i]), 1e-4);
}

}  // namespace
}  // namespace synthoscope::studio

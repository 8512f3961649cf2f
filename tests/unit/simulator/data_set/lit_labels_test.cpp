// SPDX-License-Identifier: MIT
// Which objects give light in a channel, and which of them a plane shows.
#include "simulator/data_set/lit_labels.hpp"
#include <gtest/gtest.h>
#include <string>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

const std::string kGrid = "[grid]\nsize = [12, 48, 40]\npitch_nm = [300, 150, 150]\n";

TEST(LitLabels, AreThoseOfKindsWithLight) {
  const SceneSpec scene = parse_scene(
      kGrid + "[nuclei]\ncount = 1\nradius_um = 1\n[beads]\ncount = 2\ndiameter_um = 0.3\n", "s");
  synthoscope::test::TestContext run;
  const Phantom phantom = make_phantom(phantom_of(scene), scene.grid, 1, run.context);
  // Ids 1 to 3 have the labels 5 to 7
  Volume<std::uint16_t> stored{{1, 2, 2}};
  stored.voxels = {0, 5, 6, 7};
  MemorySource all{stored.view()};
  const auto lit = [&](const LightSpec& light) {
    LitLabels source{all, phantom, {5, 6, 7}, light};
    Volume<std::uint16_t> read{stored.extent};
    source.read(whole(stored.extent), VoxelView{read.view()});
    return read.voxels;
  };
  using Labels = std::vector<std::uint16_t>;
  LightSpec of_nuclei = no_light(), of_beads = no_light();
  of_nuclei.nuclei = 1;
  of_beads.beads = 0.1;
  EXPECT_EQ(lit(of_nuclei), (Labels{0, 5, 0, 0}));
  EXPECT_EQ(lit(of_beads), (Labels{0, 0, 6, 7}));
  EXPECT_EQ(lit(LightSpec{}), stored.voxels);
}

struct SmallCase {
  const char *scene, *dark;  ///< the kind of light that is switched off, or none
  bool is_small;
};
const SmallCase kSmall[] = {
    {"", "", false},
    {"[beads]\ncount = 2\n", "", true},
    {"[beads]\ncount = 0\n", "", false},
    {"[beads]\ncount = 2\n", "beads", false},
    {"[cells]\ncount = 1\n", "", false},
    {"[cells]\ncount = 1\nspots = 9\n", "", true},
    {"[cells]\ncount = 1\nspots = 9\n", "spots", false},
    {"[cells]\ncount = 1\nmicrotubules = 9\nmicrotubule_photons_per_um = 0\n", "", false},
    {"[cells]\ncount = 1\nactin_fibres = 9\n", "", true},
    {"[cells]\ncount = 1\nmitochondria = 9\n", "", false},
    {"[target]\nkind = \"star\"\n", "", false},
};

TEST(SmallLights, AreThoseThatAPlaneMisses) {
  for (const SmallCase& row : kSmall) {
    const SceneSpec scene = parse_scene(kGrid + row.scene, "s");
    LightSpec light;
    for (const LightKind& kind : kLightKinds)
      if (kind.name == row.dark) light.*kind.weight = 0;
    EXPECT_EQ(has_small_lights(phantom_of(scene), scene.grid, light), row.is_small)
        << row.scene << row.dark;
  }
}

}  // namespace
}  // namespace synthoscope::simulator

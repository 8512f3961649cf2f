// SPDX-License-Identifier: MIT
// What world.h5 takes; its content is rebuilt into masks by tests/python/simulate/cli_world.py.
#include "simulator/world/world.hpp"
#include <gtest/gtest.h>
#include <numeric>
#include "tests/support/furnished_cells.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

struct RoomCase {
  const char* name;
  std::int64_t nuclei, lobes, nucleoli, beads;
  TargetKind target;
  std::int64_t cells = 0, tissue = 0, adherent = 0;
  double nucleolus_roughness = -1;  ///< nucleoli with a height, if it is not negative
};

TEST(World, IsCountedBeforeItIsMade) {
  const RoomCase kCases[] = {
      {"round", 40, 1, 0, 0, TargetKind::none},
      {"chains", 10, 5, 8, 0, TargetKind::none},
      {"beads", 0, 1, 0, 200, TargetKind::none},
      {"points", 0, 1, 0, 0, TargetKind::points},
      {"lines", 0, 1, 0, 0, TargetKind::lines},
      {"shells", 0, 1, 0, 0, TargetKind::shells},
      {"star", 0, 1, 0, 0, TargetKind::star},
      {"cells", 0, 1, 0, 0, TargetKind::none, 4},
      {"two_cells_of_tissue", 0, 1, 2, 0, TargetKind::none, 0, 2},
      {"tissue", 3, 1, 0, 0, TargetKind::none, 0, 60},
      {"high_nucleoli", 10, 1, 3, 0, TargetKind::none, 0, 0, 0, 0},
      {"warped_nucleoli", 10, 1, 3, 0, TargetKind::none, 0, 2, 0, 0.3},
      {"adherent_nucleoli", 0, 1, 3, 0, TargetKind::none, 0, 0, 1, 0.3},
  };
  const Grid grid{{100, 100, 100}, {0.5, 0.5, 0.5}};
  const synthoscope::test::TemporaryFolder folder;
  for (const auto& c : kCases) {
    PhantomSpec spec;
    spec.nuclei.count = c.nuclei;
    spec.nuclei.radius_um = 2;
    spec.nuclei.fewest_lobes = spec.nuclei.most_lobes = c.lobes;
    spec.nuclei.nucleoli = c.nucleoli;
    if (c.nucleolus_roughness >= 0) {
      spec.nuclei.nucleolus_height = 3;
      spec.nuclei.nucleolus_parts = 5;
      spec.nuclei.nucleolus_roughness = c.nucleolus_roughness;
    }
    spec.adherent.count = c.adherent;
    spec.beads.count = c.beads;
    spec.target.kind = c.target;
    if (c.cells > 0) spec.cells = test::furnished(c.cells);
    spec.tissue.count = c.tissue;
    synthoscope::test::TestContext run;
    World world{WorldSize{spec, grid, 3}};
    for (std::int64_t frame = 0; frame < 3; ++frame) {
      const auto phantom = make_phantom(spec, grid, 1, run.context);
      std::vector<std::uint16_t> labels(static_cast<std::size_t>(phantom.count()));
      std::iota(labels.begin(), labels.end(),
                static_cast<std::uint16_t>(frame * phantom.count() + 1));
      world.add(frame, labels, phantom);
    }
    const auto path = folder / c.name;
    world.write(path, "{}");
    constexpr std::int64_t kBesideValues = std::int64_t{24} << 10;
    const auto stored = static_cast<std::int64_t>(std::filesystem::file_size(path));
    const std::int64_t counted = World::bytes({spec, grid, 3});
    EXPECT_LE(stored - kBesideValues, counted) << c.name;
    EXPECT_EQ(world.held_bytes(), counted) << c.name;  // so no list grew
  }
}

}  // namespace
}  // namespace synthoscope::simulator

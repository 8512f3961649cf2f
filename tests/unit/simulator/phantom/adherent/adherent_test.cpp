// SPDX-License-Identifier: MIT
// Cells on a cover glass: pieces of their masks, their light, and what lies inside them.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/adherent/adherent_cells.hpp"
#include "simulator/phantom/adherent/adherent_organelles.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/phantom/structure_source.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns how many pieces the voxels of `label` make, connected through faces.
int pieces_of(HostView3<const std::uint16_t> labels, std::uint16_t label) {
  const Extent3 size = labels.extent();
  std::vector<bool> seen(static_cast<std::size_t>(volume(size)));
  const auto index = [&](const Index3& v) {
    return static_cast<std::size_t>((v.z * size.y + v.y) * size.x + v.x);
  };
  int pieces = 0;
  std::vector<Index3> open;
  const auto reach = [&](const Index3& v) {
    if (v.z < 0 || v.y < 0 || v.x < 0 || v.z >= size.z || v.y >= size.y || v.x >= size.x) return;
    if (seen[index(v)] || labels(v.z, v.y, v.x) != label) return;
    seen[index(v)] = true;
    open.push_back(v);
  };
  for (std::int64_t z = 0; z < size.z; ++z)
    for (std::int64_t y = 0; y < size.y; ++y)
      for (std::int64_t x = 0; x < size.x; ++x) {
        if (seen[index({z, y, x})] || labels(z, y, x) != label) continue;
        ++pieces;
        reach({z, y, x});
        while (!open.empty()) {
          const Index3 v = open.back();
          open.pop_back();
          for (const int step : {-1, 1}) {
            reach({v.z + step, v.y, v.x});
            reach({v.z, v.y + step, v.x});
            reach({v.z, v.y, v.x + step});
          }
        }
      }
  return pieces;
}

class AdherentCells : public testing::Test {
 protected:
  AdherentCells() {
    spec.nuclei.count = 0;
    spec.nuclei.texture = TextureKind::none;
    AdherentSpec& cells = spec.adherent;
    cells.count = 1;
    cells.radius_um = 12;
    cells.glass_um = 0.7;
    cells.border = BorderRule::inside;
    // Bodies alone: strands have tests of their own
    cells.stress_fibres = cells.edge_fibres = cells.mesh_filaments = cells.mitochondria = 0;
    cells.granules = cells.retraction_fibres = 0;
  }
  Phantom make(std::uint64_t seed = 1) { return make_phantom(spec, grid, seed, run.context); }
  Volume<std::uint16_t> labels_of(const Phantom& phantom) const {
    Volume<std::uint16_t> labels{grid.extent};
    LabelSource{phantom}.read(whole(grid.extent), VoxelView{labels.view()});
    return labels;
  }
  double light_of(const Phantom& phantom, const LightSpec& light = {}) const {
    Volume<float> out{grid.extent};
    PhantomSource{phantom, light}.read(whole(grid.extent), VoxelView{out.view()});
    return std::accumulate(out.voxels.begin(), out.voxels.end(), 0.0);
  }

  test::TestContext run;
  PhantomSpec spec;
  Grid grid{{6, 260, 260}, {0.9, 0.4, 0.4}};
};

TEST_F(AdherentCells, HaveMasksOfOnePieceEach) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Volume<std::uint16_t> labels = labels_of(make(seed));
    EXPECT_EQ(pieces_of(labels.view(), 1), 1) << seed;
  }
}

TEST_F(AdherentCells, HaveMasksOfOnePieceInCoarseVoxels) {
  grid = {{3, 90, 110}, {2.5, 1.3, 1.1}};
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    EXPECT_EQ(pieces_of(labels_of(make(seed)).view(), 1), 1) << seed;
}

TEST_F(AdherentCells, OfAMonolayerHaveMasksOfOnePieceEachThatCoverTheGlass) {
  spec.adherent.arrangement = AdherentArrangement::monolayer;
  spec.adherent.count = 12;
  spec.adherent.gap_um = 0;
  grid = {{6, 120, 140}, {0.9, 0.4, 0.4}};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Phantom phantom = make(seed);
    const Volume<std::uint16_t> labels = labels_of(phantom);
    for (std::uint16_t label = 1; label <= 12; ++label)
      EXPECT_EQ(pieces_of(labels.view(), label), 1) << seed << ' ' << label;
    // The lowest plane above the glass; corners where three cells meet may stay empty
    std::int64_t empty = 0;
    for (std::int64_t y = 0; y < 120; ++y)
      for (std::int64_t x = 0; x < 140; ++x) empty += labels.view()(1, y, x) == 0;
    EXPECT_LT(empty, 120 * 140 / 50) << seed;
  }
}

TEST_F(AdherentCells, FillVoxelsByTheirVolume) {
  spec.adherent.nuclei = false;
  spec.adherent.vacuoles = 0;
  spec.adherent.cytoplasm_contrast = spec.adherent.perinuclear = 0;
  for (const VoxelSize pitch : {VoxelSize{0.9, 0.4, 0.4}, {0.3, 0.11, 0.13}, {5, 1.2, 0.7}}) {
    grid = {
        {static_cast<std::int64_t>(std::ceil(5 / pitch.z_um)) + 1,
         static_cast<std::int64_t>(100 / pitch.y_um), static_cast<std::int64_t>(100 / pitch.x_um)},
        pitch};
    const Phantom phantom = make();
    const double expected =
        phantom.adherent[0].volume_um3() * spec.adherent.cytoplasm_photons_per_um3;
    EXPECT_NEAR(light_of(phantom) / expected, 1, 2e-3) << pitch.y_um;
  }
}

TEST_F(AdherentCells, HaveNoLightBelowTheGlassNorAboveTheirHeight) {
  const Phantom phantom = make();
  const AdherentShape shape = phantom.adherent[0].shape();
  Volume<float> out{grid.extent};
  PhantomSource{phantom}.read(whole(grid.extent), VoxelView{out.view()});
  for (std::int64_t z = 0; z < grid.extent.z; ++z) {
    const double low = static_cast<double>(z) * 0.9 - shape.glass_um;
    if (low + 0.9 > 0 && low < shape.map.peak) continue;
    for (std::int64_t y = 0; y < grid.extent.y; ++y)
      for (std::int64_t x = 0; x < grid.extent.x; ++x)
        ASSERT_EQ(out.view()(z, y, x), 0) << z << ' ' << y << ' ' << x;
  }
}

TEST_F(AdherentCells, CoverTheirNuclei) {
  set_typical(spec.nuclei, NucleiKind::fibroblast);
  spec.nuclei.count = 0;
  spec.adherent.radius_um = 20;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Phantom phantom = make(seed);
    const AdherentCell& cell = phantom.adherent[0];
    ASSERT_TRUE(cell.nucleus().has_value()) << seed;
    const Bounds box = cell.nucleus()->bounds();
    int outside = 0;
    for (int i = 0; i < 24; ++i)
      for (int j = 0; j < 24; ++j)
        for (int k = 0; k < 24; ++k) {
          Vector3 p{};
          const std::array<int, 3> at{i, j, k};
          for (std::size_t axis = 0; axis < 3; ++axis)
            p[axis] = box.low[axis] + (at[axis] + 0.5) / 24 * (box.high[axis] - box.low[axis]);
          outside += cell.nucleus()->contains(p) && !cell.contains(p);
        }
    EXPECT_EQ(outside, 0) << seed;
  }
}

TEST_F(AdherentCells, KeepTheGapBetweenEachOther) {
  spec.adherent.count = 4;
  spec.adherent.radius_um = 8;
  spec.adherent.gap_um = 2;
  spec.nuclei.radius_um = 2;
  const Phantom phantom = make();
  const Volume<std::uint16_t> labels = labels_of(phantom);
  // No voxel of another cell within 1.6 um along rows and columns
  for (std::int64_t y = 0; y < grid.extent.y; ++y)
    for (std::int64_t x = 0; x + 4 < grid.extent.x; ++x) {
      const std::uint16_t a = labels.view()(1, y, x);
      for (std::int64_t step = 1; step <= 4; ++step) {
        const std::uint16_t b = labels.view()(1, y, x + step);
        ASSERT_TRUE(a == 0 || b == 0 || a == b) << y << ' ' << x;
      }
    }
}

TEST_F(AdherentCells, HoldTheirOrganelles) {
  spec.adherent = {.count = 1, .border = BorderRule::inside, .glass_um = 0.7};
  spec.adherent.radius_um = 14;
  spec.adherent.stress_fibres = 60;
  spec.adherent.mesh_filaments = 60;
  spec.adherent.mitochondria = 30;
  const Phantom phantom = make(4);
  const AdherentCell& cell = phantom.adherent[0];
  std::set<Structure> found;
  const auto strands = cell.strands();
  std::int64_t pieces = 0;
  for (const StainedStrand& stained : strands) {
    found.insert(stained.structure);
    pieces += std::ssize(stained.strand.segments());
    EXPECT_FALSE(stained.is_labelled);
    if (stained.structure == Structure::filopodium) continue;
    std::int64_t outside = 0;
    for (const Segment& segment : stained.strand.segments())
      outside += !cell.contains(segment.from);
    EXPECT_LE(outside, std::ssize(stained.strand.segments()) / 50)
        << static_cast<int>(stained.structure);
  }
  EXPECT_EQ(found, (std::set{Structure::filopodium, Structure::actin, Structure::mitochondrion,
                             Structure::vesicle}));
  const StrandCount most = strands_of_cell(spec.adherent);
  EXPECT_LE(std::ssize(strands), most.strands);
  EXPECT_LE(pieces, most.pieces);
}

TEST_F(AdherentCells, GiveTheLightOfAllTheirFibres) {
  AdherentSpec& cells = spec.adherent;
  cells.nuclei = false;
  cells.cytoplasm_photons_per_um3 = 0;
  cells.stress_fibres = 400;  // far more than find a voxel of their own
  cells.mesh_filaments = 300;
  const Phantom phantom = make(3);
  double expected = 0;
  for (const StainedStrand& stained : phantom.adherent[0].strands()) {
    ASSERT_EQ(stained.structure, Structure::actin);
    EXPECT_EQ(stained.lines_below, 1.5);
    for (const Segment& s : stained.strand.segments()) {
      const double r = s.from_radius_um, w = s.to_radius_um - r;
      expected +=
          stained.photons_per_um3 * 3.14159265358979 * s.length_um() * (r * r + r * w + w * w / 3);
    }
  }
  EXPECT_NEAR(light_of(phantom) / expected, 1, 0.02);  // and half balls at their ends
}

TEST_F(AdherentCells, HaveSmoothEdgeFibresAlongConcaveEdges) {
  spec.adherent.edge_fibres = 1;
  double along = 0, turned = 0;
  std::vector<StainedStrand> strands;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Phantom phantom = make(seed);
    const auto its = phantom.adherent[0].strands();
    strands.insert(strands.end(), its.begin(), its.end());
  }
  for (const StainedStrand& stained : strands)
    for (const Segment& segment : stained.strand.segments()) {
      if (segment.before < 0 || segment.from_radius_um < 0.1) continue;
      const Segment& last = stained.strand.segments()[static_cast<std::size_t>(segment.before)];
      const Vector3 a = last.to - last.from, b = segment.to - segment.from;
      const double cosine = dot(a, b) / (last.length_um() * segment.length_um());
      along += segment.length_um();
      turned += std::acos(std::min(1.0, cosine));
    }
  EXPECT_GT(along, 100);
  EXPECT_LT(turned / along, 0.13);  // radians per um; twice as much along the rough border
}

TEST_F(AdherentCells, ShowRetractionFibresInTheMaskOfStructuresAlone) {
  spec.adherent.retraction_fibres = 20;
  grid = {{4, 300, 300}, {0.9, 0.3, 0.3}};
  const Phantom phantom = make(2);
  const Volume<std::uint16_t> labels = labels_of(phantom);
  Volume<std::uint8_t> structures{grid.extent};
  StructureSource{phantom}.read(whole(grid.extent), VoxelView{structures.view()});
  std::int64_t beside = 0;
  for (std::size_t i = 0; i < labels.voxels.size(); ++i) {
    if (labels.voxels[i] != 0) {
      ASSERT_NE(structures.voxels[i], 0) << i;
    } else if (structures.voxels[i] != 0) {
      ASSERT_EQ(structures.voxels[i], static_cast<std::uint8_t>(Structure::filopodium));
      ++beside;
    }
  }
  EXPECT_GT(beside, 20);
}

TEST_F(AdherentCells, AreDrawnAgainIfTheGridHasNoRoomForThem) {
  int again = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    grid = {{6, 500, 500}, {0.9, 0.4, 0.4}};  // has room for each
    const double area = make(seed).adherent[0].area_um2();
    grid = {{6, 75, 100}, {0.9, 0.4, 0.4}};
    const AdherentCell cell = make(seed).adherent[0];
    const Bounds box = cell.core_bounds();
    EXPECT_GE(box.low[1], -kLatticeUm) << seed;
    EXPECT_GE(box.low[2], -kLatticeUm) << seed;
    EXPECT_LE(box.high[1], 30 + kLatticeUm) << seed;
    EXPECT_LE(box.high[2], 40 + kLatticeUm) << seed;
    // An outline that has room stays as it is, whatever the grid
    again += cell.area_um2() != area;
  }
  EXPECT_GT(again, 0);
  EXPECT_LT(again, 6);
}

TEST_F(AdherentCells, AreRefusedWhereTheyFindNoPlace) {
  spec.adherent.count = 60;
  test::expect_failure<InvalidSpec>([&] { make(); }, {"only", "of 60 found a place"});
}

struct WrongKey {
  const char* key;
  void (*set)(AdherentSpec&);
};
const WrongKey kWrong[] = {
    {"adherent.radius_um", [](AdherentSpec& s) { s.radius_um = 0.9; }},
    {"adherent.radius_spread", [](AdherentSpec& s) { s.radius_spread = 0.26; }},
    {"adherent.elongation", [](AdherentSpec& s) { s.elongation = 0.9; }},
    {"adherent.fewest_adhesions", [](AdherentSpec& s) { s.fewest_adhesions = 2; }},
    {"adherent.most_adhesions", [](AdherentSpec& s) { s.most_adhesions = 17; }},
    {"adherent.fewest_adhesions", [](AdherentSpec& s) { s.fewest_adhesions = 9; }},
    {"adherent.protrusions", [](AdherentSpec& s) { s.protrusions = 8.1; }},
    {"adherent.scallops", [](AdherentSpec& s) { s.scallops = -0.1; }},
    {"adherent.lamella_um", [](AdherentSpec& s) { s.lamella_um = 0; }},
    {"adherent.bumpiness", [](AdherentSpec& s) { s.bumpiness = 1; }},
    {"adherent.glass_um", [](AdherentSpec& s) { s.glass_um = 5.4; }},
    {"adherent.glass_um", [](AdherentSpec& s) { s.glass_um = -0.1; }},
    {"adherent.vacuoles", [](AdherentSpec& s) { s.vacuoles = 101; }},
    {"adherent.fibre_radius_um", [](AdherentSpec& s) { s.fibre_radius_um = 0; }},
    {"adherent.stress_fibres", [](AdherentSpec& s) { s.stress_fibres = 20001; }},
    {"adherent.stress_fibres", [](AdherentSpec& s) { s.stress_fibres = -1; }},
    {"adherent.mitochondria_matrix", [](AdherentSpec& s) { s.mitochondria_matrix = 1.1; }},
    {"adherent.mitochondria_side", [](AdherentSpec& s) { s.mitochondria_side = 0.91; }},
    {"adherent.mitochondria_side", [](AdherentSpec& s) { s.mitochondria_side = -0.01; }},
    {"adherent.mitochondria_together", [](AdherentSpec& s) { s.mitochondria_together = 1.01; }},
    {"adherent.mitochondria_together", [](AdherentSpec& s) { s.mitochondria_together = -0.01; }},
    {"adherent.organelle_layer_um", [](AdherentSpec& s) { s.organelle_layer_um = -0.01; }},
    {"adherent.density_per_mm2", [](AdherentSpec& s) { s.density_per_mm2 = 5; }},
};

TEST_F(AdherentCells, OfKeysOutOfRangeAreRefused) {
  for (const WrongKey& wrong : kWrong) {
    PhantomSpec other = spec;
    wrong.set(other.adherent);
    test::expect_failure<InvalidSpec>([&] { require_valid(other, grid); }, {wrong.key});
  }
  // The ends of ranges
  spec.adherent.radius_spread = 0.25;
  spec.adherent.elongation = 1;
  spec.adherent.scallops = 1;
  spec.adherent.fewest_adhesions = 3;
  spec.adherent.most_adhesions = 16;
  spec.adherent.vacuoles = 100;
  spec.adherent.stress_fibres = 20000;
  spec.adherent.mitochondria_side = 0.9;
  spec.adherent.mitochondria_together = 1;
  spec.adherent.organelle_layer_um = 0;
  EXPECT_NO_THROW(require_valid(spec, grid));
}

TEST_F(AdherentCells, AreCountedByTheAreaOfTheGlass) {
  spec.adherent.count.reset();
  spec.adherent.density_per_mm2 = 1000;  // of 0.104 mm x 0.104 mm
  EXPECT_EQ(number_of(spec.adherent, grid), 11);
  spec.adherent.density_per_mm2.reset();
  EXPECT_EQ(number_of(spec.adherent, grid), 0);
}

TEST(Outlines, HaveArcsOfTheRadiusOfTensionAndElasticity) {
  // R^3 = l d^2 / 24, by hand
  EXPECT_NEAR(arc_radius_um(12, 1000.0 / 6), 10, 1e-9);
  EXPECT_NEAR(arc_radius_um(30, 1e-3), 0.55 * 30, 1e-9);
}

}  // namespace
}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "simulator/phantom/cells/cell.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/phantom_case.hpp"

namespace synthoscope::simulator {
namespace {

const Grid kGrid{{60, 150, 170}, {0.25, 0.15, 0.15}};

CellsSpec dark(CellsSpec s) {
  s.membrane_photons_per_um3 = s.cytoplasm_photons_per_um3 = s.nucleus_photons_per_um3 = 0;
  s.mitochondria_photons_per_um3 = s.vesicle_photons_per_um3 = s.filopodium_photons_per_um3 = 0;
  s.microtubule_photons_per_um = s.actin_photons_per_um = s.spot_photons = 0;
  return s;
}

CellsSpec one_cell() {
  CellsSpec s = dark(test::furnished(1));
  s.radius_um = 4.5;
  s.nucleus_radius_um = 2;
  s.border = BorderRule::inside;
  s.cytoplasm_contrast = s.nucleus_contrast = 0;
  s.nucleoli = 0;
  return s;
}

bool is_within(const Bounds& bounds, const Grid& grid) {
  const Vector3 size = size_um(grid);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (bounds.low[axis] < 0 || bounds.high[axis] > size[axis]) return false;
  return true;
}

/// The first whose filopodia lie in the grid, too.
Phantom phantom_of(const CellsSpec& cells) {
  PhantomSpec spec;
  spec.nuclei.count = 0;
  spec.cells = cells;
  const synthoscope::test::TestContext test;
  for (std::uint64_t seed = 3;; ++seed) {
    Phantom phantom = make_phantom(spec, kGrid, seed, test.context);
    if (is_within(phantom.cells.front().bounds(), kGrid)) return phantom;
  }
}

double photons_of(const Phantom& phantom) {
  Volume<float> light{phantom.grid.extent};
  PhantomSource{phantom}.read(whole(phantom.grid.extent), light.view());
  return std::accumulate(light.voxels.begin(), light.voxels.end(), 0.0);
}

double length_of(const Strand& strand) {
  double sum = 0;
  for (const Segment& segment : strand.segments()) sum += segment.length_um();
  return sum;
}

struct LightCase {
  const char* name;
  void (*stain)(CellsSpec&);
  /// Light by geometry alone.
  double (*expected)(const Cell&);
  double tolerance;
};
std::ostream& operator<<(std::ostream& out, const LightCase& c) {
  return out << c.name;
}

const Strand& strand_of(const Cell& cell, Structure structure) {
  for (const StainedStrand& stained : cell.strands())
    if (stained.structure == structure) return stained.strand;
  throw std::logic_error("the cell has none");
}

/// Of a layer under the surface, up to a factor: by rays from the middle.
double shell_um3(const Cell& cell, double layer_um) {
  const Lobe& lobe = cell.surface().lobes().front();
  double sum = 0;
  for (const auto& u : sphere_cover()) {
    // The ray leaves the layer where its depth is that of the layer
    const Vector3 outer = lobe.surface_point(u);
    double low = 0, high = 1;
    for (int i = 0; i < 40; ++i) {
      const double middle = (low + high) / 2;
      (lobe.depth(middle * outer).um > layer_um ? low : high) = middle;
    }
    const Vector3& axes = lobe.form().semi_axes_um;
    const double r = std::sqrt(dot(lobe.to_sphere(outer), lobe.to_sphere(outer)));
    // Directions stand on the squares of a cube
    const double edge = std::max({std::abs(u[0]), std::abs(u[1]), std::abs(u[2])});
    sum += edge * edge * edge * axes[0] * axes[1] * axes[2] * r * r * r * (1 - low * low * low);
  }
  return sum;
}

const LightCase kLights[] = {
    {"cytoplasm_without_membrane_and_nucleus",
     [](CellsSpec& s) {
       s.cytoplasm_photons_per_um3 = 1000;
       s.nucleus_photons_per_um3 = 1000;
       s.membrane_photons_per_um3 = 1000;
     },
     [](const Cell& cell) { return 1000 * cell.surface().volume_um3(); }, 2e-3},
    {"nucleus", [](CellsSpec& s) { s.nucleus_photons_per_um3 = 1000; },
     [](const Cell& cell) { return 1000 * cell.nucleus()->volume_um3(); }, 3e-3},
    {"microtubules", [](CellsSpec& s) { s.microtubule_photons_per_um = 100; },
     [](const Cell& cell) { return 100 * length_of(strand_of(cell, Structure::microtubule)); },
     2e-2},  // half balls at 24 ends of 12 nm
    {"mitochondria", [](CellsSpec& s) { s.mitochondria_photons_per_um3 = 100; },
     [](const Cell& cell) {
       return 100 * strand_of(cell, Structure::mitochondrion).moments().volume_um3;
     },
     2e-2},  // tubes may lie in each other
    {"filopodia", [](CellsSpec& s) { s.filopodium_photons_per_um3 = 100; },
     [](const Cell& cell) {
       return 100 * strand_of(cell, Structure::filopodium).moments().volume_um3;
     },
     5e-3},
    {"vesicles", [](CellsSpec& s) { s.vesicle_photons_per_um3 = 100; },
     [](const Cell& cell) {
       return 100 * strand_of(cell, Structure::vesicle).moments().volume_um3;
     },
     2e-2},  // balls may lie in each other
    {"spots", [](CellsSpec& s) { s.spot_photons = 500; }, [](const Cell&) { return 8 * 500.0; },
     1e-3},
};

class CellLight : public testing::TestWithParam<LightCase> {};

TEST_P(CellLight, IsThatOfItsGeometry) {
  const auto& c = GetParam();
  CellsSpec spec = one_cell();
  c.stain(spec);
  const Phantom phantom = phantom_of(spec);
  EXPECT_NEAR(photons_of(phantom) / c.expected(phantom.cells.front()), 1, c.tolerance);
}

INSTANTIATE_TEST_SUITE_P(Structures, CellLight, testing::ValuesIn(kLights),
                         synthoscope::test::kCaseName);

TEST(CellLightOf, AMembraneIsThatOfItsLayerHoweverThin) {
  for (const double layer : {0.5, 0.1, 0.02}) {
    CellsSpec spec = one_cell();
    spec.membrane_um = layer;
    spec.membrane_photons_per_um3 = 1000;
    const Phantom phantom = phantom_of(spec);
    const Cell& cell = phantom.cells.front();
    // Weights by the whole, whose volume is known
    const double share = shell_um3(cell, layer) / shell_um3(cell, 1e9);
    EXPECT_NEAR(photons_of(phantom) / (1000 * share * cell.surface().volume_um3()), 1, 2e-2)
        << layer;
  }
}

TEST(Cell, HasANucleusWhollyInside) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CellsSpec spec = one_cell();
    const Cell cell{spec, Cell::draw_surface(spec, seed, 0), seed, 0};
    ASSERT_NE(cell.nucleus(), nullptr);
    const Nucleus& nucleus = *cell.nucleus();
    for (const auto& u : separating_directions())
      EXPECT_TRUE(cell.core_contains(nucleus.centre() + nucleus.lobes().front().surface_point(u)));
  }
}

TEST(Cell, IsTheSameWhereverItLies) {
  const CellsSpec spec = test::furnished(1);
  Nucleus surface = Cell::draw_surface(spec, 5, 2);
  const Cell here{spec, surface, 5, 2};
  surface.move_to({3, -4, 5});
  const Cell there{spec, surface, 5, 2};
  ASSERT_EQ(here.strands().size(), there.strands().size());
  for (std::size_t i = 0; i < here.strands().size(); ++i) {
    const auto &a = here.strands()[i].strand.segments(), &b = there.strands()[i].strand.segments();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t j = 0; j < a.size(); ++j)
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(b[j].to[axis] - a[j].to[axis], (Vector3{3, -4, 5})[axis], 1e-12);
  }
  EXPECT_NEAR(here.volume_um3(), there.volume_um3(), 1e-9);
}

TEST(Cell, LabelsItsFilopodiaToo) {
  CellsSpec spec = one_cell();
  spec.filopodium_radius_um = 0.3;
  const Phantom phantom = phantom_of(spec);
  const Cell& cell = phantom.cells.front();
  Volume<std::uint16_t> labels{kGrid.extent};
  LabelSource{phantom}.read(whole(kGrid.extent), labels.view());
  std::int64_t outside = 0, counted = 0;
  for (std::int64_t z = 0; z < kGrid.extent.z; ++z)
    for (std::int64_t y = 0; y < kGrid.extent.y; ++y)
      for (std::int64_t x = 0; x < kGrid.extent.x; ++x) {
        const Vector3 centre = vector_of(centre_of(kGrid, {z, y, x}));
        const bool labelled = labels.view()(z, y, x) == 1;
        ASSERT_EQ(labelled, cell.contains(centre));
        counted += labelled;
        outside += labelled && !cell.core_contains(centre);
      }
  EXPECT_GT(outside, 100);
  EXPECT_NEAR(static_cast<double>(counted) * 0.25 * 0.15 * 0.15 / cell.volume_um3(), 1, 1e-2);
}

TEST(Cell, HasTheLabelOfTheVoxelAroundEachOfItsSpots) {
  PhantomSpec spec;
  spec.nuclei.count = 0;
  spec.cells = dark(test::furnished(3));
  spec.cells.border = BorderRule::inside;
  spec.cells.orientation = Orientation::random;
  spec.cells.spots = 400;
  spec.cells.spots_in = SpotPlace::cytoplasm;
  const synthoscope::test::TestContext test;
  const Grid coarse{{30, 60, 70}, {0.5, 0.4, 0.35}};
  const Phantom phantom = make_phantom(spec, coarse, 4, test.context);
  Volume<std::uint16_t> labels{coarse.extent};
  LabelSource{phantom}.read(whole(coarse.extent), labels.view());
  std::size_t spots = 0;
  for_each_object(phantom, [&]<class T>(std::int64_t id, const T& body) {
    if constexpr (std::is_same_v<T, Cell>)
      for (const StainedStrand& stained : body.strands()) {
        if (stained.structure != Structure::spot) continue;
        const Vector3& p = stained.strand.segments().front().from;
        ASSERT_EQ(labels.view()(static_cast<std::int64_t>(p[0] / 0.5),
                                static_cast<std::int64_t>(p[1] / 0.4),
                                static_cast<std::int64_t>(p[2] / 0.35)),
                  id);
        ++spots;
      }
  });
  EXPECT_EQ(spots, 1200U);
}

TEST(Cell, DrawsItsFilopodiaInBeforeItsNeighbours) {
  PhantomSpec spec;
  spec.nuclei.count = 3;
  spec.nuclei.radius_um = 2;
  spec.cells = dark(test::furnished(6));
  spec.cells.border = BorderRule::inside;
  spec.cells.radius_um = 2.8;
  spec.cells.nucleus_radius_um = 1;
  spec.cells.filopodia = 40;
  spec.cells.filopodium_length_um = 4;
  const synthoscope::test::TestContext test;
  const Phantom phantom = make_phantom(spec, kGrid, 4, test.context);
  const auto pieces_of = [](const Cell& cell) {
    return strand_of(cell, Structure::filopodium).segments();
  };
  std::size_t kept = 0, drawn = 0;
  for (const Cell& cell : phantom.cells) {
    kept += pieces_of(cell).size();
    drawn += 40 * 10;
    for (const Segment& piece : pieces_of(cell))
      for (int i = 0; i <= 20; ++i) {
        const Vector3 p = piece.from + (i / 20.0) * (piece.to - piece.from);
        for (const Vector3& aside : separating_directions()) {
          const Vector3 there = p + piece.from_radius_um * aside;
          for (const Cell& other : phantom.cells)
            ASSERT_FALSE(&other != &cell && other.core_contains(there));
          for (const Nucleus& nucleus : phantom.nuclei) ASSERT_FALSE(nucleus.contains(there));
        }
      }
  }
  EXPECT_LT(kept, drawn) << "none was in the way";
  EXPECT_GT(kept, drawn / 2);
}

TEST(Cell, KeepsItsFormAndFurnitureInAPose) {
  const CellsSpec spec = test::furnished(1);
  const Cell drawn{spec, Cell::draw_surface(spec, 5, 2), 5, 2};
  const Pose as_drawn{{1, 2, 3}, drawn.surface().own_axes(), 1, 1};
  Cell moved = drawn;
  moved.move_by({1, 2, 3});
  const Cell there = drawn.posed(as_drawn);
  EXPECT_EQ(there.surface().centre(), moved.surface().centre());
  EXPECT_EQ(there.nucleus()->centre(), moved.nucleus()->centre());
  for (std::size_t i = 0; i < drawn.strands().size(); ++i)
    EXPECT_EQ(there.strands()[i].strand.segments().back().to,
              moved.strands()[i].strand.segments().back().to);

  Pose turned = as_drawn;
  turned.turn = transposed(drawn.surface().own_axes());
  turned.scale = 1.2;
  turned.stretch = 1.4;
  const Cell grown = drawn.posed(turned);
  EXPECT_NEAR(grown.surface().volume_um3() / drawn.surface().volume_um3(), 1.728, 1e-9);
  EXPECT_NEAR(grown.nucleus()->volume_um3() / drawn.nucleus()->volume_um3(), 1.728, 1e-9);
  ASSERT_EQ(grown.strands().size(), drawn.strands().size());
  for (std::size_t i = 0; i < drawn.strands().size(); ++i) {
    const Segment &before = drawn.strands()[i].strand.segments().back(),
                  &after = grown.strands()[i].strand.segments().back();
    EXPECT_EQ(after.to_radius_um, before.to_radius_um);
    // The same point of the ellipsoid's unit sphere
    const Vector3 p = drawn.surface().lobes().front().to_sphere(before.to);
    const Vector3 q =
        grown.surface().lobes().front().to_sphere(after.to - grown.surface().centre());
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(p[axis], q[axis], 1e-12);
  }
}

TEST(Cell, LeavesNucleiAndOtherCellsAlone) {
  PhantomSpec spec;
  spec.nuclei.count = 3;
  spec.nuclei.radius_um = 2;
  spec.cells = dark(test::furnished(3));
  spec.cells.border = BorderRule::inside;
  const synthoscope::test::TestContext test;
  const Phantom phantom = make_phantom(spec, kGrid, 4, test.context);
  for (std::int64_t z = 0; z < kGrid.extent.z; z += 2)
    for (std::int64_t y = 0; y < kGrid.extent.y; ++y)
      for (std::int64_t x = 0; x < kGrid.extent.x; ++x) {
        const Vector3 centre = vector_of(centre_of(kGrid, {z, y, x}));
        int held = 0;
        for (const Nucleus& nucleus : phantom.nuclei) held += nucleus.contains(centre);
        for (const Cell& cell : phantom.cells) held += cell.core_contains(centre);
        ASSERT_LE(held, 1);
      }
}

}  // namespace
}  // namespace synthoscope::simulator

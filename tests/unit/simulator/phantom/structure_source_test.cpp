// SPDX-License-Identifier: MIT
#include "simulator/phantom/structure_source.hpp"
#include <gtest/gtest.h>
#include <array>
#include "core/stream/memory_stream.hpp"
#include "tests/support/phantom_case.hpp"

namespace synthoscope::simulator {
namespace {

const Grid kGrid{{40, 80, 90}, {0.3, 0.15, 0.15}};

Phantom some_cells() {
  PhantomSpec spec;
  spec.nuclei.count = 1;
  spec.nuclei.radius_um = 1;
  spec.nuclei.nucleoli = 1;
  spec.cells = test::furnished(2);
  spec.cells.filopodium_radius_um = 0.2;
  spec.beads.count = 3;
  spec.beads.diameter_um = 1;
  spec.beads.gap_um = 0;
  const synthoscope::test::TestContext test;
  return make_phantom(spec, kGrid, 6, test.context);
}

template <class T>
Volume<T> rendered(Source& source, const Box3& box) {
  Volume<T> out{box.size};
  source.read(box, VoxelView{out.view()});
  return out;
}

TEST(StructureSource, NamesTheMostSpecificStructureOfTheObjectThatHasTheVoxel) {
  const Phantom phantom = some_cells();
  StructureSource source{phantom};
  LabelSource label_source{phantom};
  const auto structures = rendered<std::uint8_t>(source, whole(kGrid.extent));
  const auto labels = rendered<std::uint16_t>(label_source, whole(kGrid.extent));
  std::array<std::int64_t, 12> found{};
  const Vector3 pitch = vector_of(kGrid.pitch);
  for (std::int64_t z = 0; z < kGrid.extent.z; ++z)
    for (std::int64_t y = 0; y < kGrid.extent.y; ++y)
      for (std::int64_t x = 0; x < kGrid.extent.x; ++x) {
        const Vector3 centre = vector_of(centre_of(kGrid, {z, y, x}));
        const std::uint16_t label = labels.view()(z, y, x);
        auto expected = Structure::none;
        const auto take = [&](Structure s) { expected = std::max(expected, s); };
        if (label == 1)
          take(phantom.nuclei[0].shape().nucleolus_distance(centre) <= 1 ? Structure::nucleolus
                                                                         : Structure::nucleus);
        if (label > 3) take(Structure::other);
        if (label == 2 || label == 3) {
          const Cell& cell = phantom.cells[label - 2U];
          take(cell.core_structure(centre, phantom.spec.cells.membrane_um));
          for (const StainedStrand& stained : cell.strands()) {
            std::vector<StrandPiece> pieces;
            stained.strand.add_pieces_to(pieces, pitch, 0);
            for (const StrandPiece& piece : pieces)
              if (piece.is_thin ? strand::thin_share(piece, centre, pitch) > 0
                                : contains(piece, centre))
                take(stained.structure);
          }
        }
        ASSERT_EQ(structures.view()(z, y, x), static_cast<std::uint8_t>(expected))
            << z << ' ' << y << ' ' << x;
        ++found[static_cast<std::size_t>(expected)];
      }
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_GT(found[i], 0) << "structure " << i;
}

TEST(StructureSource, NamesThoseOfATissue) {
  PhantomSpec spec;
  spec.nuclei.count = 0;
  spec.nuclei.nucleoli = 1;
  spec.tissue.count = 6;
  spec.tissue.membrane_um = 0.4;
  const synthoscope::test::TestContext test;
  const Phantom phantom = make_phantom(spec, kGrid, 6, test.context);
  ASSERT_TRUE(has_structures(spec, kGrid));
  StructureSource source{phantom};
  const auto structures = rendered<std::uint8_t>(source, whole(kGrid.extent));
  std::array<std::int64_t, 12> found{};
  for (std::int64_t z = 0; z < kGrid.extent.z; ++z)
    for (std::int64_t y = 0; y < kGrid.extent.y; ++y)
      for (std::int64_t x = 0; x < kGrid.extent.x; ++x) {
        const Vector3 centre = vector_of(centre_of(kGrid, {z, y, x}));
        auto expected = Structure::none;  // in the gaps
        for (const TissueCell& cell : phantom.tissue) {
          double depth = 1e9;
          for (const HalfSpace& side : cell.sides()) depth = std::min(depth, side.depth(centre));
          if (depth < 0) continue;
          expected = depth < 0.4 ? Structure::membrane : Structure::cytoplasm;
          if (cell.nucleus && cell.nucleus->contains(centre))
            expected = cell.nucleus->shape().nucleolus_distance(centre) <= 1 ? Structure::nucleolus
                                                                             : Structure::nucleus;
        }
        ASSERT_EQ(structures.view()(z, y, x), static_cast<std::uint8_t>(expected))
            << z << ' ' << y << ' ' << x;
        ++found[static_cast<std::size_t>(expected)];
      }
  for (const Structure one : {Structure::none, Structure::membrane, Structure::cytoplasm,
                              Structure::nucleus, Structure::nucleolus})
    EXPECT_GT(found[static_cast<std::size_t>(one)], 0);
}

TEST(StructureSource, GivesTheSameVoxelsOfAPart) {
  const Phantom phantom = some_cells();
  StructureSource source{phantom};
  const auto all = rendered<std::uint8_t>(source, whole(kGrid.extent));
  const Box3 box{{11, 20, 13}, {9, 31, 40}};
  const auto part = rendered<std::uint8_t>(source, box);
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (std::int64_t x = 0; x < box.size.x; ++x)
        ASSERT_EQ(part.view()(z, y, x), all.view()(11 + z, 20 + y, 13 + x));
}

}  // namespace
}  // namespace synthoscope::simulator

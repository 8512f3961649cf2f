// SPDX-License-Identifier: MIT
#include "simulator/phantom/cells/organelles.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <set>
#include "core/base/error.hpp"
#include "simulator/phantom/cells/cell.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/phantom_case.hpp"

namespace synthoscope::simulator {
namespace {

CellsSpec many() {
  CellsSpec s;
  s.count = 1;
  s.mitochondria = 30;
  s.microtubules = 40;
  s.actin_fibres = 21;
  s.vesicles = 50;
  s.spots = 40;
  s.filopodia = 12;
  return s;
}

/// Cells 0 to 3.
std::vector<Cell> cells_of(const CellsSpec& spec) {
  std::vector<Cell> cells;
  for (std::int64_t number = 0; number < 4; ++number)
    cells.emplace_back(spec, Cell::draw_surface(spec, 9, number), 9, number);
  return cells;
}

TEST(Organelles, LieInTheCytoplasm) {
  for (const Cell& cell : cells_of(many()))
    for (const StainedStrand& stained : cell.strands()) {
      if (stained.structure == Structure::filopodium) continue;
      for (const Segment& segment : stained.strand.segments()) {
        EXPECT_TRUE(cell.core_contains(segment.to)) << static_cast<int>(stained.structure);
        EXPECT_FALSE(cell.nucleus()->contains(segment.to)) << static_cast<int>(stained.structure);
      }
    }
}

TEST(Organelles, LieBelowTheMembraneHoweverThickItIs) {
  CellsSpec spec = many();
  spec.membrane_um = 0.6;
  spec.nucleus_radius_um = 3;
  for (const Cell& cell : cells_of(spec))
    for (const StainedStrand& stained : cell.strands()) {
      if (stained.structure == Structure::filopodium) continue;
      for (const Segment& segment : stained.strand.segments())
        for (const Vector3& u : separating_directions())  // how deep they lie is known in part
          EXPECT_NE(cell.core_structure(segment.to + (0.9 * segment.to_radius_um) * u, 0.57),
                    Structure::membrane)
              << static_cast<int>(stained.structure);
    }
}

TEST(Organelles, PointEveryWayAlike) {
  constexpr int kDraws = 100000;
  const Draws draws = organelle_draws(5, 0, Structure::microtubule, 0);
  // Harmonics of four around each axis
  Vector3 fours{};
  for (int i = 0; i < kDraws; ++i) {
    const Vector3 u = random_direction(RandomStream{5, RandomStage::organelles}.block(
        draws.number + static_cast<std::uint64_t>(i), 0));
    ASSERT_NEAR(dot(u, u), 1, 1e-14);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double a = u[(axis + 1) % 3], b = u[(axis + 2) % 3];
      fours[axis] += (a * a * a * a - 6 * a * a * b * b + b * b * b * b) / kDraws;
    }
  }
  // Their mean square over the sphere is 64 / 315
  for (const double four : fours) EXPECT_NEAR(four, 0, 4 * std::sqrt(64.0 / 315 / kDraws));
}

TEST(Organelles, ThatFindNoPlaceAreTold) {
  CellsSpec spec = many();
  EXPECT_TRUE(missing_organelles(spec, cells_of(spec)).empty());
  spec.vesicle_radius_um = 3.3;
  const auto sentences = missing_organelles(spec, cells_of(spec));
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_NE(sentences[0].find("of 200 were placed; a smaller cells.vesicle_radius_um"),
            std::string::npos)
      << sentences[0];
}

TEST(Organelles, ThatCannotLieAnywhereAreRefused) {
  CellsSpec spec = many();
  spec.vesicle_radius_um = 5;
  synthoscope::test::expect_failure<InvalidSpec>([&] { require_valid(spec); },
                                                 {"cells.vesicle_radius_um is 5", "at most 3."});
  spec = many();
  spec.spots_in = SpotPlace::nucleus;
  spec.spot_radius_um = 5;
  synthoscope::test::expect_failure<InvalidSpec>([&] { require_valid(spec); },
                                                 {"cells.spot_radius_um is 5"});
  spec.nucleus_radius_um = 0;
  synthoscope::test::expect_failure<InvalidSpec>(
      [&] { require_valid(spec); },
      {"cells.spots_in is \"nucleus\"", "cells.nucleus_radius_um is 0"});
}

TEST(Organelles, OfSpotsLieWhereTheyAreAskedFor) {
  for (const auto& [place, name] : kSpotPlaceNames) {
    CellsSpec spec = many();
    spec.spots_in = place;
    int inside = 0, all = 0;
    for (const Cell& cell : cells_of(spec))
      for (const StainedStrand& stained : cell.strands())
        if (stained.structure == Structure::spot) {
          inside += cell.nucleus()->contains(stained.strand.segments().front().from);
          ++all;
        }
    EXPECT_EQ(all, 4 * 40) << name;
    if (place == SpotPlace::nucleus) {
      EXPECT_EQ(inside, all);
    } else if (place == SpotPlace::cytoplasm) {
      EXPECT_EQ(inside, 0);
    } else {
      EXPECT_GT(inside, 0);
      EXPECT_LT(inside, all);
    }
  }
}

TEST(Organelles, AreNoMoreThanIsCountedBeforeTheyAreDrawn) {
  for (const double spread : {0.0, 0.25}) {
    CellsSpec spec = many();
    spec.radius_spread = spread;
    spec.nucleus_radius_um = 2;
    const StrandCount most = strands_of_cell(spec);
    for (const Cell& cell : cells_of(spec)) {
      std::int64_t pieces = 0;
      for (const StainedStrand& stained : cell.strands())
        pieces += std::ssize(stained.strand.segments());
      EXPECT_LE(pieces, most.pieces);
      EXPECT_GE(8 * pieces, most.pieces) << "more than there are by far";
      EXPECT_LE(std::ssize(cell.strands()), most.strands);
    }
  }
}

TEST(Organelles, OfOneKindDoNotDependOnOthers) {
  CellsSpec more = many();
  more.mitochondria = 3;
  more.actin_fibres = 0;
  const auto here = cells_of(many()), there = cells_of(more);
  const auto microtubules = [](const Cell& cell) -> const std::vector<Segment>& {
    const auto found =
        std::find_if(cell.strands().begin(), cell.strands().end(),
                     [](const StainedStrand& s) { return s.structure == Structure::microtubule; });
    return found->strand.segments();
  };
  for (std::size_t i = 0; i < here.size(); ++i)
    EXPECT_EQ(microtubules(here[i]).back().to, microtubules(there[i]).back().to);
}

/// Mean cosine between directions so far apart along the chains of a strand.
double correlation(const Strand& strand, std::int64_t apart) {
  const auto& segments = strand.segments();
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i + apart < std::ssize(segments); ++i) {
    bool in_chain = true;
    for (std::int64_t j = i; j < i + apart; ++j)
      in_chain = in_chain && segments[static_cast<std::size_t>(j + 1)].before == j;
    if (!in_chain) continue;
    const Segment &a = segments[static_cast<std::size_t>(i)],
                  &b = segments[static_cast<std::size_t>(i + apart)];
    sum += dot(a.to - a.from, b.to - b.from) / (a.length_um() * b.length_um());
    ++count;
  }
  return sum / static_cast<double>(count);
}

TEST(Walk, ForgetsItsDirectionOverThePersistenceLength) {
  // In a cell so large that no wall is met
  CellsSpec spec;
  spec.radius_um = 400;
  spec.axis_ratios = {1, 1, 1};
  spec.nucleus_radius_um = 0;
  const CellInterior room{Cell::draw_surface(spec, 1, 0).lobes().front(), std::nullopt};
  Strand strand;
  for (std::int64_t i = 0; i < 1500; ++i) {
    const Draws draws = organelle_draws(5, 0, Structure::microtubule, i);
    const auto points =
        walked(room, draws, kWayDraw, {}, random_direction(draws.block(0)), 60, {0.25, 5, 0});
    strand.add_chain(points, std::vector<double>(points.size(), 0.01));
  }
  for (const std::int64_t apart : {4, 12, 20})
    EXPECT_NEAR(correlation(strand, apart), std::exp(-0.25 * static_cast<double>(apart) / 5), 0.03)
        << apart;
}

struct GoldenStrand {
  Structure structure;
  std::size_t pieces;
  Vector3 end;
};
// Computed by this program, version 0.1.0: that they stay is a promise
constexpr GoldenStrand kGolden[] = {
    {Structure::filopodium, 120, {1.2138941845682263, -5.876516363832736, -14.086550359190992}},
    {Structure::actin, 597, {1.0649090699446075, 6.9677714429973729, 7.5317791911942287}},
    {Structure::microtubule,
     1992,
     {-3.8147455454789863, -3.8368423163575738, -0.45063438465478312}},
    {Structure::mitochondrion, 765, {1.7499726293869819, -6.1003758780387836, -6.1508339856870498}},
    {Structure::vesicle, 50, {-1.5263006833352826, 4.3677191144988274, -10.048321711291713}},
};

TEST(OrganellesOfASeed, AreTheSameForEver) {
  const auto cells = cells_of(many());
  const auto strands = cells[2].strands();
  for (std::size_t i = 0; i < std::size(kGolden); ++i) {
    const auto& segments = strands[i].strand.segments();
    EXPECT_EQ(strands[i].structure, kGolden[i].structure);
    EXPECT_EQ(segments.size(), kGolden[i].pieces);
    EXPECT_EQ(segments.back().to, kGolden[i].end);
  }
}

}  // namespace
}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// Mitochondria of cells on a cover glass: shapes of one, and where they lie.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <vector>
#include "simulator/phantom/adherent/adherent_cells.hpp"
#include "simulator/phantom/adherent/adherent_organelles.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kPi = 3.14159265358979323846;

Draws draws_of(std::uint64_t number) {
  return {RandomStream{7, RandomStage::adherent}, number};
}

double distance_to(const std::vector<Vector3>& points, const Vector3& p) {
  double nearest = 1e300;
  for (const Vector3& point : points) {
    const Vector3 from = p - point;
    nearest = std::min(nearest, std::sqrt(dot(from, from)));
  }
  return nearest;
}

TEST(MitochondrionForms, AreDotsOvalsRodsAndThreadsInTheirShares) {
  constexpr int kCount = 4000;
  int without_length = 0, thin = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const MitochondrionForm form = draw_mitochondrion_form(2.2, 0.5, draws_of(i));
    EXPECT_GT(form.half, 0);
    EXPECT_LE(form.wall, 0.6 * form.half);
    without_length += form.length == 0;
    // exp(0.22 * 2) = 1.55 times the median is rare: threads are below, rods above
    thin += form.length > 1 && form.half < 0.55 * 0.5;
  }
  // Within three standard deviations of a share, and of the few that are like another kind
  EXPECT_NEAR(without_length / double{kCount}, 0.26, 0.025);
  EXPECT_NEAR(thin / double{kCount}, 0.16, 0.03);
}

TEST(MitochondrionForms, WithoutLengthAreRoundWalls) {
  const MitochondrionForm form{.half = 0.6, .wall = 0.1};
  const auto anywhere = [](const Vector3&, double) { return true; };
  const Vector3 middle{1, 2, 3};
  const MitochondrionSpine spine = draw_spine(form, middle, anywhere, draws_of(1));
  ASSERT_EQ(spine.points.size(), 1u);
  Strand wall, inside;
  add_mitochondrion(form, spine, draws_of(1), wall, inside);
  const auto& pieces = wall.segments();
  EXPECT_EQ(pieces.front().from, pieces.back().to);  // a closed loop
  double length = 0;
  for (const Segment& piece : pieces) {
    const Vector3 from = piece.from - middle;
    EXPECT_EQ(from[0], 0);
    // Waves of an outline add up to 0.16 (0.8 + 1 + 0.6) at most
    EXPECT_NEAR(std::sqrt(dot(from, from)), 0.5, 0.5 * 0.4);
    length += piece.length_um();
  }
  EXPECT_NEAR(length, 2 * kPi * 0.5, 0.5);
  EXPECT_LE(std::ssize(pieces) + std::ssize(inside.segments()), most_pieces_of(spine));
}

TEST(MitochondrionForms, EndWhereTheyAreNotFree) {
  const MitochondrionForm form{.half = 0.3, .length = 5, .wall = 0.1};
  const auto near = [](const Vector3& p, double) { return dot(p, p) < 1; };
  const MitochondrionSpine spine = draw_spine(form, {}, near, draws_of(3));
  // Steps of 0.25 um from the origin to a distance of 1
  EXPECT_GE(spine.points.size(), 4u);
  for (const Vector3& p : spine.points) EXPECT_LT(dot(p, p), 1);
}

TEST(MitochondrionForms, SwellAtTheirEnds) {
  const MitochondrionForm form{.half = 0.2, .length = 5, .first = 3, .last = 2, .end = 0.3};
  const auto anywhere = [](const Vector3&, double) { return true; };
  const MitochondrionSpine spine = draw_spine(form, {}, anywhere, draws_of(5));
  ASSERT_EQ(spine.half_widths.size(), 21u);
  EXPECT_NEAR(spine.half_widths.front(), 0.6, 1e-9);
  EXPECT_NEAR(spine.half_widths[10], 0.2, 1e-9);
  EXPECT_NEAR(spine.half_widths.back(), 0.4, 1e-9);
}

class Mitochondria : public testing::Test {
 protected:
  Mitochondria() {
    AdherentSpec& cells = spec.adherent;
    cells = {.count = 1, .border = BorderRule::inside};
    cells.radius_um = 16;
    cells.body_um = 6;
    cells.nuclei = false;
    cells.stress_fibres = cells.edge_fibres = cells.mesh_filaments = 0;
    cells.retraction_fibres = cells.granules = 0;
    cells.mitochondria = 60;
    cells.mitochondria_radius_um = 0.25;  // so narrow that each has one chain inside
    cells.mitochondria_reach_um = 8;
  }
  AdherentCell make(std::uint64_t seed) {
    return make_adherent_cells(spec.adherent, spec.nuclei, grid, seed, run.context).front();
  }
  /// Returns the first points of the spines.
  static std::vector<Vector3> places_in(const AdherentCell& cell) {
    std::vector<Vector3> places;
    for (const Segment& piece : cell.strands().back().strand.segments())
      if (piece.before < 0) places.push_back(piece.from);
    return places;
  }
  test::TestContext run;
  PhantomSpec spec;
  Grid grid{{20, 260, 260}, {0.5, 0.4, 0.4}};
};

TEST_F(Mitochondria, LieInALayerAboveTheGlass) {
  for (const double layer : {0.0, 0.5, 1000.0}) {
    spec.adherent.organelle_layer_um = layer;
    double lowest = 1e300, highest = 0;
    for (const Vector3& place : places_in(make(3))) {
      lowest = std::min(lowest, place[0]);
      highest = std::max(highest, place[0]);
    }
    // The widest have a half width of 0.25 * 1.05 * exp(0.22 * 3.5)
    EXPECT_LE(highest - lowest, layer + 0.57) << layer;
    if (layer > 1) {
      EXPECT_GT(highest - lowest, 2);
    }
  }
}

TEST_F(Mitochondria, GatherOnOneSideOfTheNucleus) {
  const auto mean_shift = [&](double side) {
    spec.adherent.mitochondria_side = side;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const AdherentCell cell = make(seed);
      const std::vector<Vector3> places = places_in(cell);
      Vector3 mean{};
      for (const Vector3& place : places)
        mean = mean + (1 / static_cast<double>(places.size())) * (place - cell.shape().anchor);
      sum += std::sqrt(mean[1] * mean[1] + mean[2] * mean[2]) / 6;
    }
    return sum;
  };
  spec.adherent.mitochondria_together = 0;
  EXPECT_GT(mean_shift(0.9), mean_shift(0) + 1.5);
}

TEST_F(Mitochondria, TouchEachOtherInPart) {
  const auto mean_distance = [&](double together) {
    spec.adherent.mitochondria_together = together;
    const std::vector<Vector3> places = places_in(make(2));
    double sum = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::vector<Vector3> others = places;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      sum += distance_to(others, places[i]);
    }
    return sum / static_cast<double>(places.size());
  };
  EXPECT_LT(mean_distance(1), 0.7 * mean_distance(0));
}

TEST_F(Mitochondria, AreWithinTheirBoundOfPieces) {
  spec.adherent.mitochondria = 400;
  spec.adherent.mitochondria_radius_um = 0.6;
  std::int64_t pieces = 0;
  const AdherentCell cell = make(1);
  for (const StainedStrand& stained : cell.strands())
    pieces += std::ssize(stained.strand.segments());
  EXPECT_GT(pieces, 400);
  EXPECT_LE(pieces, strands_of_cell(spec.adherent).pieces);
}

}  // namespace
}  // namespace synthoscope::simulator

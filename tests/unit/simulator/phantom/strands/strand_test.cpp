// SPDX-License-Identifier: MIT
#include "simulator/phantom/strands/strand.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include "core/math/random.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Uniform from -1 to 1.
Vector3 drawn(std::uint64_t number) {
  const auto words = RandomStream{11, RandomStage::phantom}.block(number);
  return {2 * uniform32(words[0]) - 1, 2 * uniform32(words[1]) - 1, 2 * uniform32(words[2]) - 1};
}

std::vector<StrandPiece> pieces_of(const Strand& strand, const Vector3& pitch,
                                   double lines_below = 0) {
  std::vector<StrandPiece> pieces;
  strand.add_pieces_to(pieces, pitch, 0, lines_below);
  return pieces;
}

double share_of(const std::vector<StrandPiece>& pieces, const Vector3& centre,
                const Vector3& pitch) {
  return strand_share(
      static_cast<int>(pieces.size()), [&](int i) { return &pieces[static_cast<std::size_t>(i)]; },
      centre, pitch);
}

/// Calls `visit(centre)` for all voxels of a grid that `bounds` can touch.
template <class Visit>
void for_each_voxel(const Bounds& bounds, const Vector3& pitch, Visit&& visit) {
  std::array<std::int64_t, 3> low{}, high{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low[axis] = static_cast<std::int64_t>(std::floor(bounds.low[axis] / pitch[axis])) - 1;
    high[axis] = static_cast<std::int64_t>(std::ceil(bounds.high[axis] / pitch[axis])) + 1;
  }
  for (std::int64_t z = low[0]; z < high[0]; ++z)
    for (std::int64_t y = low[1]; y < high[1]; ++y)
      for (std::int64_t x = low[2]; x < high[2]; ++x)
        visit(Vector3{(static_cast<double>(z) + 0.5) * pitch[0],
                      (static_cast<double>(y) + 0.5) * pitch[1],
                      (static_cast<double>(x) + 0.5) * pitch[2]});
}

double rendered_um3(const Strand& strand, const Vector3& pitch, double lines_below = 0) {
  const auto pieces = pieces_of(strand, pitch, lines_below);
  double sum = 0;
  for_each_voxel(strand.bounds(), pitch,
                 [&](const Vector3& centre) { sum += share_of(pieces, centre, pitch); });
  return sum * pitch[0] * pitch[1] * pitch[2];
}

/// Volume by counting points of a lattice of `step`.
double counted_um3(const Strand& strand, double step) {
  std::int64_t count = 0;
  for_each_voxel(strand.bounds(), {step, step, step},
                 [&](const Vector3& p) { count += strand.contains(p); });
  return static_cast<double>(count) * step * step * step;
}

/// A crooked chain of ten segments from somewhere near the origin.
Strand crooked(double radius, double taper, double bend, std::uint64_t seed) {
  std::vector<Vector3> points{0.4 * drawn(100 * seed)};
  std::vector<double> radii{radius};
  Vector3 direction = unit_vector(drawn(100 * seed + 1));
  for (std::uint64_t i = 1; i <= 10; ++i) {
    points.push_back(points.back() + std::max(0.2, 3 * radius) * direction);
    radii.push_back(radius * (1 + (taper - 1) * static_cast<double>(i) / 10));
    direction = unit_vector(direction + bend * drawn(100 * seed + 1 + i));
  }
  Strand strand;
  strand.add_chain(points, radii);
  return strand;
}

TEST(PlaneShare, IsTheShareOfAFineCount) {
  const Vector3 edges{0.5, 0.2, 0.1};
  for (std::uint64_t i = 0; i < 60; ++i) {
    Vector3 normal = unit_vector(drawn(i));
    if (i % 5 == 0) normal = {0, 0, 1};
    const double depth = 0.3 * drawn(1000 + i)[0];
    constexpr int kParts = 48;
    int held = 0;
    for (int z = 0; z < kParts; ++z)
      for (int y = 0; y < kParts; ++y)
        for (int x = 0; x < kParts; ++x)
          held += dot(normal,
                      {middle_of_part(z, kParts) * edges[0], middle_of_part(y, kParts) * edges[1],
                       middle_of_part(x, kParts) * edges[2]}) <= depth;
    const double counted = held / double{kParts * kParts * kParts};
    EXPECT_NEAR(plane_share(depth, normal, edges), counted, i % 5 == 0 ? 0.02 : 2e-3) << i;
    EXPECT_NEAR(plane_share(depth, normal, edges) + plane_share(-depth, normal, edges), 1, 1e-9);
  }
}

struct LightCase {
  const char* name;
  double radius_um, taper, bend;
  Vector3 pitch;
};
std::ostream& operator<<(std::ostream& out, const LightCase& c) {
  return out << c.name;
}

// From far thinner than a voxel to many voxels thick
constexpr LightCase kLights[] = {
    {"filament", 0.0125, 1, 0.3, {0.3, 0.1, 0.1}},
    {"filament_in_coarse_voxels", 0.0125, 1, 0.3, {1, 1, 1}},
    {"nearly_thin", 0.026, 1, 0.3, {0.25, 0.1, 0.1}},
    {"half_a_voxel", 0.05, 1, 0.3, {0.1, 0.1, 0.1}},
    {"a_voxel", 0.1, 1, 0.3, {0.25, 0.1, 0.1}},
    {"mitochondrion", 0.25, 1, 0.3, {0.25, 0.1, 0.1}},
    {"thick", 0.5, 1, 0.2, {0.1, 0.1, 0.1}},
    {"tapered", 0.1, 0.2, 0.3, {0.25, 0.1, 0.1}},
    {"tapered_until_thin", 0.2, 0.02, 0.3, {0.3, 0.2, 0.2}},
};

class StrandLight : public testing::TestWithParam<LightCase> {};

TEST_P(StrandLight, AddsUpToTheVolumeHoweverTheStrandLies) {
  const auto& c = GetParam();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Strand strand = crooked(c.radius_um, c.taper, c.bend, seed);
    EXPECT_NEAR(rendered_um3(strand, c.pitch) / strand.moments().volume_um3, 1, 1e-3) << seed;
  }
}

TEST_P(StrandLight, ChangesLittleWhereTheStrandMovesALittle) {
  const auto& c = GetParam();
  const double step = 0.02 * c.pitch[2];
  const Strand here = crooked(c.radius_um, c.taper, c.bend, 2);
  Strand there;
  for (Segment segment : here.segments()) {
    segment.from[2] += step;
    segment.to[2] += step;
    there.add(segment);
  }
  const auto before = pieces_of(here, c.pitch), after = pieces_of(there, c.pitch);
  // Along its axis a strand passes from one voxel to the next as it moves; else less changes
  const double voxel_um3 = c.pitch[0] * c.pitch[1] * c.pitch[2];
  const double widest = std::max({c.pitch[0], c.pitch[1], c.pitch[2]});
  const double most = std::min(1.0, 10 * c.radius_um * c.radius_um * widest / voxel_um3);
  for_each_voxel(here.bounds(), c.pitch, [&](const Vector3& centre) {
    EXPECT_NEAR(share_of(before, centre, c.pitch), share_of(after, centre, c.pitch), 0.08 * most);
  });
}

INSTANTIATE_TEST_SUITE_P(Lights, StrandLight, testing::ValuesIn(kLights), test::kCaseName);

TEST(StrandShare, OfThickStrandsIsThatOfManyPoints) {
  const Vector3 pitch{0.25, 0.1, 0.1};
  for (const double radius : {0.1, 0.25}) {
    const Strand strand = crooked(radius, 0.7, 0.3, 3);
    const auto pieces = pieces_of(strand, pitch);
    const auto holds = [&](const Vector3& p) {
      return std::any_of(pieces.begin(), pieces.end(),
                         [&](const StrandPiece& piece) { return contains(piece, p); });
    };
    double squares = 0, worst = 0;
    std::int64_t cut = 0;
    for_each_voxel(strand.bounds(), pitch, [&](const Vector3& centre) {
      const double share = share_of(pieces, centre, pitch);
      if (share == 0 || share == 1) {
        ASSERT_EQ(sampled_share(centre, pitch, holds), share);
        return;
      }
      constexpr int kParts = 10;
      int held = 0;
      for (int z = 0; z < kParts; ++z)
        for (int y = 0; y < kParts; ++y)
          for (int x = 0; x < kParts; ++x)
            held += holds(centre + Vector3{middle_of_part(z, kParts) * pitch[0],
                                           middle_of_part(y, kParts) * pitch[1],
                                           middle_of_part(x, kParts) * pitch[2]});
      const double error = share - held / double{kParts * kParts * kParts};
      worst = std::max(worst, std::abs(error));
      squares += error * error;
      ++cut;
    });
    EXPECT_LT(std::sqrt(squares / static_cast<double>(cut)), 0.01) << radius;
    EXPECT_LT(worst, 0.06) << radius;
  }
}

TEST(StrandShare, CountsWhatSeveralPiecesHoldOnce) {
  const Vector3 pitch{0.25, 0.1, 0.1};
  const Strand once = crooked(0.3, 1, 0.2, 4);
  Strand twice = once;
  for (const Segment& segment : once.segments()) {
    Segment again = segment;
    again.before = -1;
    twice.add(again);
  }
  EXPECT_NEAR(rendered_um3(twice, pitch) / rendered_um3(once, pitch), 1, 1e-12);
}

/// `count` tubes from one point, whose tips lie evenly on a disc or, if `is_fan`, on a line beside
/// it: tracings have no such, but a file may.
Strand star_of(int count, double radius_um, bool is_fan) {
  Strand star;
  const auto soma = star.add({{0, 0, 0}, {0, 0, 0}, radius_um, radius_um});
  for (int i = 0; i < count; ++i) {
    const double part = (i + 0.5) / count, angle = i * kPi * (3 - std::sqrt(5.0));
    const double from_axis = 4 * std::sqrt(part);
    const Vector3 tip = is_fan
                            ? Vector3{1, 1, 8 * part}
                            : Vector3{5, from_axis * std::cos(angle), from_axis * std::sin(angle)};
    star.add({{0, 0, 0}, tip, radius_um, radius_um, soma});
  }
  return star;
}

TEST(StrandShare, OfVeryManyPiecesIsCutIntoFewerParts) {
  EXPECT_EQ(strand::most_parts(1), 12);
  EXPECT_EQ(strand::most_parts(75), 12);  // more than any branch of a neuron has
  EXPECT_EQ(strand::most_parts(76), 11);
  EXPECT_EQ(strand::most_parts(10'000), 2);
  EXPECT_EQ(strand::most_parts(1 << 20), 1);
  const Strand star = star_of(200, 0.25, /*is_fan=*/false);
  EXPECT_NEAR(rendered_um3(star, {0.5, 0.25, 0.25}) / star.moments().volume_um3, 1, 0.02);
}

TEST(StrandShare, OfALineOnAFaceBelongsToOneVoxel) {
  const Vector3 pitch{0.3, 0.1, 0.1};
  Strand strand;
  strand.add({{0.9, 0.5, 0.03}, {0.9, 0.5, 2.17}, 0.01, 0.01});
  EXPECT_NEAR(rendered_um3(strand, pitch) / strand.moments().volume_um3, 1, 1e-12);
}

TEST(StrandShare, OfLinesIsTheVolumeOfTheirTubes) {
  const Vector3 pitch{0.3, 0.1, 0.1};
  for (const double radius : {0.01, 0.03, 0.06, 0.099}) {
    const Strand strand = crooked(radius, 0.9, 0.3, 6);
    EXPECT_NEAR(rendered_um3(strand, pitch, 1) / strand.moments().volume_um3, 1, 1e-3) << radius;
  }
}

TEST(StrandShare, OfLinesAddsUpBeyondAFullVoxel) {
  const Vector3 pitch{0.3, 0.1, 0.1}, centre{0.15, 0.05, 0.05};
  // Through the middle of one voxel: 0.1 um of a tube of 0.06 um
  const double once = kPi * 0.06 * 0.06 * 0.1 / (0.3 * 0.1 * 0.1);
  Strand strand;
  for (int count = 1; count <= 5; ++count) {
    strand.add({{0.15, 0.05, -0.5}, {0.15, 0.05, 0.6}, 0.06, 0.06});
    EXPECT_NEAR(share_of(pieces_of(strand, pitch, 1), centre, pitch), count * once, 1e-12);
  }
  EXPECT_LE(share_of(pieces_of(strand, pitch), centre, pitch), 1);
  // A thick piece fills the voxel once, whether it is listed before the lines or after them
  const Segment thick{{0.15, 0.05, -0.5}, {0.15, 0.05, 0.6}, 0.4, 0.4};
  Strand before, after = strand;
  before.add(thick);
  for (const Segment& segment : strand.segments()) before.add(segment);
  after.add(thick);
  for (const Strand& both : {before, after})
    EXPECT_NEAR(share_of(pieces_of(both, pitch, 1), centre, pitch), 1 + 5 * once, 1e-12);
}

TEST(StrandPieces, AreLinesBelowAPartOfTheSmallestEdge) {
  struct Case {
    double radius_um, lines_below;
    bool is_thin, adds_up;
  };
  // The smallest edge is 0.1 um; without lines_below, its quarter is the limit
  for (const Case& c :
       {Case{0.024, 0, true, false}, Case{0.026, 0, false, false}, Case{0.024, 1, true, true},
        Case{0.099, 1, true, true}, Case{0.101, 1, false, false}, Case{0.149, 1.5, true, true}}) {
    Strand strand;
    strand.add({{0, 0, 0}, {0, 0, 3}, c.radius_um, 0.9 * c.radius_um});
    const StrandPiece piece = pieces_of(strand, {0.3, 0.1, 0.2}, c.lines_below)[0];
    EXPECT_EQ(piece.is_thin, c.is_thin) << c.radius_um << ' ' << c.lines_below;
    EXPECT_EQ(piece.adds_up, c.adds_up) << c.radius_um << ' ' << c.lines_below;
  }
}

TEST(Strand, StaysWithinItsBounds) {
  const Strand strand = crooked(0.4, 0.5, 0.4, 5);
  const Bounds bounds = strand.bounds();
  std::int64_t inside = 0;
  for_each_voxel({bounds.low - Vector3{1, 1, 1}, bounds.high + Vector3{1, 1, 1}}, {0.1, 0.1, 0.1},
                 [&](const Vector3& p) {
                   if (!strand.contains(p)) return;
                   ++inside;
                   for (std::size_t axis = 0; axis < 3; ++axis) {
                     EXPECT_GE(p[axis], bounds.low[axis]);
                     EXPECT_LE(p[axis], bounds.high[axis]);
                   }
                 });
  EXPECT_GT(inside, 1000);
}

TEST(StrandMoments, OfAStraightTubeAreThoseOfACylinderAndABall) {
  Strand strand;
  strand.add({{1, 2, 3}, {1, 2, 8}, 0.5, 0.5});
  const auto moments = strand.moments();
  EXPECT_NEAR(moments.volume_um3, kPi * 0.25 * 5 + 4 * kPi / 3 * 0.125, 1e-12);
  EXPECT_NEAR(moments.centroid_um[2], 5.5, 1e-12);
}

TEST(StrandMoments, OfABallAreThoseOfABall) {
  Strand strand;
  strand.add({{1, 2, 3}, {1, 2, 3}, 0.5, 0.5});
  EXPECT_NEAR(strand.moments().volume_um3, 4 * kPi / 3 * 0.125, 1e-12);
  EXPECT_NEAR(rendered_um3(strand, {0.1, 0.1, 0.1}), 4 * kPi / 3 * 0.125, 1e-3);
  EXPECT_NEAR(rendered_um3(strand, {3, 3, 3}), 4 * kPi / 3 * 0.125, 1e-3);
}

TEST(StrandMoments, OfVeryManyPiecesAreFoundAtOnce) {
  // A stem of 20 000 pieces with as many branches
  Strand comb;
  std::int32_t last = -1;
  for (int i = 0; i < 20000; ++i) {
    const double x = 2.0 * i;
    last = comb.add({{0, 0, x}, {0, 0, x + 2}, 0.5, 0.5, last});
    comb.add({{0, 0, x + 2}, {0, 5, x + 2}, 0.2, 0.2, last});
  }
  const auto moments = comb.moments();  // pairs of all would take minutes
  const double inside = 2.0 / 3 * (std::pow(0.5, 3) - std::pow(0.25 - 0.04, 1.5));
  const double branch = kPi * (0.04 * 5 + 2.0 / 3 * 0.008) - kPi * inside;
  EXPECT_NEAR(moments.volume_um3 / (kPi * 0.25 * 40000 + 20000 * branch), 1, 4e-3);
}

TEST(StrandMoments, OfAStarAreThoseOfACountHoweverManyPartsMeet) {
  // Pairs of the first stars are looked at one by one, those of the others are too many
  for (const bool is_fan : {false, true})
    for (const int count : {200, 2200}) {
      const Strand star = star_of(count, 0.25, is_fan);
      EXPECT_NEAR(star.moments().volume_um3 / counted_um3(star, is_fan ? 0.1 : 0.25), 1,
                  count > 1000 ? 0.1 : 0.05)
          << count << " parts, " << (is_fan ? "fan" : "cone");
    }
}

TEST(StrandMoments, OfAHundredThousandPartsThatMeetAreFound) {
  // A square of their number would be 10^10 pairs: hours
  constexpr int kCount = 100000;
  Strand bundle;
  for (int i = 0; i < kCount; ++i) bundle.add({{1, 2, 3}, {1, 2, 13}, 0.5, 0.5});
  const auto moments = bundle.moments();
  EXPECT_NEAR(moments.volume_um3 / (kPi * 0.25 * 10 + 4 * kPi / 3 * 0.125), 1, 1e-6);
  EXPECT_NEAR(moments.centroid_um[2], 8, 0.3);

  // Too thin for any cube: nothing is shared
  const Strand thin = star_of(kCount / 4, 1e-6, false);
  double um3 = 0;
  for (const Segment& s : thin.segments()) um3 += kPi * 1e-12 * s.length_um();
  EXPECT_NEAR(thin.moments().volume_um3 / um3, 1, 1e-3);

  // Dots in a heap, and a tube so long that cubes are far larger than the heap
  Strand heap;
  for (int i = 0; i < kCount / 2; ++i) {
    const Vector3 at{1e-3 * (i % 100), 1e-3 * (i / 100 % 100), 1e-3 * (i / 10000)};
    heap.add({at, at, 1e-4, 1e-4});
  }
  heap.add({{0, 0, 0}, {1e6, 1e6, 1e6}, 1e-4, 1e-4});
  EXPECT_GT(heap.moments().volume_um3, 0);
}

TEST(StrandMoments, AreThoseOfACount) {
  // A chain that bends; a stem with two branches; a ball with four
  std::vector<Strand> strands{crooked(0.3, 1, 0.3, 6), crooked(0.3, 0.5, 0.3, 7)};
  Strand fork;
  const auto stem = fork.add({{0, 0, 0}, {0, 0, 3}, 0.4, 0.4});
  fork.add_chain(std::vector<Vector3>{{0, 0, 3}, {0, 1, 5}, {0.5, 2, 7}},
                 std::vector<double>{0.4, 0.35, 0.3}, stem);
  fork.add_chain(std::vector<Vector3>{{0, 0, 3}, {0, -2, 4}, {0.5, -3, 5}},
                 std::vector<double>{0.3, 0.3, 0.3}, stem);
  strands.push_back(fork);
  Strand star;
  const auto soma = star.add({{0, 0, 0}, {0, 0, 0}, 1, 1});
  for (const Vector3& tip : {Vector3{3, 0, 0}, {0, 3, 0}, {0, 0, -3}, {-2, -2, 1}})
    star.add({{0, 0, 0}, tip, 0.3, 0.2, soma});
  strands.push_back(star);
  // A stem in steps that are far shorter than it is wide, and a branch of the same kind
  Strand dense;
  std::int32_t last = -1, middle = -1;
  for (int i = 0; i < 40; ++i) {
    last = dense.add({{0, 0, 0.1 * i}, {0, 0, 0.1 * (i + 1)}, 0.6, 0.6, last});
    if (i == 19) middle = last;
  }
  for (int i = 0; i < 25; ++i)
    middle = dense.add(
        {{0, 0.08 * i, 2 + 0.08 * i}, {0, 0.08 * (i + 1), 2 + 0.08 * (i + 1)}, 0.4, 0.4, middle});
  strands.push_back(dense);
  for (const Strand& strand : strands) {
    const auto moments = strand.moments();
    EXPECT_NEAR(moments.volume_um3 / counted_um3(strand, 0.03), 1, 4e-3) << &strand - &strands[0];
  }
}

}  // namespace
}  // namespace synthoscope::simulator

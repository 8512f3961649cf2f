// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/nucleus.hpp"
#include <gtest/gtest.h>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <numbers>
#include <ostream>
#include "core/math/random.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

struct ShapeCase {
  const char* name;
  NucleiSpec spec;
  friend std::ostream& operator<<(std::ostream& out, const ShapeCase& c) { return out << c.name; }
};

NucleiSpec spec(Point3 ratios, double roughness, std::int64_t degree, Orientation orientation) {
  NucleiSpec s;
  s.radius_um = 3;
  s.axis_ratios = ratios;
  s.roughness = roughness;
  s.degree = degree;
  s.orientation = orientation;
  return s;
}

/// Turned any way: a flat top along the lattice of a census would be counted all or not at all.
NucleiSpec of_squareness(double squareness) {
  NucleiSpec s = spec({0.5, 1, 1.5}, 0, 2, Orientation::random);
  s.squareness = squareness;
  return s;
}

NucleiSpec of_kind(NucleiKind kind) {
  NucleiSpec s;
  set_typical(s, kind);
  return s;
}

NucleiSpec of_lobes(std::int64_t fewest, std::int64_t most) {
  NucleiSpec s = of_kind(NucleiKind::granulocyte);
  s.fewest_lobes = fewest;
  s.most_lobes = most;
  return s;
}

const ShapeCase kShapes[] = {
    {"sphere", spec({1, 1, 1}, 0, 2, Orientation::flat)},
    {"flat_ellipsoid", spec({0.5, 1, 1.5}, 0, 4, Orientation::flat)},
    {"default", spec({0.8, 1, 1.25}, 0.04, 4, Orientation::flat)},
    {"rough", spec({0.7, 1, 1.4}, 0.1, 6, Orientation::random)},
    {"cushion", of_squareness(1.5)},
    {"hl60", of_kind(NucleiKind::hl60)},
    {"fibroblast", of_kind(NucleiKind::fibroblast)},
    {"two_lobes", of_lobes(2, 2)},
    {"five_lobes", of_lobes(5, 5)},
};

class NucleusShape : public testing::TestWithParam<ShapeCase> {};

/// Sums over a fine grid of points around the origin.
struct Census {
  double volume = 0;
  Vector3 moment{};
};
Census census(const Nucleus& nucleus, double step) {
  Census result;
  const auto reach = static_cast<int>(nucleus.bounding_radius_um() / step) + 1;
  for (int z = -reach; z <= reach; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const Vector3 p{z * step, y * step, x * step};
        if (!nucleus.contains(p)) continue;
        result.volume += step * step * step;
        for (std::size_t axis = 0; axis < 3; ++axis)
          result.moment[axis] += step * step * step * p[axis];
      }
  return result;
}

TEST_P(NucleusShape, HasTheVolumeAndCentroidThatCountingPointsGives) {
  for (std::int64_t number = 0; number < 3; ++number) {
    const auto nucleus = Nucleus::draw(GetParam().spec, 11, number);
    const auto counted = census(nucleus, 0.06);
    EXPECT_NEAR(counted.volume / nucleus.volume_um3(), 1, 1e-3);
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(counted.moment[axis] / counted.volume, nucleus.centroid()[axis], 3e-3);
  }
}

TEST_P(NucleusShape, StaysWithinItsBounds) {
  const RandomStream stream{3, RandomStage::phantom};
  for (std::int64_t number = 0; number < 3; ++number) {
    const auto nucleus = Nucleus::draw(GetParam().spec, 12, number);
    const double r = nucleus.bounding_radius_um();
    std::vector<double> farthest(98, 0);
    for (std::uint64_t i = 0; i < 200000; ++i) {
      const auto words = stream.block(i);
      Vector3 p{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        p[axis] = 1.1 * r * (2 * uniform32(words[axis]) - 1);
      if (!nucleus.contains(p)) continue;
      EXPECT_LE(dot(p, p), r * r);
      for (std::size_t d = 0; d < 98; ++d)
        farthest[d] = std::max(farthest[d], dot(p, separating_directions()[d]));
    }
    for (std::size_t d = 0; d < 98; ++d) {
      EXPECT_LE(farthest[d], nucleus.support()[d]);
      EXPECT_GE(farthest[d], 0.8 * nucleus.support()[d]) << "the bound is far from tight";
    }
  }
}

/// A quarter turn about y, a third larger; longer where it may be.
Pose other_pose(const Nucleus& nucleus) {
  Pose pose{{20, -7, 3}, Matrix3{{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}} * nucleus.own_axes(), 1.3, 1};
  if (nucleus.lobes().size() == 1) pose.stretch = 1.6;
  return pose;
}

TEST_P(NucleusShape, MovesTurnsAndGrowsAsAWhole) {
  const RandomStream stream{3, RandomStage::phantom};
  const auto drawn = Nucleus::draw(GetParam().spec, 12, 1);
  const Pose pose = other_pose(drawn);
  const auto posed = drawn.posed(pose);
  EXPECT_NEAR(posed.volume_um3() / drawn.volume_um3(), 1.3 * 1.3 * 1.3, 1e-12);
  const auto place_of = [&](const Vector3& point) {
    const Vector3 own = drawn.own_axes() * point, growth = growth_of(pose);
    return pose.centre + transposed(pose.turn) *
                             Vector3{own[0] * growth[0], own[1] * growth[1], own[2] * growth[2]};
  };
  int inside = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const auto words = stream.block(i);
    Vector3 p{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      p[axis] = drawn.bounding_radius_um() * (2 * uniform32(words[axis]) - 1);
    const Vector3 there = place_of(p);
    inside += drawn.contains(p);
    ASSERT_EQ(posed.contains(there), drawn.contains(p));
    for (std::size_t axis = 0; axis < 3; ++axis)  // its texture's own frame
      ASSERT_NEAR(posed.shape().to_own_frame(there)[axis], (drawn.own_axes() * p)[axis], 1e-12);
    ASSERT_NEAR(posed.shape().nucleolus_distance(there), drawn.shape().nucleolus_distance(p),
                1e-9 * drawn.shape().nucleolus_distance(p));
    if (!drawn.contains(p)) continue;
    const Vector3 from = there - pose.centre;
    ASSERT_LE(dot(from, from), posed.bounding_radius_um() * posed.bounding_radius_um());
    for (std::size_t d = 0; d < 98; ++d)
      ASSERT_LE(dot(from, separating_directions()[d]), posed.support()[d]);
  }
  EXPECT_GT(inside, 300);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(posed.centroid()[axis], place_of(drawn.centroid())[axis], 1e-12);
}

TEST_P(NucleusShape, InThePoseThatItWasDrawnInIsTheSame) {
  const auto drawn = Nucleus::draw(GetParam().spec, 12, 1);
  const auto posed = drawn.posed({{1, 2, 3}, drawn.own_axes(), 1, 1});
  EXPECT_EQ(posed.support(), drawn.support());
  EXPECT_EQ(posed.own_axes(), drawn.own_axes());
  EXPECT_EQ(posed.centroid(), drawn.centroid() + (Vector3{1, 2, 3}));
}

/// Share of parts x parts x parts points of a voxel that lie inside.
double brute_coverage(const Nucleus& nucleus, const Vector3& centre, const Vector3& pitch,
                      int parts) {
  const auto part = [&](int i) { return (2 * i + 1 - parts) / (2.0 * parts); };
  int inside = 0;
  for (int i = 0; i < parts; ++i)
    for (int j = 0; j < parts; ++j)
      for (int k = 0; k < parts; ++k)
        inside += nucleus.contains({centre[0] + part(i) * pitch[0], centre[1] + part(j) * pitch[1],
                                    centre[2] + part(k) * pitch[2]});
  return inside / static_cast<double>(parts * parts * parts);
}

TEST_P(NucleusShape, CoverageTakesNoShortcutThatSamplesContradict) {
  const auto nucleus = Nucleus::draw(GetParam().spec, 13, 0);
  const Vector3 pitch{0.5, 0.3, 0.2};
  for (int y = -20; y <= 20; ++y)
    for (int x = -30; x <= 30; x += 3) {
      const Vector3 centre{0.9, 0.3 * y, 0.2 * x};
      const double covered = nucleus.coverage(centre, nucleus.voxel_shape(pitch));
      // A sample on the surface may fall either way by rounding; none of these does
      ASSERT_EQ(covered, brute_coverage(nucleus, centre, pitch, 4));
      ASSERT_NEAR(covered, brute_coverage(nucleus, centre, pitch, 12), 0.1);
    }
}

TEST_P(NucleusShape, CoverageOfOneHugeVoxelIsSampledToo) {
  const auto nucleus = Nucleus::draw(GetParam().spec, 13, 0);
  const auto huge = nucleus.voxel_shape({9, 9, 9});
  EXPECT_EQ(nucleus.coverage({0, 0, 0}, huge), brute_coverage(nucleus, {0, 0, 0}, {9, 9, 9}, 4));
  EXPECT_GT(nucleus.coverage({0, 0, 0}, huge), 0);
  EXPECT_LT(nucleus.coverage({0, 0, 0}, huge), 1);
}

INSTANTIATE_TEST_SUITE_P(Shapes, NucleusShape, testing::ValuesIn(kShapes), test::kCaseName);

TEST(Nucleus, WithoutRoughnessOrSpreadIsTheEllipsoidOfTheGivenVolume) {
  NucleiSpec s = spec({0.5, 1, 2}, 0, 2, Orientation::flat);
  s.radius_spread = 0;
  const auto nucleus = Nucleus::draw(s, 1, 0);
  EXPECT_NEAR(nucleus.volume_um3(), 4 * std::numbers::pi / 3 * 27, 1e-11);
  EXPECT_TRUE(nucleus.contains({1.499999, 0, 0}));
  EXPECT_FALSE(nucleus.contains({1.500001, 0, 0}));
}

TEST(Nucleus, RadiiHaveTheSpreadThatIsAskedFor) {
  NucleiSpec s;
  s.radius_um = 4;
  s.radius_spread = 0.2;
  s.degree = 2;
  double sum = 0, squares = 0;
  constexpr int kCount = 400;
  for (int i = 0; i < kCount; ++i) {
    const double r = std::cbrt(Nucleus::draw(s, 5, i).volume_um3() * 3 / (4 * std::numbers::pi));
    sum += r;
    squares += r * r;
  }
  const double mean = sum / kCount, deviation = std::sqrt(squares / kCount - mean * mean);
  EXPECT_NEAR(mean, 4, 5 * 0.8 / std::sqrt(kCount));
  EXPECT_NEAR(deviation, 0.8, 0.15);
}

TEST(Nucleus, HasAsManyLobesAsAskedForEachNumberAsOften) {
  std::array<int, 6> seen{};
  for (int i = 0; i < 200; ++i) {
    // Lobes proper and the bridges between them
    const auto parts = Nucleus::draw(of_lobes(1, 4), 3, i).lobes().size();
    ++seen.at((parts + 1) / 2);
  }
  for (std::size_t lobes = 1; lobes <= 4; ++lobes) EXPECT_NEAR(seen[lobes], 50, 30) << lobes;
  EXPECT_EQ(seen[5], 0);
}

TEST(Nucleus, OfSeveralLobesIsOnePiece) {
  // From every lobe the straight way to the next stays inside
  for (int i = 0; i < 20; ++i) {
    const auto nucleus = Nucleus::draw(of_lobes(2, 5), 4, i);
    const std::size_t lobes = (nucleus.lobes().size() + 1) / 2;
    for (std::size_t lobe = 1; lobe < lobes; ++lobe) {
      const Vector3 from = nucleus.lobes()[lobe - 1].offset_um();
      const Vector3 way = nucleus.lobes()[lobe].offset_um() - from;
      for (double t = 0; t <= 1; t += 0.01) EXPECT_TRUE(nucleus.contains(from + t * way)) << t;
    }
  }
}

TEST(Nucleus, OfFiveLobesIsDrawnInLittleMoreTimeThanFiveOfOne) {
  // Of this thread alone: a crowded machine makes all of it wait
  const auto seconds = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  const auto fastest_seconds = [&](const NucleiSpec& s) {
    double fastest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 8; ++i) {
      const double begin = seconds();
      const auto nucleus = Nucleus::draw(s, 5, i);
      EXPECT_EQ(nucleus.support().size(), 98u);
      fastest = std::min(fastest, seconds() - begin);
    }
    return fastest;
  };
  EXPECT_LT(fastest_seconds(of_lobes(5, 5)), 20 * fastest_seconds(of_lobes(1, 1)));
}

TEST(Nucleus, HasNucleoliWhollyInsideAndOfTheShareAskedFor) {
  NucleiSpec s = of_kind(NucleiKind::hl60);
  for (int i = 0; i < 5; ++i) {
    const auto nucleus = Nucleus::draw(s, 5, i);
    double held = 0, in_nucleoli = 0;
    const double step = 0.1;
    for (double z = -7; z <= 7; z += step)
      for (double y = -7; y <= 7; y += step)
        for (double x = -7; x <= 7; x += step) {
          const bool in_one = nucleus.shape().nucleolus_distance({z, y, x}) <= 1;
          ASSERT_TRUE(!in_one || nucleus.contains({z, y, x}));
          held += nucleus.contains({z, y, x});
          in_nucleoli += in_one;
        }
    // Two of 0.8 to 1.2 of 0.22 of the radius
    EXPECT_GT(in_nucleoli / held, 2 * std::pow(0.8 * 0.22, 3) * 0.95);
    EXPECT_LT(in_nucleoli / held, 2 * std::pow(1.2 * 0.22, 3) * 1.05);
  }
}

TEST(SetTypical, KeepsNumberPlacesAndLight) {
  NucleiSpec s;
  s.count = 3;
  s.gap_um = 0.7;
  s.clustering = 0.5;
  s.photons_per_um3 = 17;
  for (const auto& [kind, name] : kNucleiKindNames) {
    set_typical(s, kind);
    EXPECT_NO_THROW(require_valid(s)) << name;
    EXPECT_EQ(s.count, 3);
    EXPECT_EQ(s.gap_um, 0.7);
    EXPECT_EQ(s.clustering, 0.5);
    EXPECT_EQ(s.photons_per_um3, 17);
  }
  set_typical(s, NucleiKind::generic);
  NucleiSpec plain;
  plain.count = 3;
  plain.gap_um = 0.7;
  plain.clustering = 0.5;
  plain.photons_per_um3 = 17;
  EXPECT_EQ(s, plain) << "generic is what a spec is without a kind";
}

TEST(Nucleus, FlatOrientationKeepsTheZAxis) {
  const NucleiSpec s = spec({0.5, 1, 1}, 0, 2, Orientation::flat);
  for (int i = 0; i < 5; ++i) {
    const auto frame = Nucleus::draw(s, 9, i).shape().to_own_frame({1, 0, 0});
    EXPECT_EQ(frame, (Vector3{1, 0, 0}));
  }
}

TEST(Nucleus, RandomOrientationPointsEverywhere) {
  const NucleiSpec s = spec({0.5, 1, 1}, 0, 2, Orientation::random);
  Vector3 mean{}, square{};
  constexpr int kCount = 600;
  for (int i = 0; i < kCount; ++i) {
    const auto frame = Nucleus::draw(s, 9, i).shape().to_own_frame({1, 0, 0});
    EXPECT_NEAR(dot(frame, frame), 1, 1e-14);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      mean[axis] += frame[axis] / kCount;
      square[axis] += frame[axis] * frame[axis] / kCount;
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(mean[axis], 0, 5 * std::sqrt(1.0 / 3 / kCount));
    EXPECT_NEAR(square[axis], 1.0 / 3, 5 * std::sqrt(4.0 / 45 / kCount));
  }
}

}  // namespace
}  // namespace synthoscope::simulator

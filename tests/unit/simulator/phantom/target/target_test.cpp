// SPDX-License-Identifier: MIT
#include "simulator/phantom/target/target.hpp"
#include <gtest/gtest.h>
#include <array>
#include <cmath>
#include <numeric>
#include <ostream>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

const Grid kGrid{{40, 80, 90}, {0.4, 0.2, 0.2}};  // 16 x 16 x 18 um

Phantom laid_out(const TargetSpec& target, const Grid& grid = kGrid) {
  test::TestContext run;
  PhantomSpec spec{.target = target};
  spec.nuclei.count = 0;
  return make_phantom(spec, grid, 1, run.context);
}

template <class T, class From>
Volume<T> rendered(const Phantom& phantom) {
  From source{phantom};
  Volume<T> out{phantom.grid.extent};
  source.read(whole(phantom.grid.extent), VoxelView{out.view()});
  return out;
}

struct TargetCase {
  const char* name;
  TargetSpec spec;
  std::int64_t members;
  double error = 1e-3;  ///< of the photons; a star's wedges are sampled
  friend std::ostream& operator<<(std::ostream& out, const TargetCase& c) { return out << c.name; }
};
const TargetCase kTargets[] = {
    {"lines", {.kind = TargetKind::lines, .spacing_um = {4, 3, 5}, .diameter_um = 0.6}, 4 * 3},
    {"thick_lines", {.kind = TargetKind::lines, .diameter_um = 1.7}, 4 * 4},
    {"shells", {.kind = TargetKind::shells}, 4 * 4 * 4},
    {"solid_shells", {.kind = TargetKind::shells, .diameter_um = 3, .thickness_um = 1.5}, 64},
    {"star", {.kind = TargetKind::star, .thickness_um = 1.1}, 1, 3e-3},
    {"star_of_few_spokes", {.kind = TargetKind::star, .diameter_um = 9, .spokes = 3}, 1, 3e-3},
    {"narrow_star", {.kind = TargetKind::star, .diameter_um = 4}, 1, 0.25 / 20},
    {"narrow_star_of_many",
     {.kind = TargetKind::star, .diameter_um = 5, .spokes = 60},
     1,
     0.25 / 25},
};
class TargetMembers : public testing::TestWithParam<TargetCase> {};

TEST_P(TargetMembers, GiveOffThePhotonsOfTheirVolume) {
  const auto phantom = laid_out(GetParam().spec);
  double volume = 0;
  for_each_object(phantom, [&](std::int64_t, const auto& body) { volume += body.volume_um3(); });
  EXPECT_EQ(phantom.count(), GetParam().members);
  const auto light = rendered<float, PhantomSource>(phantom);
  const double sum = std::accumulate(light.voxels.begin(), light.voxels.end(), 0.0);
  EXPECT_NEAR(sum / (volume * GetParam().spec.photons_per_um3), 1, GetParam().error);
}

TEST_P(TargetMembers, AreLabelledInTheirPlaces) {
  const auto phantom = laid_out(GetParam().spec);
  const auto labels = rendered<std::uint16_t, LabelSource>(phantom);
  std::vector<Vector3> sums(static_cast<std::size_t>(phantom.count()));
  std::vector<int> counts(sums.size());
  for (std::int64_t z = 0; z < kGrid.extent.z; ++z)
    for (std::int64_t y = 0; y < kGrid.extent.y; ++y)
      for (std::int64_t x = 0; x < kGrid.extent.x; ++x) {
        const std::uint16_t id = labels.view()(z, y, x);
        if (id == 0) continue;
        sums[id - 1u] = sums[id - 1u] + vector_of(centre_of(kGrid, {z, y, x}));
        ++counts[id - 1u];
      }
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    const auto i = static_cast<std::size_t>(id - 1);
    ASSERT_GT(counts[i], 0) << id;
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(sums[i][axis] / counts[i], body.centroid()[axis], 0.35) << id;
  });
}

INSTANTIATE_TEST_SUITE_P(Targets, TargetMembers, testing::ValuesIn(kTargets), test::kCaseName);

TEST(PointTargets, LightAndLabelOneVoxelEachAtItsExactPlace) {
  // Spacings of 7, 20 and 22.5 voxels; the last is rounded up
  const auto phantom =
      laid_out({.kind = TargetKind::points, .spacing_um = {2.8, 4, 4.5}, .photons = 700});
  ASSERT_EQ(phantom.count(), 5 * 4 * 3);
  const auto light = rendered<float, PhantomSource>(phantom);
  const auto labels = rendered<std::uint16_t, LabelSource>(phantom);
  std::int64_t lit = 0;
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    const Vector3 p = body.centroid();
    const auto voxel = [&](std::size_t axis) {
      return static_cast<std::int64_t>(p[axis] / vector_of(kGrid.pitch)[axis]);
    };
    const Index3 at{voxel(0), voxel(1), voxel(2)};
    EXPECT_EQ(vector_of(centre_of(kGrid, at)), p);
    EXPECT_EQ(light.view()(at.z, at.y, at.x), 700);
    EXPECT_EQ(labels.view()(at.z, at.y, at.x), id);
  });
  for (const float v : light.voxels) lit += v != 0;
  EXPECT_EQ(lit, phantom.count());
}

TEST(LineTargets, ThinnerThanAVoxelGiveOffThePhotonsOfTheirVolume) {
  const auto phantom = laid_out({.kind = TargetKind::lines, .diameter_um = 0.05});
  const auto light = rendered<float, PhantomSource>(phantom);
  const double sum = std::accumulate(light.voxels.begin(), light.voxels.end(), 0.0);
  // 16 rods of 12 um
  EXPECT_NEAR(sum / (16 * 12 * 3.14159265 * 0.025 * 0.025 * 4000), 1, 1e-3);
}

TEST(StarTarget, HasAsManySpokesAsGapsOnEveryCircle) {
  const StarTarget star{{0, 0, 0}, 5, 1, 12, 1};
  for (const double radius : {0.5, 2.0, 4.9}) {
    int changes = 0, held = 0;
    bool before = star.contains({0, 0, radius});
    constexpr int kSteps = 3600;
    for (int i = 1; i <= kSteps; ++i) {
      const double angle = 2 * 3.14159265358979 * i / kSteps;
      const bool here = star.contains({0, radius * std::sin(angle), radius * std::cos(angle)});
      changes += here != before;
      held += here;
      before = here;
    }
    EXPECT_EQ(changes, 24) << radius;
    EXPECT_NEAR(held, kSteps / 2, 13) << radius;
  }
  EXPECT_FALSE(star.contains({0, 0, 5.01}));
  EXPECT_FALSE(star.contains({1.01, 0, 2}));
}

TEST(Target, OfASpacingWiderThanTheGridHasOneMember) {
  const auto phantom = laid_out({.kind = TargetKind::points, .spacing_um = {100, 100, 100}});
  ASSERT_EQ(phantom.count(), 1);
  for_each_object(phantom, [](std::int64_t, const auto& body) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(body.centroid()[axis], size_um(kGrid)[axis] / 2, 0.2 + 1e-9);
  });
}

}  // namespace
}  // namespace synthoscope::simulator

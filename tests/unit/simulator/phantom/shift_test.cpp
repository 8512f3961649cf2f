// SPDX-License-Identifier: MIT
// A phantom that has moved by whole voxels has its voxels there.
#include <gtest/gtest.h>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/kinds.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/phantom_case.hpp"

namespace synthoscope::simulator {
namespace {

class Shifts : public testing::TestWithParam<test::PhantomCase> {};

TEST_P(Shifts, MoveLightAndLabelsOfEveryKindAlike) {
  if (GetParam().target == TargetKind::points) GTEST_SKIP() << "points are refused to drift";
  const Phantom still = GetParam().make();
  const Vector3 pitch = vector_of(still.grid.pitch);
  Phantom moved = still;
  shift(moved, {2 * pitch[0], -3 * pitch[1], 5 * pitch[2]});
  const Extent3 extent = still.grid.extent;
  Volume<float> light{extent}, moved_light{extent};
  Volume<std::uint16_t> labels{extent}, moved_labels{extent};
  PhantomSource{still}.read(whole(extent), light.view());
  PhantomSource{moved}.read(whole(extent), moved_light.view());
  LabelSource{still}.read(whole(extent), labels.view());
  LabelSource{moved}.read(whole(extent), moved_labels.view());
  const float brightest = *std::max_element(light.voxels.begin(), light.voxels.end());
  int other_labels = 0;
  for (std::int64_t z = 2; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y - 3; ++y)
      for (std::int64_t x = 5; x < extent.x; ++x) {
        ASSERT_NEAR(moved_light.view()(z, y, x), light.view()(z - 2, y + 3, x - 5),
                    2e-3 * brightest)
            << z << ' ' << y << ' ' << x;
        other_labels += moved_labels.view()(z, y, x) != labels.view()(z - 2, y + 3, x - 5);
      }
  EXPECT_LE(other_labels, 2) << "centres of voxels that lie on a surface";
}

TEST_P(Shifts, AndBackGiveTheSameFigures) {
  const Phantom still = GetParam().make();
  Phantom moved = still;
  shift(moved, {1, -2, 0.5});
  shift(moved, {-1, 2, -0.5});
  std::vector<std::pair<Vector3, double>> figures;
  for_each_object(still, [&](std::int64_t, const auto& body) {
    figures.emplace_back(body.centroid(), body.volume_um3());
  });
  for_each_object(moved, [&](std::int64_t id, const auto& body) {
    const auto& [centroid, volume] = figures[static_cast<std::size_t>(id - 1)];
    EXPECT_NEAR(body.volume_um3(), volume, 1e-9 * volume);
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(body.centroid()[axis], centroid[axis], 1e-9);
  });
}

INSTANTIATE_TEST_SUITE_P(Phantoms, Shifts, testing::ValuesIn(test::kPhantomCases),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator

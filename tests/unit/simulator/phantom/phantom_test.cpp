// SPDX-License-Identifier: MIT
#include "simulator/phantom/phantom.hpp"
#include <gtest/gtest.h>
#include <cstring>
#include <numeric>
#include "core/memory_stream.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

const Grid kGrid{{30, 60, 70}, {0.5, 0.3, 0.25}};

NucleiSpec population(BorderRule border = BorderRule::inside) {
  NucleiSpec s;
  s.count = 8;
  s.radius_um = 2.2;
  s.gap_um = 0.2;
  s.border = border;
  s.orientation = Orientation::random;
  s.roughness = 0.06;
  return s;
}

template <class T>
Volume<T> rendered(Source& source, const Box3& box) {
  Volume<T> out{box.size};
  source.read(box, VoxelView{out.view()});
  return out;
}

struct CutCase {
  const char* name;
  Extent3 step;
};
constexpr CutCase kCuts[] = {
    {"planes", {1, 60, 70}}, {"bricks", {7, 13, 11}}, {"rows", {30, 1, 70}}};

class PhantomCut : public testing::TestWithParam<CutCase> {};

template <class T>
void expect_equal_pieces(Source& source, const Extent3& step) {
  const auto all = rendered<T>(source, whole(kGrid.extent));
  for (std::int64_t z = 0; z < kGrid.extent.z; z += step.z)
    for (std::int64_t y = 0; y < kGrid.extent.y; y += step.y)
      for (std::int64_t x = 0; x < kGrid.extent.x; x += step.x) {
        const Box3 box = intersection({{z, y, x}, step}, whole(kGrid.extent));
        const auto piece = rendered<T>(source, box);
        for (std::int64_t i = 0; i < box.size.z; ++i)
          for (std::int64_t j = 0; j < box.size.y; ++j)
            for (std::int64_t k = 0; k < box.size.x; ++k)
              ASSERT_EQ(piece.view()(i, j, k), all.view()(z + i, y + j, x + k)) << box;
      }
}

TEST_P(PhantomCut, GivesTheSameVoxels) {
  test::TestContext run;
  const auto phantom = make_phantom(population(BorderRule::cut), kGrid, 3, run.context);
  PhantomSource photons{phantom};
  LabelSource labels{phantom};
  expect_equal_pieces<float>(photons, GetParam().step);
  expect_equal_pieces<std::uint16_t>(labels, GetParam().step);
}

INSTANTIATE_TEST_SUITE_P(Cuts, PhantomCut, testing::ValuesIn(kCuts), test::kCaseName);

TEST(Phantom, LabelsAVoxelWithTheOnlyNucleusThatHoldsItsCentre) {
  test::TestContext run;
  for (const auto border : {BorderRule::inside, BorderRule::cut}) {
    const auto phantom = make_phantom(population(border), kGrid, 4, run.context);
    LabelSource source{phantom};
    const auto labels = rendered<std::uint16_t>(source, whole(kGrid.extent));
    for (std::int64_t z = 0; z < kGrid.extent.z; ++z)
      for (std::int64_t y = 0; y < kGrid.extent.y; ++y)
        for (std::int64_t x = 0; x < kGrid.extent.x; ++x) {
          std::uint16_t expected = 0;
          for (std::size_t i = 0; i < phantom.nuclei.size(); ++i)
            if (phantom.nuclei[i].contains(vector_of(centre_of(kGrid, {z, y, x})))) {
              ASSERT_EQ(expected, 0) << "two nuclei hold one point";
              expected = static_cast<std::uint16_t>(i + 1);
            }
          ASSERT_EQ(labels.view()(z, y, x), expected);
        }
  }
}

TEST(Phantom, KeepsNucleiWhollyInsideUnlessTheyMayBeCut) {
  test::TestContext run;
  // Points just outside the lower and upper faces along x
  const auto points_beyond = [&](BorderRule border) {
    const auto phantom = make_phantom(population(border), kGrid, 5, run.context);
    int beyond = 0;
    for (const auto& nucleus : phantom.nuclei)
      for (double z = 0; z < 15; z += 0.1)
        for (double y = 0; y < 18; y += 0.1)
          for (const double x : {-1e-9, 17.5 + 1e-9}) beyond += nucleus.contains({z, y, x});
    return beyond;
  };
  EXPECT_EQ(points_beyond(BorderRule::inside), 0);
  EXPECT_GT(points_beyond(BorderRule::cut), 0);
}

TEST(Phantom, HoldsThePhotonsOfItsAnalyticVolume) {
  test::TestContext run;
  NucleiSpec spec = population();
  spec.texture_contrast = 0;
  spec.photons_per_um3 = 1000;
  const auto phantom = make_phantom(spec, kGrid, 6, run.context);
  PhantomSource source{phantom};
  const auto photons = rendered<float>(source, whole(kGrid.extent));
  const double sum = std::accumulate(photons.voxels.begin(), photons.voxels.end(), 0.0);
  double volume_um3 = 0;
  for (const auto& nucleus : phantom.nuclei) volume_um3 += nucleus.volume_um3();
  EXPECT_NEAR(sum / (1000 * volume_um3), 1, 2e-4);
}

template <class T>
std::uint64_t hash_of(Source& source) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const T voxel : rendered<T>(source, whole(kGrid.extent)).voxels) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &voxel, sizeof voxel);
    h = (h ^ bits) * 0x100000001b3u;
  }
  return h;
}

struct Hashes {
  std::uint64_t labels, photons;
  friend bool operator==(const Hashes&, const Hashes&) = default;
};

Hashes hashes(std::uint64_t seed, int threads) {
  test::TestContext run{threads};
  const auto phantom = make_phantom(population(), kGrid, seed, run.context);
  LabelSource labels{phantom};
  PhantomSource photons{phantom};
  return {hash_of<std::uint16_t>(labels), hash_of<float>(photons)};
}

TEST(Phantom, IsAFunctionOfItsSeedWhateverTheThreads) {
  EXPECT_EQ(hashes(1, 1), hashes(1, 3));
  EXPECT_NE(hashes(1, 1), hashes(2, 1));
}

/// Part of the reproducibility promise: what a seed gives does not change from version to version
/// or from machine to machine.
TEST(Phantom, OfASeedNeverChanges) {
  EXPECT_EQ(hashes(1, 1).labels, 4370900996772116035u);
  EXPECT_EQ(hashes(1, 1).photons, 14669580185245524087u);
}

TEST(Phantom, OfNoNucleiIsDark) {
  test::TestContext run;
  NucleiSpec spec = population();
  spec.count = 0;
  const auto phantom = make_phantom(spec, kGrid, 1, run.context);
  PhantomSource source{phantom};
  for (const float v : rendered<float>(source, whole(kGrid.extent)).voxels) ASSERT_EQ(v, 0);
}

struct RefusedCase {
  const char* name;
  std::int64_t count;
  double radius_um, gap_um;
  const char* fragment;
};
constexpr RefusedCase kRefused[] = {
    {"too_many", 500, 2.2, 0.2, "of 500 fit into 15.0 x 18.0 x 17.5 um"},
    {"too_large", 1, 9.0, 0.2, "smaller nuclei.radius_um"},
    {"too_far_apart", 2, 2.2, 30, "1 of 2 fit"},
    {"negative_count", -1, 2.2, 0, "nuclei.count is -1; give 0 to 65535"},
    {"zero_radius", 1, 0, 0, "nuclei.radius_um is 0"},
};
class PhantomRefused : public testing::TestWithParam<RefusedCase> {};

TEST_P(PhantomRefused, SaysWhatFits) {
  test::TestContext run;
  NucleiSpec spec = population();
  spec.count = GetParam().count;
  spec.radius_um = GetParam().radius_um;
  spec.gap_um = GetParam().gap_um;
  try {
    make_phantom(spec, kGrid, 1, run.context);
    FAIL() << "it was accepted";
  } catch (const InvalidSpec& error) {
    EXPECT_NE(std::string{error.what()}.find(GetParam().fragment), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Refused, PhantomRefused, testing::ValuesIn(kRefused), test::kCaseName);

TEST(Phantom, StopsWhenAsked) {
  test::TestContext run;
  run.stop.request();
  EXPECT_THROW(make_phantom(population(), kGrid, 1, run.context), Interrupted);
}

}  // namespace
}  // namespace synthoscope::simulator

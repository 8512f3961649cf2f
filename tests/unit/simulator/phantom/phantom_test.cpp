// SPDX-License-Identifier: MIT
#include "simulator/phantom/phantom.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstring>
#include <numeric>
#include <ostream>
#include <string>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/kinds.hpp"
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

BeadsSpec some_beads() {
  BeadsSpec s;
  s.count = 12;
  s.diameter_um = 0.9;
  s.gap_um = 0.1;
  s.border = BorderRule::cut;
  return s;
}

TargetSpec coarse(TargetKind kind) {
  TargetSpec s;
  s.kind = kind;
  if (kind == TargetKind::lines) s.diameter_um = 1.1;
  s.thickness_um = 0.9;
  return s;
}

PhantomSpec every_kind(TargetKind target) {
  return {population(BorderRule::cut), some_beads(), coarse(target)};
}

/// Nuclei of one lobe or two that overlap, with nucleoli.
PhantomSpec overlapping() {
  PhantomSpec s{population(BorderRule::cut), some_beads(), {}};
  set_typical(s.nuclei, NucleiKind::granulocyte);
  s.nuclei.count = 16;
  s.nuclei.fewest_lobes = 1;
  s.nuclei.most_lobes = 2;
  s.nuclei.gap_um = -0.8;
  s.nuclei.clustering = 1;
  s.nuclei.nucleoli = 2;
  s.nuclei.texture = TextureKind::perlin;
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

TEST_P(PhantomCut, GivesTheSameVoxelsOfEveryKindOfObject) {
  test::TestContext run;
  for (const auto& [target, name] : kTargetKindNames) {
    SCOPED_TRACE(name);
    const auto phantom = make_phantom(every_kind(target), kGrid, 3, run.context);
    PhantomSource photons{phantom};
    LabelSource labels{phantom};
    expect_equal_pieces<float>(photons, GetParam().step);
    expect_equal_pieces<std::uint16_t>(labels, GetParam().step);
  }
}

TEST_P(PhantomCut, GivesTheSameVoxelsOfNucleiThatOverlap) {
  test::TestContext run;
  const auto phantom = make_phantom(overlapping(), kGrid, 3, run.context);
  PhantomSource photons{phantom};
  LabelSource labels{phantom};
  expect_equal_pieces<float>(photons, GetParam().step);
  expect_equal_pieces<std::uint16_t>(labels, GetParam().step);
}

INSTANTIATE_TEST_SUITE_P(Cuts, PhantomCut, testing::ValuesIn(kCuts), test::kCaseName);

TEST(Phantom, LabelsAreThoseThatAreGivenAndLeaveTheBackgroundAlone) {
  test::TestContext run;
  const auto phantom = make_phantom(every_kind(TargetKind::lines), kGrid, 4, run.context);
  std::vector<std::uint16_t> given;
  for (std::int64_t id = 1; id <= phantom.count(); ++id)
    given.push_back(static_cast<std::uint16_t>(65535 - 3 * id));
  LabelSource first{phantom}, later{phantom, given};
  auto labels = rendered<std::uint16_t>(first, whole(kGrid.extent));
  for (std::uint16_t& label : labels.voxels)
    if (label != 0) label = static_cast<std::uint16_t>(65535 - 3 * label);
  EXPECT_EQ(rendered<std::uint16_t>(later, whole(kGrid.extent)).voxels, labels.voxels);
}

TEST(Phantom, LabelsAVoxelWithTheFirstObjectThatHoldsItsCentre) {
  test::TestContext run;
  for (const auto& [target, name] : kTargetKindNames) {
    const auto phantom = make_phantom(every_kind(target), kGrid, 4, run.context);
    LabelSource source{phantom};
    const auto labels = rendered<std::uint16_t>(source, whole(kGrid.extent));
    for (std::int64_t z = 0; z < kGrid.extent.z; ++z)
      for (std::int64_t y = 0; y < kGrid.extent.y; ++y)
        for (std::int64_t x = 0; x < kGrid.extent.x; ++x) {
          const Vector3 centre = vector_of(centre_of(kGrid, {z, y, x}));
          std::int64_t expected = 0;
          for_each_object(phantom, [&](std::int64_t id, const auto& body) {
            if (!body.contains(centre)) return;
            const bool is_target = id > 8 + 12;
            ASSERT_TRUE(expected == 0 || is_target) << "nuclei or beads hold one point";
            if (expected == 0) expected = id;
          });
          ASSERT_EQ(labels.view()(z, y, x), expected) << name;
        }
  }
}

TEST(ObjectIndex, AsksOfAPlaneOnlyObjectsThatLieNearIt) {
  test::TestContext run;
  for (const auto& [target, name] : kTargetKindNames) {
    const auto phantom = make_phantom(every_kind(target), kGrid, 4, run.context);
    const ObjectIndex index{phantom};
    for (const std::int64_t depth : {1, 5}) {
      for (std::int64_t z = 0; z + depth <= kGrid.extent.z; ++z) {
        const double low = 0.5 * static_cast<double>(z);
        const double high = low + 0.5 * static_cast<double>(depth);
        std::vector<std::int64_t> touching, close;
        for_each_object(phantom, [&](std::int64_t id, const auto& body) {
          const auto within = [&](double um) {
            return body.bounds().high[0] >= low - um && body.bounds().low[0] <= high + um;
          };
          if (within(0)) touching.push_back(id);
          if (within(1.01)) close.push_back(id);
        });
        const auto found = index.near({{z, 3, 3}, {depth, 9, 9}});
        EXPECT_TRUE(std::is_sorted(found.begin(), found.end())) << name;
        EXPECT_TRUE(std::includes(found.begin(), found.end(), touching.begin(), touching.end()));
        EXPECT_TRUE(std::includes(close.begin(), close.end(), found.begin(), found.end()));
      }
    }
  }
}

TEST(Phantom, NumbersNucleiThenBeadsThenTheTarget) {
  test::TestContext run;
  const auto phantom = make_phantom(every_kind(TargetKind::shells), kGrid, 4, run.context);
  std::int64_t last = 0;
  std::string classes;
  for_each_object(phantom, [&](std::int64_t id, const auto& body) {
    EXPECT_EQ(id, ++last);
    classes += body.kClass[0];
  });
  EXPECT_EQ(last, phantom.count());
  EXPECT_EQ(phantom.count(), number_of(phantom.spec, kGrid));
  EXPECT_EQ(classes, "nnnnnnnnbbbbbbbbbbbb" + std::string(3 * 4 * 4, 's'));
}

TEST(Phantom, GivesWhatNucleiShareToTheFirstOfThem) {
  test::TestContext run;
  PhantomSpec spec = overlapping();
  spec.beads = {};
  spec.nuclei.texture = TextureKind::none;
  spec.nuclei.nucleoli = 0;
  const auto phantom = make_phantom(spec, kGrid, 3, run.context);
  PhantomSource light{phantom};
  LabelSource source{phantom};
  const Box3 box{{8, 15, 15}, {12, 30, 40}};
  const auto photons = rendered<float>(light, box);
  const auto labels = rendered<std::uint16_t>(source, box);
  const double full = spec.nuclei.photons_per_um3 * 0.5 * 0.3 * 0.25;
  std::int64_t shared = 0;
  double sum = 0, lit = 0;
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (std::int64_t x = 0; x < box.size.x; ++x) {
        const Vector3 centre =
            vector_of(centre_of(kGrid, {box.origin.z + z, box.origin.y + y, box.origin.x + x}));
        std::vector<std::size_t> holding;
        for (std::size_t i = 0; i < phantom.nuclei.size(); ++i)
          if (phantom.nuclei[i].contains(centre)) holding.push_back(i + 1);
        shared += holding.size() > 1;
        lit += sampled_share(centre, vector_of(kGrid.pitch), [&](const Vector3& p) {
          return std::any_of(phantom.nuclei.begin(), phantom.nuclei.end(),
                             [&](const Nucleus& n) { return n.contains(p); });
        });
        ASSERT_EQ(labels.view()(z, y, x), holding.empty() ? 0 : holding.front());
        ASSERT_LE(photons.view()(z, y, x), full * 1.000001);
        sum += photons.view()(z, y, x);
      }
  EXPECT_GT(shared, 20) << "no two nuclei overlap";
  EXPECT_NEAR(sum / (full * lit), 1, 1e-6);
}

TEST(Phantom, KeepsNucleiWhollyInsideUnlessTheyMayBeCut) {
  test::TestContext run;
  // Points just outside the lower and upper faces along x
  const auto points_beyond = [&](BorderRule border) {
    const auto phantom = make_phantom({population(border)}, kGrid, 5, run.context);
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
  const auto phantom = make_phantom({spec}, kGrid, 6, run.context);
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

Hashes hashes(const PhantomSpec& spec, std::uint64_t seed, int threads) {
  test::TestContext run{threads};
  const auto phantom = make_phantom(spec, kGrid, seed, run.context);
  LabelSource labels{phantom};
  PhantomSource photons{phantom};
  return {hash_of<std::uint16_t>(labels), hash_of<float>(photons)};
}

TEST(Phantom, IsAFunctionOfItsSeedWhateverTheThreads) {
  const PhantomSpec spec = every_kind(TargetKind::shells);
  for (const int threads : {2, 7}) EXPECT_EQ(hashes(spec, 1, 1), hashes(spec, 1, threads));
  EXPECT_NE(hashes(spec, 1, 1), hashes(spec, 2, 1));
}

/// Part of the reproducibility promise: what a seed gives does not change from version to version
/// or from machine to machine.
struct GoldenCase {
  const char* name;
  PhantomSpec spec;
  Hashes hashes;
  friend std::ostream& operator<<(std::ostream& out, const GoldenCase& c) { return out << c.name; }
};
PhantomSpec alone(const BeadsSpec& beads, TargetKind target) {
  PhantomSpec s{population(), beads, coarse(target)};
  s.nuclei.count = 0;
  return s;
}
const GoldenCase kGolden[] = {
    {"nuclei", {population()}, {4370900996772116035u, 11953917057863674133u}},
    {"overlapping_nuclei", overlapping(), {5065586010233615027u, 8105614746076515873u}},
    {"beads", alone(some_beads(), TargetKind::none), {15093146526969964786u, 9676748518488635254u}},
    {"points", alone({}, TargetKind::points), {15647013910084129173u, 4607866278515492581u}},
    {"lines", alone({}, TargetKind::lines), {15707284900910863365u, 1469368709040180805u}},
    {"shells", alone({}, TargetKind::shells), {11936296436716701509u, 7605026569499108469u}},
    {"star", alone({}, TargetKind::star), {11719896567338063989u, 11234888459485832933u}},
};
class PhantomOfASeed : public testing::TestWithParam<GoldenCase> {};

TEST_P(PhantomOfASeed, NeverChanges) {
  const Hashes found = hashes(GetParam().spec, 1, 1);
  EXPECT_EQ(found.labels, GetParam().hashes.labels);
  EXPECT_EQ(found.photons, GetParam().hashes.photons);
}

INSTANTIATE_TEST_SUITE_P(Golden, PhantomOfASeed, testing::ValuesIn(kGolden), test::kCaseName);

TEST(Phantom, OfNoNucleiIsDark) {
  test::TestContext run;
  NucleiSpec spec = population();
  spec.count = 0;
  const auto phantom = make_phantom({spec}, kGrid, 1, run.context);
  PhantomSource source{phantom};
  for (const float v : rendered<float>(source, whole(kGrid.extent)).voxels) ASSERT_EQ(v, 0);
}

TEST(Phantom, StopsWhenAsked) {
  test::TestContext run;
  run.stop.request();
  EXPECT_THROW(make_phantom({population()}, kGrid, 1, run.context), Interrupted);
}

}  // namespace
}  // namespace synthoscope::simulator

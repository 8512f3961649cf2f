// SPDX-License-Identifier: MIT
// By the tables that a device is given, parts are folded, convolved and unfolded to what the
// definition says; and what is counted of them grows and shrinks as it should.
#include <gtest/gtest.h>
#include <complex>
#include "fftconv/device/parts/tables.hpp"
#include "fftconv/plan/cuts/candidates.hpp"
#include "fftconv/plan/gpu/parts_layout.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/direct_convolution.hpp"
#include "tests/support/run_convolution.hpp"

namespace synthoscope::fftconv::device {
namespace {

using Complex = std::complex<double>;

struct LineCase {
  const char* name;
  std::int64_t image, kernel, center;
  Boundary boundary = Boundary::zero;
  Shape shape = Shape::same;
  bool correlate = false;
};

constexpr LineCase kLines[] = {
    {"as_long_as_its_kernel", 24, 24, 11},
    {"kernel_before_zero", 17, 6, 5},
    {"kernel_behind_zero", 17, 6, 0},
    {"shorter_than_its_kernel", 5, 19, 9},
    {"full_correlation", 13, 8, 2, Boundary::zero, Shape::full, true},
    {"valid", 29, 11, 3, Boundary::zero, Shape::valid},
    {"reflected", 14, 9, 4, Boundary::reflect, Shape::same, true},
    {"wrapped", 10, 21, 7, Boundary::wrap},
};

Problem problem_of(const LineCase& c) {
  Problem p;
  p.image = {c.image, 1, 1};
  p.kernel = {c.kernel, 1, 1};
  p.center = {c.center, 0, 0};
  p.boundary = c.boundary;
  p.shape = c.shape;
  p.correlate = c.correlate;
  return p;
}

Layout layout_in_parts(const Problem& problem, std::int64_t parts) {
  const std::int64_t least = make_layout(problem, {1, 1, 2}).z.min_length;
  Cut cut{wanted_extent(problem)};
  cut.parts = parts;
  return make_layout(problem, {(least + 2 * parts - 1) / (2 * parts), 1, 2}, cut);
}

Complex rotation_at(const SharedPlanes& shared, std::int64_t part, std::int64_t entry) {
  const auto at = static_cast<std::size_t>(2 * (part * shared.entries() + entry));
  return {shared.rotations[at], shared.rotations[at + 1]};
}

/// As fold_rows does it.
std::vector<Complex> folded(const SharedPlanes& shared, std::int64_t part,
                            const std::vector<double>& voxels) {
  std::vector<Complex> planes(shared.begin.size() - 1);
  for (std::size_t m = 0; m < planes.size(); ++m)
    for (int i = shared.begin[m]; i < shared.begin[m + 1]; ++i)
      planes[m] += rotation_at(shared, part, i) *
                   voxels[static_cast<std::size_t>(shared.planes[static_cast<std::size_t>(i)])];
  return planes;
}

class PartsTables : public testing::TestWithParam<LineCase> {};

TEST_P(PartsTables, FoldAndUnfoldAConvolution) {
  const Problem problem = problem_of(GetParam());
  const auto image = test::noise(problem.image, 1, -1, 1), kernel = test::noise(problem.kernel, 2);
  const auto expected = test::direct_convolution(image, kernel, problem);
  for (const std::int64_t parts : {1, 2, 3, 5}) {
    const Layout layout = layout_in_parts(problem, parts);
    const Decimation d = decimation_of(layout);
    const FoldInput f = image_to_fold(layout, WorkAxes{}, {}, 0);
    const FoldInput g = kernel_to_fold(layout, {});
    const auto kept = folded_planes(g, d);
    ASSERT_EQ(static_cast<std::int64_t>(kept.size()), layout.kernel_planes / 2);
    const auto image_tables = shared_when_folded(f, d, all_planes(d));
    const auto kernel_tables = shared_when_folded(g, d, kept);
    const auto result_tables = shared_when_unfolded(d, layout.z.wanted);
    std::vector<double> result(static_cast<std::size_t>(layout.z.wanted));
    for (std::int64_t part = 0; part < parts; ++part) {
      const auto fp = folded(image_tables, part, image.voxels);
      const auto gp = folded(kernel_tables, part, kernel.voxels);
      std::vector<Complex> cp(fp.size());
      for (std::size_t i = 0; i < fp.size(); ++i)
        for (std::size_t k = 0; k < gp.size(); ++k) {
          const std::size_t position = static_cast<std::size_t>(kept[k]);
          cp[(i + position) % cp.size()] += fp[i] * gp[k];
        }
      for (std::size_t m = 0; m < cp.size(); ++m)
        for (int i = result_tables.begin[m]; i < result_tables.begin[m + 1]; ++i)
          result[static_cast<std::size_t>(result_tables.planes[static_cast<std::size_t>(i)])] +=
              (std::conj(rotation_at(result_tables, part, i)) * cp[m]).real() /
              static_cast<double>(parts);
    }
    for (std::size_t v = 0; v < result.size(); ++v)
      EXPECT_NEAR(result[v], static_cast<double>(expected.voxels[v]), 1e-5)
          << parts << " parts, voxel " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, PartsTables, testing::ValuesIn(kLines), test::kCaseName);

TEST(PartsTables, PairsAreOnePlaneOfAPart) {
  const SharedPlanes pairs = shared_in_pairs(3);
  const auto planes = folded(pairs, 0, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(planes, (std::vector<Complex>{{1, 2}, {3, 4}, {5, 6}}));
}

/// Bit by bit, so that it does not matter to a result how it was folded.
TEST(FoldParts, GivesWhatFoldingEveryPartDoes) {
  const Extent3 extent{23, 7, 11};
  auto voxels = test::noise(extent, 5, -1, 1);
  MemorySource source{ConstVoxelView{std::as_const(voxels).view()}};
  const Decimation d{3, 5};
  for (const double background : {0.0, 0.3}) {
    FoldInput input{&source, 0.7, background, {}};
    for (std::int64_t z = 0; z < extent.z; ++z)
      input.planes.push_back({z + 2, z, 1 + 0.1 * static_cast<double>(z)});
    MemoryBudget memory{1 << 20};
    std::vector<Scratch<float>> scratch(1);
    scratch[0].fold = {memory, 1 << 12, "voxels to fold"};
    FoldedSource<float> folded{
        input, WorkAxes{}, d, all_planes(d), *available_lane_functions<float>().front(), scratch};
    const Box3 rows{{0, 2, 1}, {1, 4, 9}};
    const auto count = static_cast<std::size_t>(volume(rows.size));
    TaskPool pool{1};
    pool.for_each(d.planes, [&](std::int64_t m) {
      std::vector<float> all(2 * count * 3), one(2 * count);
      folded.fold_parts(m, rows, all.data());
      for (std::int64_t part = 0; part < d.parts; ++part) {
        folded.set_part(part);
        folded.fold(m, rows, one.data(), one.data() + count);
        EXPECT_TRUE(std::equal(one.begin(), one.end(),
                               all.begin() + 2 * static_cast<std::ptrdiff_t>(count) * part))
            << "plane " << m << ", part " << part;
      }
    });
  }
}

class PartsSizes : public testing::Test {
 protected:
  static PartsLayout layout_of(std::int64_t parts, bool device_folds) {
    Problem p;
    p.image = p.kernel = {512, 512, 512};
    p.center = {255, 255, 255};
    p.source_voxel_bytes = 2;
    p.kernel_voxel_bytes = 4;
    const Candidate candidate = parts_candidates(p, HostSite{}, parts).front();
    Cut cut = candidate.cut;
    cut.fold_on_device = device_folds;
    cut.batch_planes = 8;
    return make_parts_layout(p, candidate.transform, cut, {227 << 10, 1024, 65536});
  }
  static std::int64_t device_bytes(const PartsLayout& parts) {
    std::int64_t bytes = 0;
    for (const MemoryItem& item : device_memory_of(parts)) bytes += item.bytes;
    return bytes;
  }
};

TEST_F(PartsSizes, MorePartsTakeLessOfTheDevice) {
  for (const bool device_folds : {false, true}) {
    std::int64_t before = std::int64_t{1} << 62;
    for (const std::int64_t parts : {1, 2, 4, 8, 16}) {
      const std::int64_t bytes = device_bytes(layout_of(parts, device_folds));
      EXPECT_LT(bytes, before);
      before = bytes;
    }
  }
}

TEST_F(PartsSizes, AreFoldedAheadWhereThatMovesLess) {
  for (const std::int64_t parts : {1, 4, 16}) {
    const PartsLayout p = layout_of(parts, false);
    EXPECT_EQ(p.folds_ahead, parts == 16) << parts;
    EXPECT_FALSE(layout_of(parts, true).folds_ahead);
    if (p.folds_ahead) {
      EXPECT_GE(thread_bytes_of(p), ahead_pieces_at(p) + 2 * parts * 4 * ahead_piece_rows(p) * 512);
    }
  }
}

TEST_F(PartsSizes, VoxelsCrossTheLinkOnceWhereTheDeviceFolds) {
  const std::int64_t voxels = std::int64_t{512} * 512 * 512;
  for (const std::int64_t parts : {1, 4, 16}) {
    const PartsLayout p = layout_of(parts, true);
    const std::int64_t waiting = 2 * parts * p.decimation.planes * 512 * 512 * 4;
    EXPECT_EQ(device_bytes(p), (2 + 4) * voxels + waiting + p.table_bytes +
                                   2 * p.decimation.planes * p.plane_values * 8 + kCountBytes);
  }
}

}  // namespace
}  // namespace synthoscope::fftconv::device

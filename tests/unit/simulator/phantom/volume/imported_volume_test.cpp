// SPDX-License-Identifier: MIT
#include "simulator/phantom/volume/imported_volume.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include "imageio/open.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/image_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

constexpr VoxelSize kPitch{0.6, 0.3, 0.2};  // of the file
const Extent3 kVoxels{7, 11, 13};

/// Whole numbers below `most` without order.
template <class T>
Volume<T> scattered(int most, const Extent3& extent = kVoxels) {
  Volume<T> made{extent};
  for (std::size_t i = 0; i < made.voxels.size(); ++i)
    made.voxels[i] = static_cast<T>(i * 7919 % 101 % static_cast<std::size_t>(most));
  return made;
}

template <class T>
Volume<T> rendered(Source&& source, const Box3& box) {
  Volume<T> out{box.size};
  source.read(box, VoxelView{out.view()});
  return out;
}

template <class T>
double sum_of(const Volume<T>& voxels) {
  return std::accumulate(voxels.voxels.begin(), voxels.voxels.end(), 0.0);
}

class ImportedVolumes : public testing::Test {
 protected:
  Phantom make(const Grid& grid) {
    PhantomSpec spec{.volume = volume};
    spec.nuclei.count = 0;
    return make_phantom(spec, grid, 1, run.context);
  }
  template <class T>
  std::filesystem::path file(const char* name, const Volume<T>& voxels) {
    test::write_image(folder / name, voxels, kPitch);
    return folder / name;
  }
  test::TestContext run;
  test::TemporaryFolder folder;
  VolumeSpec volume;
};

struct GridCase {
  const char* name;
  Grid grid;
  Point3 corner;
};
// Grids that hold the file's 4.2 x 3.3 x 2.6 um wherever it lies; edges of both are multiples of
// 0.05 um
constexpr GridCase kGrids[] = {
    {"equal", {{7, 11, 13}, kPitch}, {0, 0, 0}},
    {"equal_but_shifted", {{9, 13, 15}, kPitch}, {0.6, 0.3, 0.2}},
    {"shifted_by_parts", {{9, 13, 15}, kPitch}, {0.35, 0.2, 0.15}},
    {"finer", {{45, 70, 56}, {0.1, 0.05, 0.05}}, {0.15, 0.1, 0.05}},
    {"coarser", {{4, 5, 6}, {1.25, 0.75, 0.5}}, {0.5, 0.2, 0.35}},
    {"finer_and_coarser", {{50, 5, 10}, {0.1, 0.75, 0.3}}, {0.05, 0.05, 0.2}},
    {"one_voxel", {{1, 1, 1}, {5, 4, 3}}, {0.3, 0.4, 0.1}},
};
class VolumeOnGrid : public ImportedVolumes, public testing::WithParamInterface<GridCase> {};

/// What a grid voxel holds, counted in cells of 0.05 um that all edges are multiples of.
template <class ValueOfFile>
double counted(const GridCase& c, const Index3& at, ValueOfFile&& value) {
  constexpr double kCell = 0.05;
  const auto cells = [](double um) { return std::llround(um / kCell); };
  const Vector3 pitch = vector_of(c.grid.pitch), corner = vector_of(c.corner),
                file = vector_of(kPitch);
  const std::int64_t index[] = {at.z, at.y, at.x};
  std::int64_t begin[3] = {}, end[3] = {}, shift[3] = {}, wide[3] = {};
  for (std::size_t a = 0; a < 3; ++a) {
    begin[a] = index[a] * cells(pitch[a]);
    end[a] = begin[a] + cells(pitch[a]);
    shift[a] = cells(corner[a]);
    wide[a] = cells(file[a]);
  }
  const auto voxel = [&](std::size_t a, std::int64_t cell) {
    return static_cast<std::int64_t>(
        std::floor(static_cast<double>(cell - shift[a]) / static_cast<double>(wide[a])));
  };
  double sum = 0;
  for (std::int64_t z = begin[0]; z < end[0]; ++z)
    for (std::int64_t y = begin[1]; y < end[1]; ++y)
      for (std::int64_t x = begin[2]; x < end[2]; ++x) {
        const Index3 there{voxel(0, z), voxel(1, y), voxel(2, x)};
        if (contains(kVoxels, {there, {1, 1, 1}})) sum += value(there);
      }
  return sum / static_cast<double>(wide[0] * wide[1] * wide[2]);
}

TEST_P(VolumeOnGrid, HasTheLightOfItsVoxelsAndNoMore) {
  const GridCase& c = GetParam();
  const auto values = scattered<float>(60);
  volume.intensity = file("light.tif", values);
  volume.corner = c.corner;
  volume.photons_per_value = 2.5;
  const auto light = rendered<float>(PhantomSource{make(c.grid)}, whole(c.grid.extent));
  EXPECT_NEAR(sum_of(light) / (2.5 * sum_of(values)), 1, 1e-6);
  for (std::int64_t z = 0; z < c.grid.extent.z; ++z)
    for (std::int64_t y = 0; y < c.grid.extent.y; ++y)
      for (std::int64_t x = 0; x < c.grid.extent.x; ++x) {
        const double expected = 2.5 * counted(c, {z, y, x}, [&](const Index3& i) {
                                  return static_cast<double>(values.view()(i.z, i.y, i.x));
                                });
        ASSERT_NEAR(light.view()(z, y, x), expected, 1e-5 * (1 + expected)) << z << ' ' << y;
      }
}

TEST_P(VolumeOnGrid, HasTheLabelOfTheVoxelThatHoldsACentreAndItsLight) {
  const GridCase& c = GetParam();
  const auto file_labels = scattered<std::uint16_t>(4);
  volume.labels = file("labels.tif", file_labels);
  volume.corner = c.corner;
  volume.photons_per_um3 = 300;
  const Phantom phantom = make(c.grid);
  ASSERT_EQ(phantom.count(), 3);
  const auto labels = rendered<std::uint16_t>(LabelSource{phantom}, whole(c.grid.extent));
  const auto light = rendered<float>(PhantomSource{phantom}, whole(c.grid.extent));
  double um3 = 0;
  for (const Region& region : phantom.regions) um3 += region.volume_um3();
  EXPECT_NEAR(sum_of(light) / (300 * um3), 1, 1e-6);
  const Vector3 corner = vector_of(c.corner), pitch = vector_of(kPitch);
  for (std::int64_t z = 0; z < c.grid.extent.z; ++z)
    for (std::int64_t y = 0; y < c.grid.extent.y; ++y)
      for (std::int64_t x = 0; x < c.grid.extent.x; ++x) {
        const Vector3 from = vector_of(centre_of(c.grid, {z, y, x})) - corner;
        const auto voxel = [&](std::size_t a) {
          return static_cast<std::int64_t>(std::floor(from[a] / pitch[a]));
        };
        const Index3 at{voxel(0), voxel(1), voxel(2)};
        const int expected =
            contains(kVoxels, {at, {1, 1, 1}}) ? file_labels.view()(at.z, at.y, at.x) : 0;
        ASSERT_EQ(labels.view()(z, y, x), expected) << at.z << ' ' << at.y << ' ' << at.x;
      }
}

TEST_P(VolumeOnGrid, HasTheSameVoxelsInAnyBox) {
  const GridCase& c = GetParam();
  volume.labels = file("labels.tif", scattered<std::uint16_t>(6));
  volume.intensity = file("light.tif", scattered<float>(90));
  volume.corner = c.corner;
  const Phantom phantom = make(c.grid);
  const auto light = rendered<float>(PhantomSource{phantom}, whole(c.grid.extent));
  const auto labels = rendered<std::uint16_t>(LabelSource{phantom}, whole(c.grid.extent));
  for (std::int64_t z = 0; z < c.grid.extent.z; ++z)
    for (std::int64_t y = 0; y < c.grid.extent.y; y += 3) {
      const Box3 row = intersection({{z, y, 1}, {1, 3, 4}}, whole(c.grid.extent));
      if (!is_positive(row.size)) continue;
      const auto piece = rendered<float>(PhantomSource{phantom}, row);
      const auto marked = rendered<std::uint16_t>(LabelSource{phantom}, row);
      for (std::int64_t i = 0; i < row.size.y; ++i)
        for (std::int64_t k = 0; k < row.size.x; ++k) {
          ASSERT_EQ(piece.view()(0, i, k), light.view()(z, y + i, 1 + k));
          ASSERT_EQ(marked.view()(0, i, k), labels.view()(z, y + i, 1 + k));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Grids, VolumeOnGrid, testing::ValuesIn(kGrids), test::kCaseName);

TEST_F(ImportedVolumes, OfOurOwnMaskGiveTheMaskAgain) {
  const Grid grid{{20, 50, 60}, {0.5, 0.3, 0.25}};
  PhantomSpec spec;
  spec.nuclei.count = 6;
  spec.nuclei.radius_um = 2;
  const auto nuclei = make_phantom(spec, grid, 4, run.context);
  const auto mask = rendered<std::uint16_t>(LabelSource{nuclei}, whole(grid.extent));
  for (const char* name : {"mask.ome.tif", "mask.h5"}) {
    test::write_image(folder / name, mask, grid.pitch);
    volume.labels = folder / name;
    const auto again = rendered<std::uint16_t>(LabelSource{make(grid)}, whole(grid.extent));
    EXPECT_EQ(again.voxels, mask.voxels) << name;
  }
  EXPECT_TRUE(run.log.warnings.empty());
}

TEST_F(ImportedVolumes, KeepTheLabelsOfTheFileAndSayWhereTheyLie) {
  Volume<std::int32_t> voxels{{3, 4, 5}};
  voxels.view()(1, 2, 3) = voxels.view()(1, 2, 4) = 70000;
  voxels.view()(2, 0, 0) = 12;
  volume.labels = file("labels.tif", voxels);
  const Phantom phantom = make({{3, 4, 5}, kPitch});
  ASSERT_EQ(phantom.regions.size(), 2U);
  EXPECT_EQ(phantom.regions[0].file_label, 12);
  EXPECT_EQ(phantom.regions[1].file_label, 70000);
  EXPECT_NEAR(phantom.regions[1].volume_um3(), 2 * 0.6 * 0.3 * 0.2, 1e-12);
  const Vector3 middle = phantom.regions[1].centroid();
  EXPECT_NEAR(middle[0], 1.5 * 0.6, 1e-12);
  EXPECT_NEAR(middle[1], 2.5 * 0.3, 1e-12);
  EXPECT_NEAR(middle[2], 4 * 0.2, 1e-12);
}

TEST_F(ImportedVolumes, AreDarkAtTheirBackgroundAndBelow) {
  Volume<float> values{{1, 1, 3}};
  values.voxels = {90, 100, 130};
  volume.intensity = file("light.tif", values);
  volume.background = 100;
  volume.photons_per_value = 2;
  const auto light = rendered<float>(PhantomSource{make({{1, 1, 3}, kPitch})}, {{}, {1, 1, 3}});
  EXPECT_NEAR(light.voxels[0], 0, 1e-10);
  EXPECT_NEAR(light.voxels[1], 0, 1e-10);
  EXPECT_NEAR(light.voxels[2], 60, 1e-4);
}

TEST_F(ImportedVolumes, WarnOfWhatLiesOutsideTheGrid) {
  volume.labels = file("labels.tif", scattered<std::uint16_t>(4));
  static_cast<void>(make({{7, 11, 10}, kPitch}));
  ASSERT_EQ(run.log.warnings.size(), 1U);
  EXPECT_NE(run.log.warnings.front().find("outside"), std::string::npos);
}

TEST_F(ImportedVolumes, TakeNoMoreThanIsCounted) {
  volume.labels = file("labels.tif", scattered<std::uint16_t>(50));
  volume.intensity = file("light.tif", scattered<float>(50));
  EXPECT_GE(volume_bytes(volume), 7 * 11 * 13 * 6);
}

TEST_F(ImportedVolumes, ThatAreNoneAreRefusedByNameAndPlace) {
  const Grid grid{{7, 11, 13}, kPitch};
  const auto refused = [&](auto failure, std::initializer_list<const char*> words) {
    test::expect_failure<decltype(failure)>([&] { static_cast<void>(make(grid)); }, words);
  };
  const InvalidInput bad_input{""};
  volume.labels = file("half.tif", Volume<float>{{1, 1, 2}});
  Volume<float> broken{{1, 2, 3}};
  broken.view()(0, 1, 2) = 1.5F;
  volume.labels = file("parts.tif", broken);
  refused(bad_input, {"volume.labels", "parts.tif", "(0, 1, 2) is 1.5", "whole numbers"});
  broken.view()(0, 1, 2) = -3;
  volume.labels = file("negative.tif", broken);
  refused(bad_input, {"(0, 1, 2) is -3", "at least 0"});
  Volume<std::uint32_t> many{{1, 257, 256}};
  std::iota(many.voxels.begin(), many.voxels.end(), 1U);
  volume.labels = file("many.tif", many);
  refused(bad_input, {"volume.labels", "more than 65535 labels"});
  test::write_image(folder / "bare.tif", scattered<std::uint16_t>(3));
  volume.labels = folder / "bare.tif";
  refused(InvalidSpec{""}, {"volume.pitch_nm", "bare.tif", "the size of its voxels"});
  volume.labels = folder / "none.tif";
  refused(IoError{""}, {"none.tif", "no such file"});
  volume.labels = file("labels.tif", scattered<std::uint16_t>(3));
  volume.intensity = file("small.tif", scattered<float>(3, {7, 11, 12}));
  refused(bad_input, {"small.tif", "7x11x12", "equal size"});
  broken.view()(0, 1, 2) = NAN;
  volume.labels.reset();
  volume.intensity = file("nan.tif", broken);
  refused(bad_input, {"volume.intensity", "nan.tif", "(0, 1, 2)", "finite"});
}

struct RealCase {
  const char *name, *file;
  std::size_t objects;
  Extent3 voxels;
};
constexpr RealCase kRealFiles[] = {
    {"embryo", "embryo_labels_3d.tif", 36, {103, 256, 256}},
    {"nuclei", "nuclei_bbbc007_1_masks.tif", 2, {1, 104, 102}},
};
class RealVolume : public ImportedVolumes, public testing::WithParamInterface<RealCase> {};

TEST_P(RealVolume, IsThereLabelForLabel) {
  const char* const data = std::getenv("SYNTHOSCOPE_TEST_DATA");
  if (!data) GTEST_SKIP() << "SYNTHOSCOPE_TEST_DATA names no folder of real images";
  const RealCase& c = GetParam();
  volume.labels = std::filesystem::path{data} / c.file;
  volume.pitch = VoxelSize{0.8, 0.41, 0.41};
  const Grid grid{c.voxels, *volume.pitch};
  const Phantom phantom = make(grid);
  ASSERT_EQ(phantom.regions.size(), c.objects);
  const auto labels = rendered<std::uint16_t>(LabelSource{phantom}, whole(grid.extent));
  const auto opened = imageio::open_image(*volume.labels);
  const auto expected = read_all<double>(*opened.source);
  std::size_t differing = 0;
  for (std::size_t i = 0; i < labels.voxels.size(); ++i) {
    const std::size_t id = labels.voxels[i];
    const auto label = id == 0 ? 0.0 : static_cast<double>(phantom.regions[id - 1].file_label);
    differing += label != expected.voxels[i];
  }
  EXPECT_EQ(differing, 0U);
}

INSTANTIATE_TEST_SUITE_P(Files, RealVolume, testing::ValuesIn(kRealFiles), test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// Levels of a pyramid: their sizes, and what their voxels are made of.
#include "imageio/chunks/pyramid.hpp"
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <mutex>
#include <utility>
#include <vector>
#include "core/base/error.hpp"
#include "core/run/stop.hpp"
#include "core/run/task_pool.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

TEST(Pyramid, HalvesEveryAxisUntilTheLongestIsSmall) {
  EXPECT_EQ(pyramid_extents({40, 256, 256}), (std::vector<Extent3>{{40, 256, 256}}));
  EXPECT_EQ(pyramid_extents({1, 257, 3}), (std::vector<Extent3>{{1, 257, 3}, {1, 129, 2}}));
  EXPECT_EQ(pyramid_extents({9, 600, 1025}),
            (std::vector<Extent3>{{9, 600, 1025}, {5, 300, 513}, {3, 150, 257}, {2, 75, 129}}));
}

TEST(Pyramid, CountsVoxelsOfTheWholeAlongEachAxis) {
  EXPECT_EQ(pyramid_factor({9, 600, 1025}, 0), (Extent3{1, 1, 1}));
  EXPECT_EQ(pyramid_factor({9, 600, 1025}, 3), (Extent3{8, 8, 8}));
  EXPECT_EQ(pyramid_factor({1, 600, 1025}, 2), (Extent3{1, 4, 4}));
}

template <class T>
std::vector<T> shrunk(std::vector<T> voxels, const Extent3& from, const Extent3& to, Shrink how) {
  std::vector<T> made(static_cast<std::size_t>(volume(to)));
  shrink(HostView3<const T>{voxels.data(), from}, how, HostView3<T>{made.data(), to});
  return made;
}

TEST(Shrink, MeansOfIntegersAreRoundedHalvesUp) {
  const std::vector<std::uint16_t> voxels{1, 2, 65535, 65535, 0, 1, 65535, 65534};
  EXPECT_EQ(shrunk(voxels, {1, 2, 4}, {1, 1, 2}, Shrink::mean),
            (std::vector<std::uint16_t>{1, 65535}));
  EXPECT_EQ(shrunk<std::int16_t>({-3, -2}, {1, 1, 2}, {1, 1, 1}, Shrink::mean),
            (std::vector<std::int16_t>{-2}));
}

TEST(Shrink, AtTheFarFacesMeansAreThoseOfTheVoxelsThatAreThere) {
  EXPECT_EQ(shrunk<float>({1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 3, 3}, {1, 2, 2}, Shrink::mean),
            (std::vector<float>{3, 4.5F, 7.5F, 9}));
}

TEST(Shrink, LabelsAreThoseOfMostVoxelsAndNeverNew) {
  EXPECT_EQ(shrunk<std::uint16_t>({0, 7, 7, 9}, {1, 2, 2}, {1, 1, 1}, Shrink::mode),
            (std::vector<std::uint16_t>{7}));
  EXPECT_EQ(shrunk<std::uint16_t>({3, 9, 9, 3}, {1, 2, 2}, {1, 1, 1}, Shrink::mode),
            (std::vector<std::uint16_t>{3}))
      << "of several the first";
}

/// Chunks that are kept in memory.
class KeptChunks final : public PyramidChunks {
 public:
  void read(std::size_t level, std::int64_t number, std::span<std::byte> voxels) override {
    const std::lock_guard lock{mutex_};
    const auto& kept = chunks_.at({level, number});
    ASSERT_EQ(kept.size(), voxels.size());
    std::copy(kept.begin(), kept.end(), voxels.begin());
  }
  void write(std::size_t level, std::int64_t number, std::span<const std::byte> voxels) override {
    const std::lock_guard lock{mutex_};
    chunks_[{level, number}] = {voxels.begin(), voxels.end()};
  }

  void put(const Volume<float>& image, const ChunkGrid& grid) {
    for (std::int64_t i = 0; i < grid.chunks(); ++i) {
      const Box3 box = grid.box(i);
      std::vector<std::byte> chunk(static_cast<std::size_t>(grid.chunk_bytes()));
      copy_common(whole(image.extent), ConstVoxelView{image.view()}, box,
                  {chunk.data(), grid.type, box.size});
      write(0, i, chunk);
    }
  }

  [[nodiscard]] Volume<float> level(std::size_t number, const Extent3& extent,
                                    const Extent3& chunk) {
    Volume<float> image{extent};
    const ChunkGrid grid = grid_of(extent, chunk, PixelType::float32);
    std::vector<std::byte> voxels(static_cast<std::size_t>(grid.chunk_bytes()));
    for (std::int64_t i = 0; i < grid.chunks(); ++i) {
      read(number, i, voxels);
      copy_common(grid.box(i), {voxels.data(), grid.type, grid.chunk}, whole(extent),
                  VoxelView{image.view()});
    }
    return image;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<std::size_t, std::int64_t>, std::vector<std::byte>> chunks_;
};

struct PyramidCase {
  const char* name;
  Extent3 extent, chunk;
};

constexpr PyramidCase kPyramids[] = {
    {"even_chunks", {5, 40, 520}, {2, 16, 64}},
    {"odd_chunks", {5, 41, 523}, {1, 7, 33}},
    {"one_chunk", {3, 4, 300}, {3, 4, 300}},
    {"plane", {1, 300, 513}, {1, 128, 128}},
};

class BuildPyramid : public testing::TestWithParam<PyramidCase> {};

TEST_P(BuildPyramid, MakesEveryLevelOfTheOneBeforeHoweverItIsCut) {
  const auto& [name, extent, chunk] = GetParam();
  const auto levels = pyramid_extents(extent);
  ASSERT_GT(levels.size(), 1U);
  auto image = test::pattern<float>(extent);
  TaskPool pool{3};
  KeptChunks chunks;
  chunks.put(image, grid_of(extent, chunk, PixelType::float32));
  build_pyramid(extent, chunk, PixelType::float32, Shrink::mean, 5, &pool, nullptr, chunks);
  for (std::size_t level = 1; level < levels.size(); ++level) {
    Volume<float> next{levels[level]};
    shrink(ConstVoxelView{image.view()}, Shrink::mean, VoxelView{next.view()});
    EXPECT_EQ(chunks.level(level, levels[level], chunk).voxels, next.voxels) << level;
    image = next;
  }
}

TEST(BuildPyramidStops, WhenItIsAskedTo) {
  StopFlag stop;
  stop.request();
  KeptChunks chunks;
  EXPECT_THROW(build_pyramid({1, 1, 300}, {1, 1, 64}, PixelType::float32, Shrink::mean, 1, nullptr,
                             &stop, chunks),
               Interrupted);
}

INSTANTIATE_TEST_SUITE_P(Table, BuildPyramid, testing::ValuesIn(kPyramids), test::kCaseName);

}  // namespace
}  // namespace synthoscope::imageio

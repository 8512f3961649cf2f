// SPDX-License-Identifier: MIT
// HDF5 files as sinks: orders, threads, full disks, refusals. Their content is checked with h5py.
#include "imageio/create.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>
#include "core/run/task_pool.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

using test::TemporaryFolder;

constexpr Extent3 kExtent{7, 30, 41};

struct LayoutCase {
  const char* name;
  Compression compression;
  std::optional<Extent3> chunks;
};

const LayoutCase kLayouts[] = {
    {"contiguous", Compression::none, {}},
    {"chunks", Compression::none, Extent3{2, 16, 16}},
    {"one_chunk", Compression::none, Extent3{100, 100, 100}},
    {"deflate", Compression::deflate, {}},
    {"deflate_chunks", Compression::deflate, Extent3{3, 8, 16}},
    {"zstd", Compression::zstd, Extent3{3, 8, 16}},
    {"blosc", Compression::blosc, Extent3{3, 8, 16}},
};

ImageSpec spec_of(const LayoutCase& layout, PixelType type = PixelType::float32) {
  ImageSpec spec;
  spec.extent = kExtent;
  spec.type = type;
  spec.compression = layout.compression;
  spec.chunks = layout.chunks;
  return spec;
}

/// `count` threads, each with every box that it gets hold of.
void write_boxes(Sink& sink, const std::vector<Box3>& boxes, int count) {
  const auto all = test::pattern<float>(kExtent);
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&] {
      for (std::size_t b = next++; b < boxes.size(); b = next++) {
        const auto part = test::cut(all, boxes[b]);
        sink.write(boxes[b], ConstVoxelView{part.view()});
      }
    });
  for (auto& thread : threads) thread.join();
}

void expect_pattern(const std::filesystem::path& path) {
  const auto image = open_image(path);
  Volume<float> voxels{kExtent};
  image.source->read(whole(kExtent), VoxelView{voxels.view()});
  EXPECT_EQ(voxels.voxels, test::pattern<float>(kExtent).voxels);
  for (const Box3& box : {plane(kExtent, 6), Box3{{1, 2, 3}, {5, 17, 20}}}) {
    Volume<float> part{box.size};
    image.source->read(box, VoxelView{part.view()});
    EXPECT_EQ(part.voxels, test::cut(voxels, box).voxels) << box;
  }
}

class Hdf5Create : public testing::TestWithParam<LayoutCase> {
 protected:
  [[nodiscard]] bool is_packed() const { return GetParam().compression != Compression::none; }
  TemporaryFolder folder_;
};

TEST_P(Hdf5Create, TakesBoxesInTheOrderItAccepts) {
  const auto file = create_image(folder_ / "image.h5", spec_of(GetParam()));
  std::vector<Box3> boxes;
  if (is_packed()) {
    ASSERT_EQ(file->accepts(), BoxOrder::planes_in_order);
    for (const std::int64_t z : {0, 1, 4, 6}) {
      const std::int64_t end = z == 0 ? 1 : z == 1 ? 4 : z == 4 ? 6 : 7;
      boxes.push_back({{z, 0, 0}, {end - z, kExtent.y, kExtent.x}});
    }
  } else {
    ASSERT_EQ(file->accepts(), BoxOrder::any);
    for (std::int64_t y = 0; y < kExtent.y; y += 11)
      for (std::int64_t x = 0; x < kExtent.x; x += 8)
        boxes.push_back({{0, y, x},
                         {kExtent.z, std::min<std::int64_t>(11, kExtent.y - y),
                          std::min<std::int64_t>(8, kExtent.x - x)}});
    std::reverse(boxes.begin(), boxes.end());
  }
  write_boxes(*file, boxes, is_packed() ? 1 : 4);
  file->close();
  EXPECT_EQ(folder_.names(), std::set<std::string>{"image.h5"});
  expect_pattern(folder_ / "image.h5");  // though `file` is still there
}

TEST_P(Hdf5Create, TakesViewsWithPaddedRows) {
  constexpr std::int64_t kPitch = 50;
  std::vector<float> padded(static_cast<std::size_t>(kExtent.z * kExtent.y * kPitch), -1);
  const HostView3<float> view{padded.data(), kExtent, kPitch};
  const auto all = test::pattern<float>(kExtent);
  MemorySource{all.view()}.read(whole(kExtent), VoxelView{view});
  const auto file = create_image(folder_ / "image.h5", spec_of(GetParam()));
  file->write(whole(kExtent), ConstVoxelView{HostView3<const float>{view}});
  file->close();
  expect_pattern(folder_ / "image.h5");
}

TEST_P(Hdf5Create, GivesEqualBytesWhateverTheThreadsAndSlabs) {
  TaskPool pool{4};
  for (const bool is_pooled : {false, true}) {
    auto spec = spec_of(GetParam());
    spec.pool = is_pooled ? &pool : nullptr;
    const auto file = create_image(folder_ / (is_pooled ? "b.h5" : "a.h5"), spec);
    if (is_pooled) {
      std::vector<Box3> planes;
      for (std::int64_t z = 0; z < kExtent.z; ++z) planes.push_back(plane(kExtent, z));
      write_boxes(*file, planes, 1);
    } else {
      write_boxes(*file, {whole(kExtent)}, 1);
    }
    file->close();
  }
  EXPECT_TRUE(test::content_of(folder_ / "a.h5") == test::content_of(folder_ / "b.h5"));
}

TEST_P(Hdf5Create, LeavesAnOlderFileAloneUntilTheNewOneIsWhole) {
  folder_.write("image.h5", "older");
  auto spec = spec_of(GetParam());
  test::expect_failure<InvalidSpec>([&] { create_image(folder_ / "image.h5:/a", spec); },
                                    {"image.h5", "exists already", "--overwrite"});
  spec.overwrite = true;
  {
    const auto file = create_image(folder_ / "image.h5:/a", spec);
    write_boxes(*file, {whole(kExtent)}, 1);
  }
  EXPECT_EQ(folder_.names(), std::set<std::string>{"image.h5"});
  EXPECT_EQ(test::content_of(folder_ / "image.h5"), "older");
}

TEST_P(Hdf5Create, MeetsAFullDisk) {
  const test::FullDisk full{20'000};  // of 34'440 bytes
  test::expect_failure<IoError>(
      [&] {
        const auto file = create_image(folder_ / "image.h5", spec_of(GetParam()));
        write_boxes(*file, {}, 1);
        file->write(whole(kExtent), ConstVoxelView{test::pattern<float>(kExtent).view()});
        file->close();
      },
      {"image.h5", "ulimit -f"});
  EXPECT_TRUE(folder_.names().empty());
}

TEST_P(Hdf5Create, RemovesWhatAKilledWriterLeft) {
  for (const char* const name : {"image.h5.partial", "image.h5.chunks.partial"}) {
    folder_.write(name, "half");
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::sticky_bit,
                                 std::filesystem::perm_options::add);
  }
  const auto file = create_image(folder_ / "image.h5", spec_of(GetParam()));
  write_boxes(*file, {whole(kExtent)}, 1);
  file->close();
  EXPECT_EQ(folder_.names(), std::set<std::string>{"image.h5"});
}

TEST_P(Hdf5Create, SaysWhatItHolds) {
  auto spec = spec_of(GetParam());
  spec.format = FileFormat::hdf5;
  const std::int64_t layer = 3 * kExtent.y * kExtent.x * 4;
  if (!is_packed()) {
    EXPECT_EQ(buffered_bytes(spec), 0);
    return;
  }
  EXPECT_GT(buffered_bytes(spec), layer);
  constexpr std::int64_t kPlaceBytes = 16;
  spec.chunks = Extent3{1, 1, 1};
  EXPECT_GT(buffered_bytes(spec), kPlaceBytes * volume(kExtent)) << "where each chunk is";
}

INSTANTIATE_TEST_SUITE_P(Layouts, Hdf5Create, testing::ValuesIn(kLayouts), test::kCaseName);

struct RefusedSpec {
  const char* name;
  const char* path;
  std::function<void(ImageSpec&)> change;
  std::vector<const char*> words;
};

const RefusedSpec kRefused[] = {
    {"lzw",
     "a.h5",
     [](auto& s) { s.compression = Compression::lzw; },
     {"--compression zstd", "none or deflate"}},
    {"no_chunks",
     "a.h5",
     [](auto& s) {
       s.chunks = Extent3{0, 1, 1};
     },
     {"0x1x1", "1x1x1"}},
    {"huge_chunks",
     "a.h5",
     [](auto& s) {
       s.extent = {4096, 4096, 4096};
       s.chunks = Extent3{4096, 4096, 4096};
     },
     {"1 GiB", "--chunks"}},
    {"chunks_of_tiff",
     "a.tif",
     [](auto& s) {
       s.chunks = Extent3{1, 1, 1};
     },
     {"--format hdf5"}},
    {"slash_at_the_end", "a.h5:/b/", [](auto&) {}, {"'/b/'", "name of an HDF5 array"}},
    {"empty_group", "a.h5:/b//c", [](auto&) {}, {"'/b//c'"}},
    {"dot", "a.h5:/./c", [](auto&) {}, {"'/./c'"}},
};

class Hdf5Refused : public testing::TestWithParam<RefusedSpec> {};

TEST_P(Hdf5Refused, IsRefusedBeforeAFileExists) {
  const TemporaryFolder folder;
  ImageSpec spec;
  spec.extent = kExtent;
  GetParam().change(spec);
  try {
    create_image(folder / GetParam().path, spec);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InvalidSpec& failure) {
    const std::string message = failure.what();
    for (const char* word : GetParam().words)
      EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' in: " << message;
  }
  EXPECT_TRUE(folder.names().empty());
}

INSTANTIATE_TEST_SUITE_P(Table, Hdf5Refused, testing::ValuesIn(kRefused), test::kCaseName);

}  // namespace
}  // namespace synthoscope::imageio

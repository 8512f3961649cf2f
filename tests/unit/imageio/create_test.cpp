// SPDX-License-Identifier: MIT
#include "imageio/create.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <tuple>
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

constexpr Extent3 kExtent{5, 33, 47};
constexpr PixelType kTypes[] = {PixelType::int8,    PixelType::uint8,  PixelType::int16,
                                PixelType::uint16,  PixelType::int32,  PixelType::uint32,
                                PixelType::float32, PixelType::float64};

ImageSpec spec_of(TiffFlavor flavor, PixelType type, Compression compression) {
  ImageSpec spec;
  spec.extent = kExtent;
  spec.type = type;
  spec.flavor = flavor;
  spec.compression = compression;
  return spec;
}

void write_whole(Sink& sink) {
  visit_pixel_type(sink.pixel_type(), [&](auto zero) {
    const auto voxels = test::pattern<decltype(zero)>(sink.extent());
    sink.write(whole(sink.extent()), ConstVoxelView{voxels.view()});
  });
}

void create_whole(const std::filesystem::path& path, const ImageSpec& spec) {
  const auto sink = create_image(path, spec);
  write_whole(*sink);
  sink->close();
}

/// Reads several boxes, also single voxels and far faces, and compares with the pattern.
void expect_pattern(Source& source) {
  const Extent3 e = source.extent();
  const Box3 boxes[] = {whole(e),
                        plane(e, e.z - 1),
                        {{1, 2, 3}, {3, 17, 11}},
                        {{e.z - 1, e.y - 1, e.x - 1}, {1, 1, 1}},
                        {{0, 5, 0}, {2, 4, e.x}}};
  visit_pixel_type(source.pixel_type(), [&](auto zero) {
    using T = decltype(zero);
    const auto all = test::pattern<T>(e);
    for (const Box3& box : boxes) {
      Volume<T> part{box.size};
      source.read(box, VoxelView{part.view()});
      EXPECT_EQ(part.voxels, test::cut(all, box).voxels) << box;
    }
  });
}

/// Real threads: a task pool has no more than there are cores.
template <class Body>
void on_threads(int count, Body&& body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body);
  for (auto& thread : threads) thread.join();
}

using RoundTripCase = std::tuple<TiffFlavor, PixelType, Compression, bool>;

class RoundTrip : public testing::TestWithParam<RoundTripCase> {};

TEST_P(RoundTrip, GivesBackVoxelsSizesAndKernelCenter) {
  const auto [flavor, type, compression, is_big] = GetParam();
  ImageSpec spec = spec_of(flavor, type, compression);
  spec.force_bigtiff = is_big;
  spec.z_um = 0.3;
  spec.y_um = 0.1;
  spec.x_um = 0.065;
  spec.kernel_center = Index3{2, 16, 40};
  const TemporaryFolder folder;
  create_whole(folder / "image.tif", spec);
  EXPECT_EQ(folder.names(), std::set<std::string>{"image.tif"});

  const auto image = open_image(folder / "image.tif");
  const ImageInfo& info = image.info;
  EXPECT_EQ(info.format.starts_with("BigTIFF"), is_big && flavor != TiffFlavor::imagej);
  EXPECT_EQ(info.extent, kExtent);
  EXPECT_EQ(info.type, type);
  EXPECT_EQ(info.channels, 1);
  EXPECT_EQ(info.frames, 1);
  EXPECT_EQ(info.kernel_center, (Index3{2, 16, 40}));
  EXPECT_TRUE(info.notes.empty());
  ASSERT_TRUE(info.voxel_size());
  EXPECT_DOUBLE_EQ(*info.z_um, 0.3);
  EXPECT_NEAR(*info.y_um, 0.1, 1e-12);
  EXPECT_NEAR(*info.x_um, 0.065, 1e-12);
  expect_pattern(*image.source);
}

std::string round_trip_name(const testing::TestParamInfo<RoundTripCase>& row) {
  const auto [flavor, type, compression, is_big] = row.param;
  constexpr const char* kFlavors[] = {"ome", "imagej", "plain"};
  constexpr const char* kCompressions[] = {"none", "deflate", "lzw", "zstd"};
  return std::string{kFlavors[static_cast<int>(flavor)]} + "_" + std::string{name_of(type)} + "_" +
         kCompressions[static_cast<int>(compression)] + (is_big ? "_big" : "");
}

INSTANTIATE_TEST_SUITE_P(Ome, RoundTrip,
                         testing::Combine(testing::Values(TiffFlavor::ome),
                                          testing::ValuesIn(kTypes),
                                          testing::Values(Compression::none, Compression::deflate,
                                                          Compression::lzw, Compression::zstd),
                                          testing::Bool()),
                         round_trip_name);
INSTANTIATE_TEST_SUITE_P(Plain, RoundTrip,
                         testing::Combine(testing::Values(TiffFlavor::plain),
                                          testing::ValuesIn(kTypes),
                                          testing::Values(Compression::none, Compression::zstd),
                                          testing::Values(false)),
                         round_trip_name);
INSTANTIATE_TEST_SUITE_P(
    Imagej, RoundTrip,
    testing::Combine(testing::Values(TiffFlavor::imagej),
                     testing::Values(PixelType::uint8, PixelType::uint16, PixelType::float32),
                     testing::Values(Compression::none), testing::Values(false)),
    round_trip_name);

TEST(Create, LeavesUnknownVoxelSizesUnknown) {
  for (const auto flavor : {TiffFlavor::ome, TiffFlavor::imagej, TiffFlavor::plain}) {
    const TemporaryFolder folder;
    auto spec = spec_of(flavor, PixelType::uint8, Compression::none);
    spec.x_um = 0.5;
    create_whole(folder / "image.tif", spec);
    const auto info = inspect(folder / "image.tif");
    EXPECT_FALSE(info.z_um);
    EXPECT_FALSE(info.y_um);
    EXPECT_EQ(info.x_um, 0.5);
    EXPECT_FALSE(info.kernel_center);
  }
}

TEST(Create, TakesBoxesInAnyOrderFromAnyThread) {
  const TemporaryFolder folder;
  const Extent3 extent{7, 30, 41};
  ImageSpec spec;
  spec.extent = extent;
  const auto all = test::pattern<float>(extent);
  const auto sink = create_image(folder / "image.tif", spec);
  ASSERT_EQ(sink->accepts(), BoxOrder::any);
  // Columns of 8 voxels in y and x, the last first
  std::vector<Box3> boxes;
  for (std::int64_t y = 0; y < extent.y; y += 8)
    for (std::int64_t x = 0; x < extent.x; x += 8)
      boxes.push_back({{0, y, x},
                       {extent.z, std::min<std::int64_t>(8, extent.y - y),
                        std::min<std::int64_t>(8, extent.x - x)}});
  std::reverse(boxes.begin(), boxes.end());
  std::atomic<std::size_t> next{0};
  on_threads(4, [&] {
    for (std::size_t i = next++; i < boxes.size(); i = next++) {
      const auto part = test::cut(all, boxes[i]);
      sink->write(boxes[i], ConstVoxelView{part.view()});
    }
  });
  sink->close();
  expect_pattern(*open_image(folder / "image.tif").source);
}

TEST(Create, TakesViewsWithPaddedRows) {
  const TemporaryFolder folder;
  for (const auto compression : {Compression::none, Compression::deflate}) {
    ImageSpec spec = spec_of(TiffFlavor::plain, PixelType::float32, compression);
    spec.overwrite = true;
    const auto all = test::pattern<float>(kExtent);
    constexpr std::int64_t kPitch = 50;
    std::vector<float> padded(static_cast<std::size_t>(kExtent.z * kExtent.y * kPitch), -1);
    const HostView3<float> view{padded.data(), kExtent, kPitch};
    MemorySource{all.view()}.read(whole(kExtent), VoxelView{view});
    const auto sink = create_image(folder / "image.tif", spec);
    sink->write(whole(kExtent), ConstVoxelView{HostView3<const float>{view}});
    sink->close();
    expect_pattern(*open_image(folder / "image.tif").source);
  }
}

TEST(Create, ReadsTheSameFromManyThreads) {
  const TemporaryFolder folder;
  create_whole(folder / "image.tif",
               spec_of(TiffFlavor::ome, PixelType::uint16, Compression::deflate));
  const auto image = open_image(folder / "image.tif");
  on_threads(8, [&] {
    for (int i = 0; i < 8; ++i) expect_pattern(*image.source);
  });
}

TEST(Create, GivesEqualBytesForEqualRequests) {
  const TemporaryFolder folder, other;
  auto spec = spec_of(TiffFlavor::ome, PixelType::uint16, Compression::none);
  spec.provenance = R"({"seed":7})";
  create_whole(folder / "a.tif", spec);
  create_whole(other / "b.tif", spec);
  EXPECT_EQ(test::content_of(folder / "a.tif"), test::content_of(other / "b.tif"));
  spec.provenance = R"({"seed":8})";
  create_whole(other / "c.tif", spec);
  const auto uuid = [](const std::string& bytes) {
    return bytes.substr(bytes.find("urn:uuid:"), 45);
  };
  EXPECT_NE(uuid(test::content_of(folder / "a.tif")), uuid(test::content_of(other / "c.tif")));
}

TEST(Create, CompressesToTheSameBytesOnAnyNumberOfThreads) {
  const TemporaryFolder folder;
  for (const auto compression : {Compression::deflate, Compression::lzw, Compression::zstd}) {
    auto spec = spec_of(TiffFlavor::ome, PixelType::uint16, compression);
    spec.extent = {4, 300, 1000};
    spec.provenance = R"({"seed":7})";
    spec.overwrite = true;
    create_whole(folder / "alone.tif", spec);
    expect_pattern(*open_image(folder / "alone.tif").source);
    for (const int threads : {1, 2}) {
      TaskPool pool{threads};
      spec.pool = &pool;
      create_whole(folder / "shared.tif", spec);
      EXPECT_TRUE(test::content_of(folder / "shared.tif") == test::content_of(folder / "alone.tif"))
          << threads << " threads";
    }
  }
}

TEST(Create, KnowsWhatACompressedFileBuffers) {
  TaskPool pool{2};
  auto spec = spec_of(TiffFlavor::ome, PixelType::uint16, Compression::none);
  spec.extent = {1000, 1000, 1000};
  EXPECT_EQ(buffered_bytes(spec), 0);
  spec.compression = Compression::deflate;
  const auto alone = buffered_bytes(spec);
  EXPECT_GT(alone, 2 * 131 * 2000) << "one strip of 131 rows and what becomes of it";
  EXPECT_LT(alone, 2 << 20);
  spec.pool = &pool;
  EXPECT_EQ(buffered_bytes(spec), spec.buffer_bytes / alone * alone);
  spec.buffer_bytes = 1;
  EXPECT_EQ(buffered_bytes(spec), alone) << "one strip at least";
  spec.extent = {2, 9, 9};
  spec.buffer_bytes = 1 << 30;
  EXPECT_LT(buffered_bytes(spec), 2 * alone) << "no more than there are";
}

TEST(Create, KeepsAnOlderFileUntilTheNewOneIsWhole) {
  const TemporaryFolder folder;
  folder.write("image.tif", "older");
  auto spec = spec_of(TiffFlavor::ome, PixelType::uint8, Compression::none);
  spec.overwrite = true;
  {
    const auto sink = create_image(folder / "image.tif", spec);
    write_whole(*sink);
    EXPECT_EQ(test::content_of(folder / "image.tif"), "older");
    EXPECT_EQ(folder.names(), (std::set<std::string>{"image.tif", "image.tif.partial"}));
  }
  EXPECT_EQ(folder.names(), std::set<std::string>{"image.tif"});
  EXPECT_EQ(test::content_of(folder / "image.tif"), "older");
  create_whole(folder / "image.tif", spec);
  EXPECT_EQ(inspect(folder / "image.tif").extent, kExtent);
}

TEST(Create, RefusesAnExistingFileBeforeWritingAnything) {
  const TemporaryFolder folder;
  folder.write("image.tif", "older");
  for (const auto compression : {Compression::none, Compression::lzw})
    test::expect_failure<InvalidSpec>(
        [&] {
          create_image(folder / "image.tif",
                       spec_of(TiffFlavor::ome, PixelType::uint8, compression));
        },
        {"image.tif", "exists already", "--overwrite"});
  EXPECT_EQ(folder.names(), std::set<std::string>{"image.tif"});
  EXPECT_EQ(test::content_of(folder / "image.tif"), "older");
}

TEST(Create, RefusesASecondWriterOfTheSameFile) {
  const TemporaryFolder folder;
  const auto spec = spec_of(TiffFlavor::ome, PixelType::uint8, Compression::none);
  const auto first = create_image(folder / "image.tif", spec);
  test::expect_failure<IoError>([&] { create_image(folder / "image.tif", spec); },
                                {"another process is writing it"});
  write_whole(*first);
  first->close();
  expect_pattern(*open_image(folder / "image.tif").source);
}

TEST(Create, NamesAFolderThatIsMissing) {
  test::expect_failure<IoError>(
      [] {
        create_image("no/such/folder/image.tif",
                     spec_of(TiffFlavor::ome, PixelType::uint8, Compression::none));
      },
      {"no/such/folder", "does not exist; create it"});
}

TEST(Create, RefusesAFolderAsOutput) {
  const TemporaryFolder folder;
  auto spec = spec_of(TiffFlavor::ome, PixelType::uint8, Compression::none);
  spec.overwrite = true;
  test::expect_failure<IoError>([&] { create_image(folder.path(), spec); }, {"it is a folder"});
}

TEST(Create, MeetsAFullDiskBeforeTheFirstVoxel) {
  const TemporaryFolder folder;
  const test::FullDisk full{4096};
  test::expect_failure<IoError>(
      [&] {
        create_image(folder / "image.tif",
                     spec_of(TiffFlavor::ome, PixelType::float64, Compression::none));
      },
      {"image.tif", "are needed", "ulimit -f"});
  EXPECT_TRUE(folder.names().empty());
}

TEST(Create, MeetsAFullDiskWhileCompressing) {
  const TemporaryFolder folder;
  folder.write("image.tif", "older");
  auto spec = spec_of(TiffFlavor::ome, PixelType::float64, Compression::deflate);
  spec.overwrite = true;
  const test::FullDisk full{4096};
  test::expect_failure<IoError>([&] { create_whole(folder / "image.tif", spec); },
                                {"image.tif", "ulimit -f"});
  EXPECT_EQ(folder.names(), std::set<std::string>{"image.tif"});
  EXPECT_EQ(test::content_of(folder / "image.tif"), "older");
}

struct RefusedSpec {
  const char* name;
  ImageSpec spec;
  std::vector<const char*> words;
};

ImageSpec changed(const std::function<void(ImageSpec&)>& change) {
  auto spec = spec_of(TiffFlavor::ome, PixelType::uint8, Compression::none);
  change(spec);
  return spec;
}

const RefusedSpec kRefusedSpecs[] = {
    {"no_planes", changed([](auto& s) { s.extent.z = 0; }), {"0x33x47", "choose another size"}},
    {"negative_width", changed([](auto& s) { s.extent.x = -3; }), {"5x33x-3"}},
    {"axis_beyond_tiff",
     changed([](auto& s) { s.extent.y = std::int64_t{1} << 32; }),
     {"4294967296"}},
    {"beyond_any_file",
     changed([](auto& s) {
       s.extent = {1 << 29, 1 << 30, 1 << 3};
     }),
     {"more than a file can hold"}},
    {"negative_voxel", changed([](auto& s) { s.y_um = -0.1; }), {"-0.1 um", "above 0"}},
    {"nan_voxel", changed([](auto& s) { s.z_um = NAN; }), {"nan um"}},
    {"imagej_int16",
     changed([](auto& s) {
       s.flavor = TiffFlavor::imagej;
       s.type = PixelType::int16;
     }),
     {"uint8, uint16 and float32, not int16", "--tiff-flavor ome"}},
    {"imagej_zstd",
     changed([](auto& s) {
       s.flavor = TiffFlavor::imagej;
       s.compression = Compression::zstd;
     }),
     {"uncompressed", "--compression none"}},
    {"imagej_beyond_4gb",
     changed([](auto& s) {
       s.flavor = TiffFlavor::imagej;
       s.extent = {5000, 1024, 1024};
     }),
     {"4.88 GiB", "--tiff-flavor ome"}},
};

class Refused : public testing::TestWithParam<RefusedSpec> {};

TEST_P(Refused, IsRefusedBeforeAFileExists) {
  const TemporaryFolder folder;
  try {
    create_image(folder / "image.tif", GetParam().spec);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InvalidSpec& failure) {
    const std::string message = failure.what();
    for (const char* word : GetParam().words)
      EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' in: " << message;
  }
  EXPECT_TRUE(folder.names().empty());
}

INSTANTIATE_TEST_SUITE_P(Create, Refused, testing::ValuesIn(kRefusedSpecs), test::kCaseName);

}  // namespace
}  // namespace synthoscope::imageio

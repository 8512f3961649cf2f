// SPDX-License-Identifier: MIT
// Folders of Zarr: what is written is read again, and what is broken is refused. zarr and ome-zarr
// read them in tests/python/files/ome_zarr_files.py.
#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>
#include "core/run/task_pool.hpp"
#include "imageio/create.hpp"
#include "imageio/open.hpp"
#include "imageio/output/partial_file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

using test::TemporaryFolder;

constexpr Extent3 kExtent{7, 30, 300};

struct ZarrCase {
  const char* name;
  FileFormat format;
  Compression compression;
  std::optional<Extent3> chunks;
  bool has_channel = false;
};

const ZarrCase kCases[] = {
    {"plain", FileFormat::zarr, Compression::none, {}},
    {"chunks", FileFormat::zarr, Compression::none, Extent3{2, 16, 33}},
    {"channel", FileFormat::zarr, Compression::none, Extent3{2, 16, 33}, true},
    {"deflate", FileFormat::zarr, Compression::deflate, Extent3{3, 8, 64}},
    {"zstd", FileFormat::zarr, Compression::zstd, Extent3{3, 8, 64}},
    {"blosc", FileFormat::zarr, Compression::blosc, Extent3{3, 8, 64}},
    {"plain_3", FileFormat::zarr3, Compression::none, Extent3{2, 16, 33}},
    {"deflate_3", FileFormat::zarr3, Compression::deflate, Extent3{3, 8, 64}},
    {"zstd_3", FileFormat::zarr3, Compression::zstd, Extent3{3, 8, 64}, true},
    {"blosc_3", FileFormat::zarr3, Compression::blosc, Extent3{3, 8, 64}},
};

ImageSpec spec_of(const ZarrCase& c, PixelType type = PixelType::float32) {
  ImageSpec spec;
  spec.extent = kExtent;
  spec.type = type;
  spec.format = c.format;
  spec.compression = c.compression;
  spec.chunks = c.chunks;
  spec.z_um = 0.5;
  spec.y_um = spec.x_um = 0.1;
  if (c.has_channel) spec.channel = ImageChannel{"GFP", 510, 488, 0x00ff00};
  return spec;
}

template <class T>
void write_all(Sink& sink) {
  const auto all = test::pattern<T>(sink.extent());
  for (std::int64_t z = 0; z < sink.extent().z; ++z) {
    const Box3 box = plane(sink.extent(), z);
    const auto part = test::cut(all, box);
    sink.write(box, ConstVoxelView{part.view()});
  }
}

class Zarr : public testing::TestWithParam<ZarrCase> {
 protected:
  void make(const ImageSpec& spec) const {
    const auto file = create_image(path_, spec);
    visit_pixel_type(spec.type, [&](auto zero) { write_all<decltype(zero)>(*file); });
    file->close();
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "image.ome.zarr";
};

TEST_P(Zarr, GivesBackEveryVoxelOfEveryType) {
  for (const PixelType type :
       {PixelType::int8, PixelType::uint8, PixelType::int16, PixelType::uint16, PixelType::int32,
        PixelType::uint32, PixelType::float32, PixelType::float64}) {
    auto spec = spec_of(GetParam(), type);
    spec.overwrite = true;
    make(spec);
    const auto image = open_image(path_);
    ASSERT_EQ(image.info.type, type);
    visit_pixel_type(type, [&](auto zero) {
      using T = decltype(zero);
      const auto all = test::pattern<T>(kExtent);
      for (const Box3& box : {whole(kExtent), plane(kExtent, 6), Box3{{1, 2, 3}, {5, 17, 200}}}) {
        Volume<T> part{box.size};
        image.source->read(box, VoxelView{part.view()});
        EXPECT_EQ(part.voxels, test::cut(all, box).voxels) << name_of(type) << " " << box;
      }
    });
  }
}

TEST_P(Zarr, SaysWhatItHolds) {
  make(spec_of(GetParam()));
  const ImageInfo info = inspect(path_);
  EXPECT_EQ(info.format, GetParam().format == FileFormat::zarr ? "OME-Zarr 0.4" : "OME-Zarr 0.5");
  EXPECT_EQ(info.extent, kExtent);
  EXPECT_EQ(info.levels, (std::vector<Extent3>{kExtent, {4, 15, 150}}));
  EXPECT_EQ(info.z_um, 0.5);
  EXPECT_EQ(info.x_um, 0.1);
  EXPECT_EQ(info.channels, 1);
  EXPECT_EQ(info.chunks, GetParam().chunks.value_or(Extent3{7, 30, 256}));
}

TEST_P(Zarr, ALevelIsAnImageOfLargerVoxels) {
  make(spec_of(GetParam()));
  const ImageInfo info = inspect(path_ / "1");
  EXPECT_EQ(info.extent, (Extent3{4, 15, 150}));
  EXPECT_EQ(info.z_um, 1.0);
  EXPECT_EQ(info.y_um, 0.2);
}

TEST_P(Zarr, TakesBoxesFromManyThreadsWhereItSaysSo) {
  const auto file = create_image(path_, spec_of(GetParam()));
  if (file->accepts() != BoxOrder::any) GTEST_SKIP() << "packed chunks take planes in order";
  std::vector<Box3> boxes;
  for (std::int64_t z = 0; z < kExtent.z; z += 2)
    for (std::int64_t x = 0; x < kExtent.x; x += 77)
      boxes.push_back({{z, 0, x},
                       {std::min<std::int64_t>(2, kExtent.z - z), kExtent.y,
                        std::min<std::int64_t>(77, kExtent.x - x)}});
  std::reverse(boxes.begin(), boxes.end());
  const auto all = test::pattern<float>(kExtent);
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (std::size_t b = next++; b < boxes.size(); b = next++) {
        const auto part = test::cut(all, boxes[b]);
        file->write(boxes[b], ConstVoxelView{part.view()});
      }
    });
  for (auto& thread : threads) thread.join();
  file->close();
  Volume<float> voxels{kExtent};
  open_image(path_).source->read(whole(kExtent), VoxelView{voxels.view()});
  EXPECT_EQ(voxels.voxels, all.voxels);
}

TEST_P(Zarr, HoldsTheSameBytesForAnyNumberOfThreads) {
  auto spec = spec_of(GetParam());
  make(spec);
  const auto alone = test::content_of(path_);
  TaskPool pool{3};
  spec.pool = &pool;
  spec.overwrite = true;
  make(spec);
  EXPECT_TRUE(test::content_of(path_) == alone);
}

TEST_P(Zarr, AppearsWhenItIsWholeAndNotBefore) {
  const std::set<std::string> only_image{"image.ome.zarr"};
  {
    const auto file = create_image(path_, spec_of(GetParam()));
    write_all<float>(*file);
    EXPECT_FALSE(std::filesystem::exists(path_));
  }
  EXPECT_EQ(folder_.names(), std::set<std::string>{}) << "and leaves nothing without close";
  make(spec_of(GetParam()));
  EXPECT_EQ(folder_.names(), only_image);
}

TEST_P(Zarr, KeepsTheOlderOneUntilTheNewOneIsWhole) {
  make(spec_of(GetParam()));
  const auto older = test::content_of(path_);
  auto spec = spec_of(GetParam());
  test::expect_failure<InvalidSpec>([&] { create_image(path_, spec); },
                                    {"exists already", "--overwrite"});
  spec.overwrite = true;
  create_image(path_, spec);
  EXPECT_EQ(test::content_of(path_), older);
  for (const std::string name : {"mine", "labels", "OME"}) {
    std::filesystem::create_directories(path_ / name / "nuclei");
    const std::string words = "holds " + name;
    test::expect_failure<InvalidSpec>([&] { create_image(path_, spec); }, {words.c_str()});
    std::filesystem::remove_all(path_ / name);
  }
}

TEST_P(Zarr, WhatSomebodyMadeMeanwhileIsNotTouched) {
  for (const bool overwrite : {false, true}) {
    auto spec = spec_of(GetParam());
    spec.overwrite = overwrite;
    const auto file = create_image(path_, spec);
    write_all<float>(*file);
    std::filesystem::create_directories(path_ / "theirs");
    test::expect_failure<NameTaken>([&] { file->close(); }, {"image.ome.zarr.partial"});
    EXPECT_EQ(std::filesystem::remove_all(path_), 2u) << "theirs and the folder around it";
    std::filesystem::remove_all(folder_ / "image.ome.zarr.partial");
  }
}

TEST_P(Zarr, LabelsOfSmallerLevelsAreNeverNew) {
  auto spec = spec_of(GetParam(), PixelType::uint16);
  spec.labels = true;
  make(spec);
  const auto all = test::pattern<std::uint16_t>(kExtent);
  const std::set<std::uint16_t> ids{all.voxels.begin(), all.voxels.end()};
  const Extent3 half{4, 15, 150};
  Volume<std::uint16_t> level{half};
  open_image(path_ / "1").source->read(whole(half), VoxelView{level.view()});
  for (const std::uint16_t id : level.voxels) EXPECT_TRUE(ids.contains(id)) << id;
}

TEST_P(Zarr, AFullDiskIsAnErrorAndLeavesNothing) {
  test::expect_failure<IoError>(
      [&] {
        const test::FullDisk full{512};
        make(spec_of(GetParam()));
      },
      {"image.ome.zarr"});
  EXPECT_EQ(folder_.names(), std::set<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Table, Zarr, testing::ValuesIn(kCases), test::kCaseName);

struct RefusalCase {
  const char* name;
  std::function<void(ImageSpec&)> change;
  const char* words;
};

const RefusalCase kRefusals[] = {
    {"lzw", [](auto& s) { s.compression = Compression::lzw; }, "lzw"},
    {"flavor", [](auto& s) { s.flavor = TiffFlavor::imagej; }, "--tiff-flavor"},
    {"empty_chunks",
     [](auto& s) {
       s.chunks = Extent3{0, 1, 1};
     },
     "1x1x1"},
    {"labels_of_floats", [](auto& s) { s.labels = true; }, "integers"},
};

class ZarrRefusal : public testing::TestWithParam<RefusalCase> {};

TEST_P(ZarrRefusal, IsOneSentence) {
  const TemporaryFolder folder;
  ImageSpec spec = spec_of(kCases[0]);
  GetParam().change(spec);
  test::expect_failure<InvalidSpec>([&] { create_image(folder / "a.zarr", spec); },
                                    {GetParam().words});
  EXPECT_EQ(folder.names(), std::set<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Table, ZarrRefusal, testing::ValuesIn(kRefusals), test::kCaseName);

/// What another program may have written, or a hostile one.
struct BrokenCase {
  const char* name;
  const char* array;  ///< .zarray
  const char* words;
};

#define HEAD R"({"zarr_format":2,"shape":[2,3,4],"chunks":[2,3,4],)"
constexpr BrokenCase kBroken[] = {
    {"no_json", "{", "Zarr"},
    {"list", "[]", "Zarr"},
    {"other_format", R"({"zarr_format":1})", "format 2"},
    {"no_type", HEAD R"("compressor":null})", "dtype"},
    {"strange_type", HEAD R"("dtype":"<c8","compressor":null})", "<c8"},
    {"native_order", HEAD R"("dtype":"=u2","compressor":null})", "=u2"},
    {"no_order_of_two_bytes", HEAD R"("dtype":"|u2","compressor":null})", "|u2"},
    {"strange_order", HEAD R"("dtype":"<u2","compressor":null,"order":"A"})", "only C is accepted"},
    {"strange_separator", HEAD R"("dtype":"<u2","compressor":null,"dimension_separator":"-"})",
     "\"-\""},
    {"broken_fill", HEAD R"("dtype":"<u2","compressor":null,"fill_value":0.5})", "0.5"},
    {"strange_setting", HEAD R"("dtype":"<u2","compressor":{"id":"zlib","level":99}})",
     "level = 99"},
    {"column_order", HEAD R"("dtype":"<u2","compressor":null,"order":"F"})", "order"},
    {"filters", HEAD R"("dtype":"<u2","compressor":null,"filters":[{"id":"delta"}]})", "filters"},
    {"strange_codec", HEAD R"("dtype":"<u2","compressor":{"id":"lz4"}})", "lz4"},
    {"codec_without_name", HEAD R"("dtype":"<u2","compressor":{}})", "Zarr"},
    {"fill_too_large", HEAD R"("dtype":"|u1","compressor":null,"fill_value":300})", "fill value"},
    {"fill_beyond_floats", HEAD R"("dtype":"<f4","compressor":null,"fill_value":1e300})",
     "fill value"},
    {"fill_of_bits", HEAD R"("dtype":"<f4","compressor":null,"fill_value":"0x7fc00000"})",
     "0x7fc00000"},
    {"fill_of_truth", HEAD R"("dtype":"|u1","compressor":null,"fill_value":true})", "true"},
    {"no_axes", R"({"zarr_format":2,"shape":[],"chunks":[],"dtype":"<u2","compressor":null})",
     "axes"},
    {"empty_chunks",
     R"({"zarr_format":2,"shape":[2,3,4],"chunks":[2,0,4],"dtype":"<u2","compressor":null})",
     "chunks"},
    {"other_chunks",
     R"({"zarr_format":2,"shape":[2,3,4],"chunks":[2,3],"dtype":"<u2","compressor":null})", "axes"},
    {"four_axes_without_names",
     R"({"zarr_format":2,"shape":[2,2,3,4],"chunks":[1,2,3,4],"dtype":"<u2","compressor":null})",
     "--axes"},
    {"axis_beyond_the_limit",
     R"({"zarr_format":2,"shape":[2,3,9999999],"chunks":[1,1,1],"dtype":"<u2","compressor":null})",
     "--max-axis"},
    {"more_than_it_has",
     R"({"zarr_format":2,"shape":[9999,99999,9999],"chunks":[1,1,1],"dtype":"<u2",)"
     R"("compressor":null})",
     "--max-ratio"},
    {"huge_chunks",
     R"({"zarr_format":2,"shape":[2,3,4],"chunks":[9999,99999,9999],"dtype":"<u2",)"
     R"("compressor":null})",
     "--max-ratio"},
};
#undef HEAD

class BrokenZarr : public testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenZarr, IsRefusedInOneSentence) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.zarr");
  folder.write("a.zarr/.zarray", GetParam().array);
  test::expect_failure<InvalidInput>([&] { inspect(folder / "a.zarr"); }, {GetParam().words});
}

INSTANTIATE_TEST_SUITE_P(Table, BrokenZarr, testing::ValuesIn(kBroken), test::kCaseName);

TEST(ZarrRead, MoreLevelsThanAnAxisCanHaveAreRefused) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.zarr");
  std::string levels = R"({"path":"0"})";
  for (int i = 1; i <= 64; ++i) levels += R"(,{"path":"0"})";
  folder.write("a.zarr/.zattrs",
               R"({"multiscales":[{"axes":[{"name":"z"},{"name":"y"},{"name":"x"}],"datasets":[)" +
                   levels + "]}]}");
  test::expect_failure<InvalidInput>([&] { inspect(folder / "a.zarr"); }, {"65 levels"});
}

TEST(ZarrRead, ChunksThatAreNotThereHoldTheFillValue) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.zarr");
  folder.write("a.zarr/.zarray",
               R"({"zarr_format":2,"shape":[3,4],"chunks":[2,4],"dtype":">i2","compressor":null,)"
               R"("fill_value":-7,"order":"C","filters":null})");
  folder.write("a.zarr/1.0", std::string("\0\1\0\2\0\3\1\0\0\0\0\0\0\0\0\0", 16));
  const auto image = open_image(folder / "a.zarr");
  Volume<std::int16_t> voxels{{1, 3, 4}};
  image.source->read(whole(voxels.extent), VoxelView{voxels.view()});
  EXPECT_EQ(voxels.voxels,
            (std::vector<std::int16_t>{-7, -7, -7, -7, -7, -7, -7, -7, 1, 2, 3, 256}));
}

/// A type of numpy whose voxels are of another type here.
struct OtherTypeCase {
  const char* name;
  const char* v2;  ///< dtype, and then fill_value of both versions
  const char* v3;
  const char* fill;
  std::string chunk;  ///< of two elements, little endian
  PixelType type;
  std::vector<double> voxels;  ///< two of the chunk and two of the fill value
};

const OtherTypeCase kOtherTypes[] = {
    {"boolean", "|b1", "bool", "true", std::string("\1\0", 2), PixelType::uint8, {1, 0, 1, 1}},
    {"half",
     "<f2",
     "float16",
     "0.5",
     std::string("\0\x3C\0\xC0", 4),
     PixelType::float32,
     {1, -2, 0.5, 0.5}},
    {"int64",
     "<i8",
     "int64",
     "-3",
     std::string("\7\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 16),
     PixelType::int32,
     {7, -1, -3, -3}},
    {"uint64",
     "<u8",
     "uint64",
     "3",
     std::string("\7\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\0\0\0\0", 16),
     PixelType::uint32,
     {7, 4294967295.0, 3, 3}},
};

class ZarrOtherType : public testing::TestWithParam<OtherTypeCase> {};

TEST_P(ZarrOtherType, IsReadAsTheTypeThatHoldsIt) {
  const OtherTypeCase& c = GetParam();
  const TemporaryFolder folder;
  const std::string sizes = R"("shape":[2,2])", fill = std::string{R"("fill_value":)"} + c.fill;
  std::filesystem::create_directories(folder / "two.zarr");
  folder.write("two.zarr/.zarray", R"({"zarr_format":2,)" + sizes + R"(,"chunks":[1,2],"dtype":")" +
                                       c.v2 + R"(","compressor":null,)" + fill + "}");
  folder.write("two.zarr/0.0", c.chunk);
  std::filesystem::create_directories(folder / "three.zarr/c/0");
  folder.write("three.zarr/zarr.json",
               R"({"zarr_format":3,"node_type":"array",)" + sizes + R"(,"data_type":")" + c.v3 +
                   R"(","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1,2]}},)" +
                   R"("chunk_key_encoding":{"name":"default"},)" + fill +
                   R"(,"codecs":[{"name":"bytes","configuration":{"endian":"little"}}]})");
  folder.write("three.zarr/c/0/0", c.chunk);
  for (const char* name : {"two.zarr", "three.zarr"}) {
    const auto image = open_image(folder / name);
    ASSERT_EQ(image.info.type, c.type);
    std::vector<double> got;
    visit_pixel_type(c.type, [&](auto zero) {
      Volume<decltype(zero)> all{image.info.extent};
      image.source->read(whole(all.extent), VoxelView{all.view()});
      got.assign(all.voxels.begin(), all.voxels.end());
    });
    EXPECT_EQ(got, c.voxels) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, ZarrOtherType, testing::ValuesIn(kOtherTypes), test::kCaseName);

TEST(ZarrRead, IntegersThatDoNotFitAreRefusedByTheirValue) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.zarr");
  folder.write("a.zarr/.zarray",
               R"({"zarr_format":2,"shape":[1,1],"chunks":[1,1],"dtype":"<i8","compressor":null,)"
               R"("fill_value":0})");
  folder.write("a.zarr/0.0", std::string("\0\0\0\0\1\0\0\0", 8));
  const auto image = open_image(folder / "a.zarr");
  Volume<std::int32_t> all{image.info.extent};
  test::expect_failure<InvalidInput>(
      [&] { image.source->read(whole(all.extent), VoxelView{all.view()}); },
      {"a.zarr", "the value 4294967296"});
}

TEST(ZarrRead, ChunksOutOfReachAreNotTakenForMissingOnes) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.zarr");
  folder.write("a.zarr/.zarray",
               R"({"zarr_format":2,"shape":[2,4],"chunks":[2,4],"dtype":"<u2","compressor":null,)"
               R"("fill_value":0,"order":"C","filters":null})");
  std::filesystem::create_symlink("0.0", folder / "a.zarr/0.0");  // a link to itself
  const auto image = open_image(folder / "a.zarr");
  Volume<std::uint16_t> voxels{{1, 2, 4}};
  test::expect_failure<IoError>(
      [&] { image.source->read(whole(voxels.extent), VoxelView{voxels.view()}); }, {"0.0"});
}

TEST(ZarrRead, BrokenChunksAreNamed) {
  for (const ZarrCase& c : kCases) {
    const TemporaryFolder folder;
    const auto path = folder / "image.ome.zarr";
    {
      const auto file = create_image(path, spec_of(c));
      write_all<float>(*file);
      file->close();
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator{path})
      if (entry.is_regular_file() && entry.path().filename() == "0")
        std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
    Volume<float> voxels{kExtent};
    const auto image = open_image(path);
    test::expect_failure<InvalidInput>(
        [&] { image.source->read(whole(kExtent), VoxelView{voxels.view()}); },
        {"does not decompress", "image.ome.zarr"});
  }
}

TEST(ZarrRead, NothingOutsideTheFolderIsRead) {
  for (const char* path : {"../b.zarr", "/etc"}) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "a.zarr");
    folder.write("a.zarr/.zattrs",
                 std::string{R"({"multiscales":[{"axes":[{"name":"y"},{"name":"x"}],)"} +
                     R"("datasets":[{"path":")" + path + R"("}]}]})");
    test::expect_failure<InvalidInput>([&] { inspect(folder / "a.zarr"); }, {"outside"});
  }
}

}  // namespace
}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
// Strips and tiles of TIFF: left out, shared, and what those that are packed take of the memory.
#include "imageio/tiff/blocks.hpp"
#include <gtest/gtest.h>
#include <tiff.h>
#include <algorithm>
#include <atomic>
#include <span>
#include <string>
#include <thread>
#include <vector>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/chunks/filters.hpp"
#include "imageio/open.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tiff_bytes.hpp"

namespace synthoscope::imageio {
namespace {

using test::kAscii;
using test::kLong;
using test::kShort;

std::string packed(const std::string& bytes) {
  std::vector<std::byte> out;
  deflate_bytes(std::as_bytes(std::span{bytes}), 6, out);
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

/// Four tiles of 16x16 bytes, whose places and lengths are given: two across, two down.
std::vector<test::Field> tiled(std::vector<std::uint64_t> offsets,
                               std::vector<std::uint64_t> counts, bool is_packed) {
  return {{256, kLong, {32}},
          {257, kLong, {32}},
          {258, kShort, {8}},
          {259, kShort, {is_packed ? 8U : 1U}},
          {262, kShort, {1}},
          {277, kShort, {1}},
          {322, kLong, {16}},
          {323, kLong, {16}},
          {324, kLong, std::move(offsets)},
          {325, kLong, std::move(counts)}};
}

/// The first voxel of each tile.
std::vector<int> corners(const OpenImage& image) {
  Volume<std::uint8_t> voxels{{1, 32, 32}};
  image.source->read(whole(voxels.extent), VoxelView{voxels.view()});
  const auto view = voxels.view();
  return {view(0, 0, 0), view(0, 0, 16), view(0, 16, 0), view(0, 31, 31)};
}

TEST(TiffBlocks, ThatAreLeftOutHaveTheMissingValue) {
  const test::TemporaryFolder folder;
  for (const bool is_packed : {false, true})
    for (const bool has_value : {false, true}) {
      test::TiffBytes tiff;
      const std::string tile = std::string(256, '\7');
      const std::string block = is_packed ? packed(tile) : tile;
      const auto at = tiff.append(block);
      auto fields = tiled({0, at, 0, 0}, {0, block.size(), 0, 0}, is_packed);
      if (has_value) fields.push_back({42113, kAscii, {}, "200"});
      tiff.page(fields);
      const auto image = open_image(folder.write("sparse.tif", tiff.bytes()));
      const int missing = has_value ? 200 : 0;
      EXPECT_EQ(corners(image), (std::vector{missing, 7, missing, missing}));
      ASSERT_EQ(image.info.notes.size(), 1U);
      EXPECT_NE(image.info.notes[0].find("3 of its strips or tiles hold no data"),
                std::string::npos);
    }
}

TEST(TiffBlocks, ThatSeveralTilesShareAreReadForEach) {
  const test::TemporaryFolder folder;
  for (const bool is_packed : {false, true}) {
    test::TiffBytes tiff;
    const auto block = [&](char value) {
      const std::string tile(256, value);
      return is_packed ? packed(tile) : tile;
    };
    // The shared one lies between others, which are neighbours
    const std::string first = block('\1'), second = block('\2');
    const auto a = tiff.append(first + second), b = a + first.size();
    tiff.page(
        tiled({a, b, b, a}, {first.size(), second.size(), second.size(), first.size()}, is_packed));
    EXPECT_EQ(corners(open_image(folder.write("shared.tif", tiff.bytes()))),
              (std::vector{1, 2, 2, 1}));
  }
}

TEST(TiffBlocks, BackToBackAreReadWhateverRowsPerStripSays) {
  const test::TemporaryFolder folder;
  test::TiffBytes tiff;
  const auto pixels = tiff.append("\1\2\3\4\5\6");
  tiff.page(
      test::with(test::with(test::grey_page(2, 3, 8, 0), {273, kLong, {pixels, pixels + 3, 0}}),
                 {279, kLong, {3, 3, 0}}));
  const auto image = open_image(folder.write("strips.tif", tiff.bytes()));
  Volume<std::uint8_t> voxels{{1, 2, 3}};
  image.source->read(whole(voxels.extent), VoxelView{voxels.view()});
  EXPECT_EQ(voxels.voxels, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}));
}

TEST(TiffBlocks, ThatOverlapInPartAreRefused) {
  const test::TemporaryFolder folder;
  test::TiffBytes tiff;
  const auto at = tiff.append(std::string(1024, '\1'));
  tiff.page(tiled({at, at + 256, at + 512, at + 700}, {256, 256, 256, 256}, false));
  test::expect_failure<InvalidInput>([&] { inspect(folder.write("overlap.tif", tiff.bytes())); },
                                     {"overlap at byte"});
}

TEST(TiffBlocks, WithoutDataButWithALengthAreRefused) {
  const test::TemporaryFolder folder;
  test::TiffBytes tiff;
  const auto at = tiff.append(std::string(256, '\1'));
  tiff.page(tiled({0, at, at, at}, {256, 256, 256, 256}, false));
  test::expect_failure<InvalidInput>([&] { inspect(folder.write("lost.tif", tiff.bytes())); },
                                     {"has no data"});
}

/// A page of one deflated strip of 1000 rows of 1000 bytes.
std::string one_strip() {
  test::TiffBytes tiff;
  std::string pixels(1'000'000, '\0');
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<char>(i / 1000);
  const std::string block = packed(pixels);
  const auto at = tiff.append(block);
  tiff.page(test::with(test::with(test::grey_page(1000, 1000, 8, at), {259, kShort, {8}}),
                       {279, kLong, {block.size()}}));
  return tiff.bytes();
}

TEST(TiffBlocks, AreCountedWithOneDecoderAtLeastAndTwiceTheGivenMemoryAtMost) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("strip.tif", one_strip());
  OpenOptions options;
  options.cache_bytes = 0;
  const auto little = open_image(path, options).buffer_bytes;
  EXPECT_GE(little, 1'000'000);
  EXPECT_LT(little, 2'000'000);
  options.cache_bytes = 8'000'000;
  const auto more = open_image(path, options).buffer_bytes;
  EXPECT_GT(more, little);
  EXPECT_LE(more, 2 * options.cache_bytes);
}

TEST(TiffBlocks, OfUncompressedPixelsThatAreReadInPlaceTakeNothing) {
  const test::TemporaryFolder folder;
  test::TiffBytes tiff;
  const auto at = tiff.append(std::string(6, '\1'));
  tiff.page(test::grey_page(2, 3, 8, at));
  EXPECT_EQ(open_image(folder.write("plain.tif", tiff.bytes())).buffer_bytes, 0);
}

TEST(TiffBlocks, CountWhatEachCodecHolds) {
  TiffFormat format;
  format.width = format.block_width = 1024;
  format.height = format.block_height = 1024;
  TiffPage page;
  page.largest_block = 1000;
  const auto reader = [&](std::int64_t compression) {
    format.compression = compression;
    TiffBlockCosts costs;
    costs.add(format, page);
    EXPECT_EQ(costs.block_bytes, 1 << 20);
    return costs.reader_bytes;
  };
  // A codec that keeps a window or decodes to a place of its own holds the block once more
  for (const int compression :
       {COMPRESSION_ZSTD, COMPRESSION_LZMA, COMPRESSION_LERC, COMPRESSION_JPEG, COMPRESSION_WEBP})
    EXPECT_GE(reader(compression), 1 << 20) << compression;
  for (const int compression : {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE})
    EXPECT_LT(reader(compression), 1 << 19) << compression;
}

TEST(TiffBlocks, AreReadByManyThreadsThroughOneDecoder) {
  const test::TemporaryFolder folder;
  OpenOptions options;
  options.cache_bytes = 0;
  const auto image = open_image(folder.write("strip.tif", one_strip()), options);
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Volume<std::uint8_t> row{{1, 1, 1000}};
      for (std::int64_t y = t; y < 1000; y += 40) {
        image.source->read({{0, y, 0}, row.extent}, VoxelView{row.view()});
        wrong += static_cast<int>(std::ranges::count_if(
            row.voxels, [y](std::uint8_t v) { return v != static_cast<std::uint8_t>(y); }));
      }
    });
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
// Numbers of TIFF files that no voxel is: packed bits, halves, integers of 64 bits; and the codecs
// that libtiff has for them.
#include <gtest/gtest.h>
#include <tiffio.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/chunks/filters.hpp"
#include "imageio/image/stored_type.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tiff_bytes.hpp"

namespace synthoscope::imageio {
namespace {

using test::Field;
using test::kLong;
using test::kShort;

/// How unsigned numbers of few bits are stored.
struct BitsCase {
  const char* name;
  std::int64_t bits;
  std::int64_t samples = 1;
  bool is_planar = false, is_packed = false, is_reversed = false, is_tiled = false;
  std::int64_t rows = 5;  ///< of a strip
};

constexpr std::int64_t kHeight = 7, kWidth = 21, kTile = 16;

std::uint32_t number_at(const BitsCase& c, std::int64_t y, std::int64_t x, std::int64_t sample) {
  return static_cast<std::uint32_t>((y * 31 + x * 7 + sample * 3 + y * x) % (1 << c.bits));
}

/// Rows that begin at bytes, the highest bit first.
std::string packed_rows(const BitsCase& c, std::int64_t y0, std::int64_t rows, std::int64_t x0,
                        std::int64_t columns, std::int64_t first_sample, std::int64_t samples) {
  std::string bytes;
  for (std::int64_t y = y0; y < y0 + rows; ++y) {
    std::vector<bool> row;
    for (std::int64_t x = x0; x < x0 + columns; ++x)
      for (std::int64_t s = first_sample; s < first_sample + samples; ++s)
        for (std::int64_t bit = c.bits; bit-- > 0;)
          row.push_back(y < kHeight && x < kWidth && (number_at(c, y, x, s) >> bit & 1) != 0);
    row.resize((row.size() + 7) / 8 * 8);
    for (std::size_t i = 0; i < row.size(); i += 8) {
      int byte = 0;
      for (std::size_t bit = 0; bit < 8; ++bit) byte = byte * 2 + row[i + bit];
      bytes += static_cast<char>(byte);
    }
  }
  return bytes;
}

std::string stored(const BitsCase& c, const std::string& rows) {
  std::vector<std::byte> bytes(rows.size());
  std::memcpy(bytes.data(), rows.data(), rows.size());
  if (c.is_packed) {
    std::vector<std::byte> packed;
    deflate_bytes(bytes, 6, packed);
    bytes = packed;
  }
  if (c.is_reversed) reverse_bits(bytes.data(), std::ssize(bytes));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string file_of(const BitsCase& c) {
  test::TiffBytes tiff{c.bits % 4 == 2};
  std::vector<std::uint64_t> offsets, counts;
  const std::int64_t height = c.is_tiled ? kTile : c.rows, width = c.is_tiled ? kTile : kWidth;
  const std::int64_t together = c.is_planar ? 1 : c.samples;
  for (std::int64_t s = 0; s < c.samples; s += together)
    for (std::int64_t y = 0; y < kHeight; y += height)
      for (std::int64_t x = 0; x < kWidth; x += width) {
        const std::int64_t rows = c.is_tiled ? height : std::min(height, kHeight - y);
        const std::string block = stored(c, packed_rows(c, y, rows, x, width, s, together));
        offsets.push_back(tiff.append(block));
        counts.push_back(block.size());
      }
  const auto samples = static_cast<std::size_t>(c.samples);
  const std::uint64_t compression = c.is_packed ? 8 : 1, order = c.is_reversed ? 2 : 1;
  std::vector<Field> fields{
      {256, kLong, {kWidth}},
      {257, kLong, {kHeight}},
      {258, kShort, std::vector<std::uint64_t>(samples, static_cast<std::uint64_t>(c.bits))},
      {259, kShort, {compression}},
      {262, kShort, {1}},
      {266, kShort, {order}},
      {277, kShort, {samples}},
      {284, kShort, {c.is_planar ? 2U : 1U}}};
  if (c.is_tiled) {
    fields.push_back({322, kLong, {kTile}});
    fields.push_back({323, kLong, {kTile}});
    fields.push_back({324, kLong, offsets});
    fields.push_back({325, kLong, counts});
  } else {
    fields.push_back({273, kLong, offsets});
    fields.push_back({278, kLong, {static_cast<std::uint64_t>(c.rows)}});
    fields.push_back({279, kLong, counts});
  }
  std::ranges::sort(fields, {}, &Field::tag);
  tiff.page(fields);
  return tiff.bytes();
}

constexpr BitsCase kBitsCases[] = {
    {"one", 1},
    {"one_packed", 1, 1, false, true},
    {"one_reversed", 1, 1, false, false, true},
    {"one_packed_reversed", 1, 1, false, true, true},
    {"two_in_tiles", 2, 1, false, false, false, true},
    {"three", 3},
    {"four_rgb", 4, 3},
    {"five_planar", 5, 3, true},
    {"six_planar_packed_tiles", 6, 3, true, true, false, true},
    {"seven_in_one_strip", 7, 1, false, false, false, false, kHeight},
    {"nine", 9},
    {"ten_reversed", 10, 1, false, false, true},
    {"eleven_rgb_packed", 11, 3, false, true},
    {"twelve", 12},
    {"twelve_in_tiles", 12, 1, false, false, false, true},
    {"twelve_packed", 12, 1, false, true},
    {"twelve_rgb_reversed_tiles", 12, 3, false, false, true, true},
    {"thirteen_planar_in_one_strip", 13, 2, true, false, false, false, kHeight},
    {"fourteen_packed_reversed", 14, 1, false, true, true},
    {"fifteen", 15},
};

class PackedBits : public testing::TestWithParam<BitsCase> {};

TEST_P(PackedBits, AreReadInWholeAndInParts) {
  const BitsCase& c = GetParam();
  const test::TemporaryFolder folder;
  const auto path = folder.write("bits.tif", file_of(c));
  for (std::int64_t sample = 0; sample < c.samples; ++sample) {
    OpenOptions options;
    options.channel = sample;
    const auto image = open_image(path, options);
    ASSERT_EQ(image.info.type, c.bits < 8 ? PixelType::uint8 : PixelType::uint16);
    for (const Box3& box :
         {whole(image.info.extent), Box3{{0, 3, 5}, {1, 4, 13}}, Box3{{0, 6, 20}, {1, 1, 1}}}) {
      std::vector<std::uint32_t> expected, got;
      for (std::int64_t y = 0; y < box.size.y; ++y)
        for (std::int64_t x = 0; x < box.size.x; ++x)
          expected.push_back(number_at(c, box.origin.y + y, box.origin.x + x, sample));
      visit_pixel_type(image.info.type, [&](auto zero) {
        Volume<decltype(zero)> part{box.size};
        image.source->read(box, VoxelView{part.view()});
        for (const auto voxel : part.voxels) got.push_back(static_cast<std::uint32_t>(voxel));
      });
      EXPECT_EQ(got, expected) << box;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Tiff, PackedBits, testing::ValuesIn(kBitsCases), test::kCaseName);

TEST(PackedBits, OfWhiteZeroAreInvertedWithinTheirBits) {
  const test::TemporaryFolder folder;
  test::TiffBytes tiff;
  const auto at = tiff.append("\xA0");
  auto fields = test::with(test::grey_page(1, 3, 1, at), {262, kShort, {0}});
  tiff.page(test::with(fields, {279, kLong, {1}}));
  const auto image = open_image(folder.write("white.tif", tiff.bytes()));
  Volume<std::uint8_t> voxels{{1, 1, 3}};
  image.source->read(whole(voxels.extent), VoxelView{voxels.view()});
  EXPECT_EQ(voxels.voxels, (std::vector<std::uint8_t>{0, 1, 0}));
}

/// One row of numbers of `bits` bits in either byte order.
std::string row_of(std::uint64_t bits, std::uint64_t kind, const std::vector<std::uint64_t>& words,
                   bool is_big_endian, bool is_packed) {
  test::TiffBytes tiff{is_big_endian};
  std::string row;
  for (const std::uint64_t word : words) row += tiff.word(word, bits / 8);
  BitsCase how{"row", static_cast<std::int64_t>(bits)};
  how.is_packed = is_packed;
  const std::string bytes = stored(how, row);
  const auto at = tiff.append(bytes);
  auto fields = test::grey_page(1, words.size(), bits, at);
  fields = test::with(fields, {259, kShort, {is_packed ? 8U : 1U}});
  fields = test::with(fields, {279, kLong, {bytes.size()}});
  tiff.page(test::with(fields, {339, kShort, {kind}}));
  return tiff.bytes();
}

template <class T>
std::vector<T> row_in(const std::filesystem::path& path) {
  const auto image = open_image(path);
  EXPECT_EQ(image.info.type, pixel_type_of<T>());
  Volume<T> voxels{image.info.extent};
  image.source->read(whole(voxels.extent), VoxelView{voxels.view()});
  return voxels.voxels;
}

TEST(StoredType, OfHalvesIsReadAsFloat32) {
  const test::TemporaryFolder folder;
  const std::vector<std::uint64_t> halves{0x0000, 0x8000, 0x3C00, 0xC000, 0x7BFF,
                                          0x0001, 0x03FF, 0x0400, 0x7C00, 0x3555};
  const std::vector<float> expected{
      0.0F,           -0.0F,    1.0F,
      -2.0F,          65504.0F, 0x1p-24F,
      0x1.ff8p-15F,   0x1p-14F, std::numeric_limits<float>::infinity(),
      0.333251953125F};
  for (const bool is_big : {false, true})
    for (const bool is_packed : {false, true})
      EXPECT_EQ(row_in<float>(folder.write("half.tif", row_of(16, 3, halves, is_big, is_packed))),
                expected)
          << is_big << is_packed;
  EXPECT_TRUE(std::isnan(float_of_half(0x7E00)));
}

TEST(StoredType, OfSixtyFourBitsIsReadAsThirtyTwo) {
  const test::TemporaryFolder folder;
  const auto minus = [](std::uint64_t n) { return ~n + 1; };
  for (const bool is_big : {false, true})
    for (const bool is_packed : {false, true}) {
      const auto write = [&](std::uint64_t kind, const std::vector<std::uint64_t>& words) {
        return folder.write("long.tif", row_of(64, kind, words, is_big, is_packed));
      };
      EXPECT_EQ(row_in<std::int32_t>(write(2, {0, 7, minus(5), 0x7FFFFFFF, minus(0x80000000)})),
                (std::vector<std::int32_t>{0, 7, -5, 0x7FFFFFFF, -0x7FFFFFFF - 1}));
      EXPECT_EQ(row_in<std::uint32_t>(write(1, {0, 7, 0xFFFFFFFF})),
                (std::vector<std::uint32_t>{0, 7, 0xFFFFFFFF}));
      test::expect_failure<InvalidInput>(
          [&] {
            row_in<std::int32_t>(write(2, {1, std::uint64_t{1} << 31}));
          },
          {"long.tif", "the value 2147483648", "-2147483648 ... 2147483647"});
      test::expect_failure<InvalidInput>(
          [&] {
            row_in<std::uint32_t>(write(1, {1, std::uint64_t{1} << 32}));
          },
          {"the value 4294967296", "0 ... 4294967295"});
    }
}

/// What libtiff packs by a codec, and what it gives again.
struct CodecCase {
  const char* name;
  int compression, bits, samples, photometric;
  double most_difference;  ///< from what was packed
};

constexpr CodecCase kCodecCases[] = {
    {"ccitt_rle", COMPRESSION_CCITTRLE, 1, 1, PHOTOMETRIC_MINISBLACK, 0},
    {"ccitt_fax_3", COMPRESSION_CCITTFAX3, 1, 1, PHOTOMETRIC_MINISBLACK, 0},
    {"ccitt_fax_4", COMPRESSION_CCITTFAX4, 1, 1, PHOTOMETRIC_MINISBLACK, 0},
    {"packbits_of_bits", COMPRESSION_PACKBITS, 1, 1, PHOTOMETRIC_MINISBLACK, 0},
    {"lzw_of_bits", COMPRESSION_LZW, 4, 1, PHOTOMETRIC_MINISBLACK, 0},
    {"lzma", COMPRESSION_LZMA, 8, 1, PHOTOMETRIC_MINISBLACK, 0},
    {"jpeg_grey", COMPRESSION_JPEG, 8, 1, PHOTOMETRIC_MINISBLACK, 6},
    {"jpeg_rgb", COMPRESSION_JPEG, 8, 3, PHOTOMETRIC_RGB, 6},
    {"jpeg_ycbcr", COMPRESSION_JPEG, 8, 3, PHOTOMETRIC_YCBCR, 12},
    {"webp", COMPRESSION_WEBP, 8, 3, PHOTOMETRIC_RGB, 0},
    {"lerc", COMPRESSION_LERC, 8, 1, PHOTOMETRIC_MINISBLACK, 0},
};

class Codec : public testing::TestWithParam<CodecCase> {
 protected:
  static constexpr std::int64_t kSize = 32;

  /// A smooth picture, so that what is lost stays small; of few bits, stripes.
  static int number(const CodecCase& c, std::int64_t y, std::int64_t x, std::int64_t sample) {
    const auto slope = static_cast<int>(y * 3 + x * 2 + sample * 20);
    return c.bits == 8 ? slope : slope / 8 % (1 << c.bits);
  }

  static void write(const CodecCase& c, const std::filesystem::path& path) {
    const std::unique_ptr<TIFF, decltype(&TIFFClose)> tiff{TIFFOpen(path.c_str(), "w"), TIFFClose};
    ASSERT_TRUE(tiff);
    TIFFSetField(tiff.get(), TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(kSize));
    TIFFSetField(tiff.get(), TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(kSize));
    TIFFSetField(tiff.get(), TIFFTAG_BITSPERSAMPLE, c.bits);
    TIFFSetField(tiff.get(), TIFFTAG_SAMPLESPERPIXEL, c.samples);
    TIFFSetField(tiff.get(), TIFFTAG_COMPRESSION, c.compression);
    TIFFSetField(tiff.get(), TIFFTAG_PHOTOMETRIC, c.photometric);
    TIFFSetField(tiff.get(), TIFFTAG_ROWSPERSTRIP, 16);
    TIFFSetField(tiff.get(), TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    if (c.compression == COMPRESSION_WEBP) TIFFSetField(tiff.get(), TIFFTAG_WEBP_LOSSLESS, 1);
    if (c.compression == COMPRESSION_JPEG) {
      TIFFSetField(tiff.get(), TIFFTAG_JPEGQUALITY, 98);
      TIFFSetField(tiff.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    }
    for (std::uint32_t y = 0; y < kSize; ++y) {
      std::vector<std::uint8_t> row(static_cast<std::size_t>((kSize * c.samples * c.bits + 7) / 8));
      for (std::int64_t i = 0; i < kSize * c.samples; ++i)
        row[static_cast<std::size_t>(i * c.bits / 8)] |= static_cast<std::uint8_t>(
            number(c, y, i / c.samples, i % c.samples) << (8 - c.bits - i * c.bits % 8));
      ASSERT_EQ(TIFFWriteScanline(tiff.get(), row.data(), y, 0), 1);
    }
  }
};

TEST_P(Codec, OfLibtiffIsRead) {
  const CodecCase& c = GetParam();
  if (!TIFFIsCODECConfigured(static_cast<std::uint16_t>(c.compression)))
    GTEST_SKIP() << "this libtiff has no such codec";
  const test::TemporaryFolder folder;
  write(c, folder / "packed.tif");
  for (int sample = 0; sample < c.samples; ++sample) {
    OpenOptions options;
    options.channel = sample;
    const auto image = open_image(folder / "packed.tif", options);
    ASSERT_EQ(image.info.type, PixelType::uint8);
    EXPECT_GT(image.buffer_bytes, 0);
    Volume<std::uint8_t> voxels{image.info.extent};
    image.source->read(whole(voxels.extent), VoxelView{voxels.view()});
    double most = 0;
    for (std::int64_t y = 0; y < kSize; ++y)
      for (std::int64_t x = 0; x < kSize; ++x)
        most = std::max<double>(most, std::abs(number(c, y, x, sample) - voxels.view()(0, y, x)));
    EXPECT_LE(most, c.most_difference);
    const bool is_named = !image.info.notes.empty() &&
                          image.info.notes[0].find("JPEG compression") != std::string::npos;
    EXPECT_EQ(is_named, c.compression == COMPRESSION_JPEG);
  }
}

INSTANTIATE_TEST_SUITE_P(Tiff, Codec, testing::ValuesIn(kCodecCases), test::kCaseName);

}  // namespace
}  // namespace synthoscope::imageio

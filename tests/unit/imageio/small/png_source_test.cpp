// SPDX-License-Identifier: MIT
// png_source_test.cpp — PNG files as images: grey, colour, palettes, few bits, interlaced, and what
// is refused.
#include <gtest/gtest.h>
#include <png.h>
#include <functional>
#include <numeric>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

/// How a file is made by libpng; rows are given as the file holds them.
struct PngMaker {
  png_uint_32 width = 3, height = 2;
  int bits = 8, colour = PNG_COLOR_TYPE_GRAY, interlace = PNG_INTERLACE_NONE;
  png_uint_32 per_metre = 0;

  [[nodiscard]] std::string bytes(const std::vector<std::string>& rows) const {
    return made([&](png_structp png) {
      if (interlace == PNG_INTERLACE_ADAM7) png_set_interlace_handling(png);
      std::vector<png_const_bytep> pointers;
      for (const auto& row : rows)
        pointers.push_back(reinterpret_cast<png_const_bytep>(row.data()));
      png_write_image(png, const_cast<png_bytepp>(pointers.data()));
      png_write_end(png, nullptr);
    });
  }
  /// A header, and pixels that are none.
  [[nodiscard]] std::string header() const {
    return made([](png_structp png) {
      png_write_chunk(png, reinterpret_cast<png_const_bytep>("IDAT"), nullptr, 0);
    });
  }

 private:
  [[nodiscard]] std::string made(const std::function<void(png_structp)>& write_pixels) const {
    std::string file;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_write_fn(
        png, &file,
        [](png_structp p, png_bytep data, png_size_t count) {
          static_cast<std::string*>(png_get_io_ptr(p))
              ->append(reinterpret_cast<const char*>(data), count);
        },
        nullptr);
    png_set_IHDR(png, info, width, height, bits, colour, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    const png_color colours[] = {{10, 20, 30}, {11, 21, 31}, {12, 22, 32}};
    png_byte clear[] = {0, 255, 128};
    if (colour == PNG_COLOR_TYPE_PALETTE) {
      png_set_PLTE(png, info, colours, 3);
      png_set_tRNS(png, info, clear, 3, nullptr);
    }
    if (per_metre > 0) png_set_pHYs(png, info, per_metre, per_metre, PNG_RESOLUTION_METER);
    png_write_info(png, info);
    write_pixels(png);
    png_destroy_write_struct(&png, &info);
    return file;
  }
};

struct ReadCase {
  const char* name;
  PngMaker maker;
  std::vector<std::string> rows;
  PixelType type;
  std::vector<std::vector<int>> channels;  ///< of each, 3x2 values
  std::vector<std::string> notes;
};

using namespace std::string_literals;

// clang-format off
const ReadCase kRead[] = {
    {"grey", {}, {"\1\2\3"s, "\4\5\6"s}, PixelType::uint8, {{1, 2, 3, 4, 5, 6}}, {}},
    {"grey_16_bits", {.bits = 16}, {"\1\2\0\3\0\4"s, "\0\5\0\6\1\0"s}, PixelType::uint16,
     {{258, 3, 4, 5, 6, 256}}, {}},
    {"interlaced", {.interlace = PNG_INTERLACE_ADAM7}, {"\1\2\3"s, "\4\5\6"s}, PixelType::uint8,
     {{1, 2, 3, 4, 5, 6}}, {}},
    {"one_bit", {.bits = 1}, {"\xa0"s, "\x40"s}, PixelType::uint8, {{1, 0, 1, 0, 1, 0}},
     {"its values have fewer than 8 bits (1) and are not scaled"}},
    {"colour", {.colour = PNG_COLOR_TYPE_RGB},
     {"\1\2\3\4\5\6\7\10\11"s, "\12\13\14\15\16\17\20\21\22"s}, PixelType::uint8,
     {{1, 4, 7, 10, 13, 16}, {2, 5, 8, 11, 14, 17}, {3, 6, 9, 12, 15, 18}}, {}},
    {"transparent_grey", {.colour = PNG_COLOR_TYPE_GRAY_ALPHA},
     {"\1\0\2\0\3\0"s, "\4\0\5\0\6\0"s}, PixelType::uint8, {{1, 2, 3, 4, 5, 6}},
     {"its transparency is ignored"}},
    {"palette", {.bits = 2, .colour = PNG_COLOR_TYPE_PALETTE}, {"\x18"s, "\x90"s}, PixelType::uint8,
     {{10, 11, 12, 12, 11, 10}, {20, 21, 22, 22, 21, 20}, {30, 31, 32, 32, 31, 30}},
     {"its palette's colours are read", "its transparency is ignored"}},
};
// clang-format on

class PngRead : public testing::TestWithParam<ReadCase> {};

template <class T>
std::vector<int> values_of(Source& source, const Box3& box) {
  Volume<T> pixels{box.size};
  source.read(box, VoxelView{pixels.view()});
  return {pixels.voxels.begin(), pixels.voxels.end()};
}

std::vector<int> values_of(const OpenImage& image, const Box3& box) {
  return image.info.type == PixelType::uint8 ? values_of<std::uint8_t>(*image.source, box)
                                             : values_of<std::uint16_t>(*image.source, box);
}

TEST_P(PngRead, PixelsAreThoseOfTheFileChannelByChannel) {
  const ReadCase& c = GetParam();
  const test::TemporaryFolder folder;
  const auto path = folder.write("image.png", c.maker.bytes(c.rows));
  const ImageInfo info = inspect(path);
  EXPECT_EQ(info.format, "PNG");
  EXPECT_EQ(info.type, c.type);
  EXPECT_EQ(info.notes, c.notes);
  EXPECT_EQ(info.channels, static_cast<std::int64_t>(c.channels.size()));
  for (std::size_t channel = 0; channel < c.channels.size(); ++channel) {
    OpenOptions options;
    options.channel = static_cast<std::int64_t>(channel);
    const OpenImage image = open_image(path, options);
    EXPECT_EQ(values_of(image, {{}, {1, 2, 3}}), c.channels[channel]);
    const std::vector<int>& all = c.channels[channel];
    EXPECT_EQ(values_of(image, {{0, 1, 1}, {1, 1, 2}}), (std::vector{all[4], all[5]}));
    EXPECT_GE(image.buffer_bytes, info.channels * 6 * size_of(c.type));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, PngRead, testing::ValuesIn(kRead), test::kCaseName);

TEST(Png, AChannelOfColourHasToBeChosen) {
  const test::TemporaryFolder folder;
  const PngMaker maker{.colour = PNG_COLOR_TYPE_RGB};
  const auto path =
      folder.write("a.png", maker.bytes({std::string(9, '\1'), std::string(9, '\2')}));
  test::expect_failure<InvalidSpec>([&] { open_image(path); }, {"3 channels", "--channel"});
}

TEST(Png, AResolutionOfMicroscopesIsReadAndOneOfScreensIsNot) {
  const test::TemporaryFolder folder;
  const std::vector rows{"\1\2\3"s, "\4\5\6"s};
  const auto fine = inspect(folder.write("a.png", PngMaker{.per_metre = 4'000'000}.bytes(rows)));
  ASSERT_TRUE(fine.y_um && fine.x_um);
  EXPECT_NEAR(*fine.x_um, 0.25, 1e-12);
  EXPECT_FALSE(inspect(folder.write("b.png", PngMaker{.per_metre = 2835}.bytes(rows))).x_um);
}

TEST(Png, PixelsThatEndEarlyAreRefusedWhenTheyAreRead) {
  const test::TemporaryFolder folder;
  const std::string whole = PngMaker{}.bytes({"\1\2\3"s, "\4\5\6"s});
  const OpenImage image = open_image(folder.write("a.png", whole.substr(0, whole.size() - 24)));
  Volume<std::uint8_t> pixels{{1, 2, 3}};
  for (int again = 0; again < 2; ++again)
    test::expect_failure<InvalidInput>(
        [&] {
          image.source->read({{}, pixels.extent}, VoxelView{pixels.view()});
        },
        {"a.png", "not a complete PNG", "ends too early"});
}

struct Refused {
  const char* name;
  std::function<std::string()> bytes;
  std::vector<const char*> words;
};

std::string with_byte(std::size_t at, char byte) {
  std::string bytes = PngMaker{}.bytes({"\1\2\3"s, "\4\5\6"s});
  bytes[at] = byte;
  return bytes;
}

// clang-format off
const Refused kRefused[] = {
    {"signature_alone", [] { return with_byte(0, '\x89').substr(0, 8); }, {"not a complete PNG"}},
    {"header_cut", [] { return with_byte(0, '\x89').substr(0, 25); },
     {"not a complete PNG", "early"}},
    {"header_changed", [] { return with_byte(19, 'x'); }, {"not a complete PNG", "CRC"}},
    {"too_wide", [] { return PngMaker{.width = 2'000'000}.header(); }, {"2000000", "--max-axis"}},
    {"bomb", [] { return PngMaker{.width = 1 << 20, .height = 1 << 20}.header(); },
     {"--max-ratio"}},
};
// clang-format on

class PngRefused : public testing::TestWithParam<Refused> {};

TEST_P(PngRefused, SaysWhatIsWrongInASentence) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("image.png", GetParam().bytes());
  try {
    open_image(path);
    FAIL() << "nothing was thrown";
  } catch (const InvalidInput& failure) {
    const std::string said = failure.what();
    for (const char* word : GetParam().words)
      EXPECT_NE(said.find(word), std::string::npos) << word << " in: " << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, PngRefused, testing::ValuesIn(kRefused), test::kCaseName);

TEST(Png, MoreThanCanBeCountedIsRefusedWhateverTheLimits) {
  const test::TemporaryFolder folder;
  const PngMaker maker{
      .width = 0x7fffffff, .height = 0x7fffffff, .bits = 16, .colour = PNG_COLOR_TYPE_RGB};
  const auto path = folder.write("image.png", maker.header());
  OpenOptions options;
  options.limits.axis = std::int64_t{1} << 40;
  options.limits.declared_to_file_ratio = 1e30;
  test::expect_failure<InvalidInput>([&] { inspect(path, options); }, {"counted"});
}

}  // namespace
}  // namespace synthoscope::imageio

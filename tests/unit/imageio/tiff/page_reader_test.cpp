// SPDX-License-Identifier: MIT
#include "imageio/tiff/page_reader.hpp"
#include <gtest/gtest.h>
#include <tiffio.h>
#include <algorithm>
#include <memory>
#include <string>
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

/// How libtiff is told to store an image that is then read here.
struct StorageCase {
  const char* name;
  const char* mode;  ///< of TIFFOpen: w, byte order l or b, 8 for BigTIFF
  PixelType type;
  int samples;
  bool is_planar;
  int tile;  ///< 0: strips of `rows`
  int rows;
  int compression, predictor;
};

constexpr StorageCase kStorageCases[] = {
    {"one_strip", "wl", PixelType::uint16, 1, false, 0, 37, COMPRESSION_NONE, 1},
    {"strips", "wl", PixelType::uint16, 1, false, 0, 5, COMPRESSION_NONE, 1},
    {"strips_big_endian", "wb", PixelType::float32, 1, false, 0, 5, COMPRESSION_NONE, 1},
    {"strips_big_endian_float64", "wb8", PixelType::float64, 1, false, 0, 5, COMPRESSION_NONE, 1},
    {"strips_big_endian_int8", "wb", PixelType::int8, 1, false, 0, 5, COMPRESSION_NONE, 1},
    {"tiles", "wl", PixelType::uint8, 1, false, 16, 0, COMPRESSION_NONE, 1},
    {"tiles_big_endian", "wb", PixelType::int16, 1, false, 32, 0, COMPRESSION_NONE, 1},
    {"tiles_larger_than_image", "wl", PixelType::int32, 1, false, 64, 0, COMPRESSION_NONE, 1},
    {"bigtiff", "wl8", PixelType::uint32, 1, false, 0, 5, COMPRESSION_NONE, 1},
    {"bigtiff_big_endian", "wb8", PixelType::uint16, 1, false, 0, 5, COMPRESSION_NONE, 1},
    {"rgb", "wl", PixelType::uint8, 3, false, 0, 5, COMPRESSION_NONE, 1},
    {"rgb_big_endian_16", "wb", PixelType::uint16, 3, false, 0, 37, COMPRESSION_NONE, 1},
    {"rgb_planar", "wl", PixelType::uint8, 3, true, 0, 5, COMPRESSION_NONE, 1},
    {"rgb_planar_tiles", "wb", PixelType::uint16, 3, true, 16, 0, COMPRESSION_NONE, 1},
    {"rgb_tiles", "wl", PixelType::float32, 3, false, 16, 0, COMPRESSION_NONE, 1},
    {"lzw", "wl", PixelType::uint8, 1, false, 0, 5, COMPRESSION_LZW, 1},
    {"lzw_predictor", "wl", PixelType::uint16, 1, false, 0, 5, COMPRESSION_LZW, 2},
    {"deflate", "wb", PixelType::float32, 1, false, 0, 5, COMPRESSION_ADOBE_DEFLATE, 1},
    {"deflate_predictor", "wb", PixelType::uint32, 1, false, 0, 5, COMPRESSION_ADOBE_DEFLATE, 2},
    // libtiff 4.5 writes this predictor wrongly in big-endian files; a Python check reads a right
    // one
    {"deflate_float_predictor", "wl", PixelType::float32, 1, false, 0, 5, COMPRESSION_ADOBE_DEFLATE,
     3},
    {"old_deflate", "wl", PixelType::uint8, 1, false, 0, 5, COMPRESSION_DEFLATE, 1},
    {"packbits", "wb", PixelType::uint16, 1, false, 0, 5, COMPRESSION_PACKBITS, 1},
    {"zstd", "wl8", PixelType::float64, 1, false, 0, 5, COMPRESSION_ZSTD, 1},
    {"zstd_predictor_tiles", "wb", PixelType::int16, 1, false, 16, 0, COMPRESSION_ZSTD, 2},
    {"rgb_deflate", "wl", PixelType::uint8, 3, false, 0, 5, COMPRESSION_ADOBE_DEFLATE, 2},
    {"rgb_planar_deflate", "wb", PixelType::uint16, 3, true, 0, 5, COMPRESSION_ADOBE_DEFLATE, 2},
    {"rgb_planar_lzw_tiles", "wb", PixelType::uint16, 3, true, 16, 0, COMPRESSION_LZW, 2},
};

constexpr std::int64_t kPages = 3, kHeight = 37, kWidth = 29;

/// Page z of sample s is plane (s * kPages + z) of a pattern.
template <class T>
Volume<T> all_samples(int samples) {
  return test::pattern<T>({samples * kPages, kHeight, kWidth});
}

void set_tags(TIFF* tiff, const StorageCase& c) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(kWidth));
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(kHeight));
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, static_cast<int>(8 * size_of(c.type)));
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, c.samples);
  const bool is_signed =
      c.type == PixelType::int8 || c.type == PixelType::int16 || c.type == PixelType::int32;
  TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
               is_floating(c.type) ? SAMPLEFORMAT_IEEEFP
               : is_signed         ? SAMPLEFORMAT_INT
                                   : SAMPLEFORMAT_UINT);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
               c.samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
               c.is_planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, c.compression);
  if (c.predictor > 1) TIFFSetField(tiff, TIFFTAG_PREDICTOR, c.predictor);
  if (c.tile > 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, c.tile);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, c.tile);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, c.rows);
  }
}

/// Blocks of one page, samples interleaved or one after the other.
template <class T>
void write_page(TIFF* tiff, const StorageCase& c, const Volume<T>& all, std::int64_t page) {
  const std::int64_t height = c.tile > 0 ? c.tile : c.rows, width = c.tile > 0 ? c.tile : kWidth;
  const int planes = c.is_planar ? c.samples : 1, interleaved = c.is_planar ? 1 : c.samples;
  std::uint32_t number = 0;
  for (int plane = 0; plane < planes; ++plane)
    for (std::int64_t y0 = 0; y0 < kHeight; y0 += height)
      for (std::int64_t x0 = 0; x0 < kWidth; x0 += width, ++number) {
        const std::int64_t rows = c.tile > 0 ? height : std::min(height, kHeight - y0);
        std::vector<T> block(static_cast<std::size_t>(rows * width * interleaved));
        for (std::int64_t y = 0; y < std::min(rows, kHeight - y0); ++y)
          for (std::int64_t x = 0; x < std::min(width, kWidth - x0); ++x)
            for (int s = 0; s < interleaved; ++s)
              block[static_cast<std::size_t>((y * width + x) * interleaved + s)] =
                  all.view()((plane + s) * kPages + page, y0 + y, x0 + x);
        const auto bytes = static_cast<tmsize_t>(block.size() * sizeof(T));
        const auto written = c.tile > 0 ? TIFFWriteEncodedTile(tiff, number, block.data(), bytes)
                                        : TIFFWriteEncodedStrip(tiff, number, block.data(), bytes);
        ASSERT_EQ(written, bytes);
      }
}

class Storage : public testing::TestWithParam<StorageCase> {};

TEST_P(Storage, OfLibtiffIsReadInWholeAndInParts) {
  const StorageCase& c = GetParam();
  const test::TemporaryFolder folder;
  const auto path = folder / "foreign.tif";
  TIFFSetWarningHandler(nullptr);  // it warns of old_deflate, which is meant
  visit_pixel_type(c.type, [&](auto zero) {
    using T = decltype(zero);
    const auto all = all_samples<T>(c.samples);
    {
      const std::unique_ptr<TIFF, decltype(&TIFFClose)> tiff{TIFFOpen(path.c_str(), c.mode),
                                                             TIFFClose};
      ASSERT_TRUE(tiff);
      for (std::int64_t page = 0; page < kPages; ++page) {
        set_tags(tiff.get(), c);
        write_page(tiff.get(), c, all, page);
        ASSERT_EQ(TIFFWriteDirectory(tiff.get()), 1);
      }
    }
    for (int sample = 0; sample < c.samples; ++sample) {
      OpenOptions options;
      options.channel = sample;
      const auto image = open_image(path, options);
      ASSERT_EQ(image.info.extent, (Extent3{kPages, kHeight, kWidth}));
      ASSERT_EQ(image.info.type, c.type);
      for (const Box3& box : {whole(image.info.extent), Box3{{1, 4, 15}, {2, 13, 14}},
                              Box3{{0, 16, 16}, {3, 1, 1}}, Box3{{2, 36, 0}, {1, 1, kWidth}}}) {
        Volume<T> part{box.size};
        image.source->read(box, VoxelView{part.view()});
        Box3 expected = box;
        expected.origin.z += sample * kPages;
        EXPECT_EQ(part.voxels, test::cut(all, expected).voxels) << box;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Tiff, Storage, testing::ValuesIn(kStorageCases), test::kCaseName);

}  // namespace
}  // namespace synthoscope::imageio

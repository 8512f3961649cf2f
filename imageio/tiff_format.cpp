// SPDX-License-Identifier: MIT
#include "imageio/tiff_format.hpp"
#include <fmt/format.h>
#include <tiff.h>
#include <algorithm>
#include "core/error.hpp"
#include "core/names.hpp"

namespace synthoscope::imageio {
namespace {

constexpr NameTable<std::int64_t, 6> kCompressions{{
    {COMPRESSION_NONE, "none"},
    {COMPRESSION_LZW, "lzw"},
    {COMPRESSION_ADOBE_DEFLATE, "deflate"},
    {COMPRESSION_DEFLATE, "deflate"},
    {COMPRESSION_PACKBITS, "packbits"},
    {COMPRESSION_ZSTD, "zstd"},
}};

/// Codes that are met in practice and refused by name.
constexpr NameTable<std::int64_t, 10> kRefusedCompressions{{
    {COMPRESSION_CCITTRLE, "CCITT RLE"},
    {COMPRESSION_CCITTFAX3, "CCITT fax 3"},
    {COMPRESSION_CCITTFAX4, "CCITT fax 4"},
    {COMPRESSION_OJPEG, "old JPEG"},
    {COMPRESSION_JPEG, "JPEG"},
    {COMPRESSION_JP2000, "JPEG 2000"},
    {COMPRESSION_LERC, "LERC"},
    {COMPRESSION_LZMA, "LZMA"},
    {COMPRESSION_WEBP, "WebP"},
    {COMPRESSION_JXL, "JPEG XL"},
}};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& found,
                         const char* advice) {
  throw InvalidInput(fmt::format("open {}: {}; {}", path.string(), found, advice));
}

void check_axis(const std::filesystem::path& path, const char* axis, std::int64_t pixels,
                const InputLimits& limits) {
  if (pixels < 1)
    refuse(path, fmt::format("its {} is {} pixels", axis, pixels),
           "the file is broken, make it again");
  if (pixels > limits.axis)
    refuse(path, fmt::format("its {} is {} pixels, the limit is {}", axis, pixels, limits.axis),
           "raise it with --max-axis if you trust the file");
}

/// All samples must agree: bits and formats are given per sample.
std::int64_t common_value(TiffTags& tags, const TiffEntry* entry, std::int64_t missing,
                          const std::filesystem::path& path, const char* what) {
  if (!entry) return missing;
  const auto values = tags.integers(*entry);
  if (values.empty()) tags.broken(fmt::format("its tag {} has no value", entry->tag));
  if (std::any_of(values.begin(), values.end(), [&](auto v) { return v != values.front(); }))
    refuse(path, fmt::format("its samples differ in {}", what),
           "save all channels with one pixel type");
  return values.front();
}

PixelType pixel_type_from(std::int64_t bits, std::int64_t format,
                          const std::filesystem::path& path) {
  const bool is_unsigned = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID;
  if (is_unsigned && bits == 8) return PixelType::uint8;
  if (is_unsigned && bits == 16) return PixelType::uint16;
  if (is_unsigned && bits == 32) return PixelType::uint32;
  if (format == SAMPLEFORMAT_INT && bits == 8) return PixelType::int8;
  if (format == SAMPLEFORMAT_INT && bits == 16) return PixelType::int16;
  if (format == SAMPLEFORMAT_INT && bits == 32) return PixelType::int32;
  if (format == SAMPLEFORMAT_IEEEFP && bits == 32) return PixelType::float32;
  if (format == SAMPLEFORMAT_IEEEFP && bits == 64) return PixelType::float64;
  const bool is_complex = format == SAMPLEFORMAT_COMPLEXINT || format == SAMPLEFORMAT_COMPLEXIEEEFP;
  const char* kind = is_complex                      ? "complex numbers"
                     : format == SAMPLEFORMAT_IEEEFP ? "floating-point numbers"
                     : format == SAMPLEFORMAT_INT    ? "signed integers"
                     : is_unsigned                   ? "unsigned integers"
                                                     : "numbers of an unknown kind";
  refuse(path, fmt::format("its pixels are {} of {} bits", kind, bits),
         "accepted are 8-, 16- and 32-bit integers and 32- and 64-bit floats: convert it");
}

void check_photometric(const TiffFormat& format, const std::filesystem::path& path) {
  constexpr std::int64_t kAccepted[] = {PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_MINISBLACK,
                                        PHOTOMETRIC_RGB,        PHOTOMETRIC_PALETTE,
                                        PHOTOMETRIC_MASK,       PHOTOMETRIC_SEPARATED};
  if (std::find(std::begin(kAccepted), std::end(kAccepted), format.photometric) ==
      std::end(kAccepted))
    refuse(path, fmt::format("its colour model has code {}", format.photometric),
           "accepted are grey, palette, RGB and CMYK: convert it");
}

void check_compression(const TiffFormat& format, const std::filesystem::path& path) {
  if (compression_name(format.compression) != "unknown") return;
  const auto name = name_in(kRefusedCompressions, format.compression);
  refuse(path, fmt::format("its compression is {} (code {})", name, format.compression),
         "accepted are none, deflate, LZW, PackBits and zstd: save it with one of them");
}

/// Tiles, or strips as wide as the image.
void read_blocks(TiffFormat& format, TiffTags& tags, const TiffRawDirectory& directory,
                 const std::filesystem::path& path) {
  format.is_tiled = directory.find(TIFFTAG_TILEWIDTH) != nullptr;
  if (format.is_tiled) {
    format.block_width = tags.integer(directory.find(TIFFTAG_TILEWIDTH), 0);
    format.block_height = tags.integer(directory.find(TIFFTAG_TILELENGTH), 0);
    constexpr std::int64_t kLargestTile = std::int64_t{1} << 20;
    if (format.block_width < 1 || format.block_height < 1 || format.block_width > kLargestTile ||
        format.block_height > kLargestTile)
      refuse(path,
             fmt::format("its tiles are {}x{} pixels", format.block_height, format.block_width),
             "the file is broken, make it again");
  } else {
    format.block_width = format.width;
    const auto rows = tags.integer(directory.find(TIFFTAG_ROWSPERSTRIP), format.height);
    format.block_height = std::clamp<std::int64_t>(rows, 1, format.height);
  }
}

/// Every later product of sizes is part of this one.
void check_products(const TiffFormat& format, const std::filesystem::path& path) {
  std::int64_t bytes = size_of(format.type) * format.samples;
  const std::int64_t columns = std::max(format.blocks_across() * format.block_width, format.width);
  const std::int64_t rows = std::max(format.blocks_down() * format.block_height, format.height);
  if (__builtin_mul_overflow(bytes, columns, &bytes) || __builtin_mul_overflow(bytes, rows, &bytes))
    refuse(path, fmt::format("one page declares {}x{} pixels", format.height, format.width),
           "that is more than can be counted: make it again");
}

}  // namespace

std::string_view compression_name(std::int64_t code) {
  return name_in(kCompressions, code);
}

TiffFormat read_format(TiffTags& tags, const TiffRawDirectory& directory,
                       const std::filesystem::path& path, const InputLimits& limits) {
  TiffFormat format;
  const auto value = [&](std::uint16_t tag, std::int64_t missing) {
    return tags.integer(directory.find(tag), missing);
  };
  format.is_reduced = (value(TIFFTAG_SUBFILETYPE, 0) & FILETYPE_REDUCEDIMAGE) != 0;
  if (format.is_reduced) return format;
  format.width = value(TIFFTAG_IMAGEWIDTH, 0);
  format.height = value(TIFFTAG_IMAGELENGTH, 0);
  check_axis(path, "width", format.width, limits);
  check_axis(path, "height", format.height, limits);
  if (value(TIFFTAG_IMAGEDEPTH, 1) != 1)
    refuse(path, fmt::format("one of its pages is {} planes deep", value(TIFFTAG_IMAGEDEPTH, 1)),
           "save it with one plane per page");

  format.samples = value(TIFFTAG_SAMPLESPERPIXEL, 1);
  if (format.samples < 1 || format.samples > limits.channels)
    refuse(
        path,
        fmt::format("its pixels have {} samples, the limit is {}", format.samples, limits.channels),
        "raise it with --max-channels if you trust the file");
  const auto bits =
      common_value(tags, directory.find(TIFFTAG_BITSPERSAMPLE), 1, path, "their number of bits");
  const auto kind = common_value(tags, directory.find(TIFFTAG_SAMPLEFORMAT), SAMPLEFORMAT_UINT,
                                 path, "their format");
  format.type = pixel_type_from(bits, kind, path);
  format.is_planar = format.samples > 1 && value(TIFFTAG_PLANARCONFIG, 1) == PLANARCONFIG_SEPARATE;

  format.photometric = value(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  format.compression = value(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  format.orientation = value(TIFFTAG_ORIENTATION, 1);
  check_photometric(format, path);
  check_compression(format, path);
  read_blocks(format, tags, directory, path);
  check_products(format, path);
  return format;
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "imageio/tiff/format.hpp"
#include <fmt/format.h>
#include <tiffio.h>
#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>
#include "core/base/error.hpp"
#include "core/base/names.hpp"
#include "imageio/tiff/meaning.hpp"

namespace synthoscope::imageio {
namespace {

constexpr NameTable<std::int64_t, 13> kCompressions{{
    {COMPRESSION_NONE, "none"},
    {COMPRESSION_LZW, "lzw"},
    {COMPRESSION_ADOBE_DEFLATE, "deflate"},
    {COMPRESSION_DEFLATE, "deflate"},
    {COMPRESSION_PACKBITS, "packbits"},
    {COMPRESSION_ZSTD, "zstd"},
    {COMPRESSION_LZMA, "lzma"},
    {COMPRESSION_JPEG, "jpeg"},
    {COMPRESSION_WEBP, "webp"},
    {COMPRESSION_LERC, "lerc"},
    {COMPRESSION_CCITTRLE, "ccitt rle"},
    {COMPRESSION_CCITTFAX3, "ccitt fax 3"},
    {COMPRESSION_CCITTFAX4, "ccitt fax 4"},
}};

/// Codes that are met in practice and refused by name.
constexpr NameTable<std::int64_t, 15> kRefusedCompressions{{
    {COMPRESSION_OJPEG, "JPEG of TIFF 6.0, which is obsolete"},
    {COMPRESSION_JP2000, "JPEG 2000"},
    {33003, "JPEG 2000 (Aperio, YCbCr)"},
    {33005, "JPEG 2000 (Aperio, RGB)"},
    {33007, "JPEG (Alternative)"},
    {34892, "JPEG with loss (DNG)"},
    {22610, "JPEG XR (NDPI)"},
    {34934, "JPEG XR"},
    {COMPRESSION_JXL, "JPEG XL"},
    {COMPRESSION_JBIG, "JBIG"},
    {COMPRESSION_NEXT, "NeXT RLE"},
    {COMPRESSION_THUNDERSCAN, "ThunderScan"},
    {COMPRESSION_PIXARLOG, "Pixar's logarithms"},
    {COMPRESSION_SGILOG, "SGI's logarithms"},
    {COMPRESSION_SGILOG24, "SGI's logarithms"},
}};

/// Colour models that are refused by name.
constexpr NameTable<std::int64_t, 8> kRefusedColours{{
    {PHOTOMETRIC_YCBCR, "YCbCr"},
    {PHOTOMETRIC_CIELAB, "CIELab"},
    {PHOTOMETRIC_ICCLAB, "ICCLab"},
    {PHOTOMETRIC_ITULAB, "ITULab"},
    {PHOTOMETRIC_CFA, "a colour filter array"},
    {PHOTOMETRIC_LOGL, "CIE LogL"},
    {PHOTOMETRIC_LOGLUV, "CIE LogLuv"},
    {34892, "linear raw (DNG)"},
}};

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& found,
                         const char* advice) {
  throw InvalidInput(fmt::format("open {}: {}; {}", path.string(), found, advice));
}

void check_axis(const std::filesystem::path& path, const char* axis, std::int64_t pixels,
                const InputLimits& limits) {
  if (pixels < 1)
    refuse(path, fmt::format("its {} is {} pixels", axis, pixels),
           "the file is damaged: create it again");
  if (pixels > limits.axis)
    refuse(path, fmt::format("its {} is {} pixels, the limit is {}", axis, pixels, limits.axis),
           "raise it with --max-axis if you trust the file");
}

/// Bits and formats are given for each sample, and all must agree. Values beyond the last sample
/// mean nothing.
std::int64_t common_value(TiffTags& tags, const TiffEntry* entry, std::int64_t samples,
                          std::int64_t missing, const std::filesystem::path& path,
                          const char* what) {
  if (!entry) return missing;
  auto values = tags.integers(*entry);
  if (std::ssize(values) > samples) values.resize(static_cast<std::size_t>(samples));
  if (values.empty()) tags.broken(fmt::format("its {} has no value", print_tag(entry->tag)));
  if (std::any_of(values.begin(), values.end(), [&](auto v) { return v != values.front(); }))
    refuse(path, fmt::format("its samples differ in {}", what),
           "save all channels with one pixel type");
  return values.front();
}

/// What is read of samples of `bits` bits. Sets type, stored and bits.
void set_type(TiffFormat& format, std::int64_t bits, std::int64_t kind,
              const std::filesystem::path& path) {
  struct Row {
    std::int64_t kind, bits;
    PixelType type;
    StoredType stored;
  };
  using enum PixelType;
  constexpr Row kRows[] = {
      {SAMPLEFORMAT_UINT, 8, uint8, StoredType::voxels},
      {SAMPLEFORMAT_UINT, 16, uint16, StoredType::voxels},
      {SAMPLEFORMAT_UINT, 32, uint32, StoredType::voxels},
      {SAMPLEFORMAT_UINT, 64, uint32, StoredType::uint64},
      {SAMPLEFORMAT_INT, 8, int8, StoredType::voxels},
      {SAMPLEFORMAT_INT, 16, int16, StoredType::voxels},
      {SAMPLEFORMAT_INT, 32, int32, StoredType::voxels},
      {SAMPLEFORMAT_INT, 64, int32, StoredType::int64},
      {SAMPLEFORMAT_IEEEFP, 16, float32, StoredType::float16},
      {SAMPLEFORMAT_IEEEFP, 32, float32, StoredType::voxels},
      {SAMPLEFORMAT_IEEEFP, 64, float64, StoredType::voxels},
  };
  const bool is_unsigned = kind == SAMPLEFORMAT_UINT || kind == SAMPLEFORMAT_VOID;
  format.bits = bits;
  for (const Row& row : kRows)
    if (row.bits == bits && row.kind == (is_unsigned ? SAMPLEFORMAT_UINT : kind)) {
      format.type = row.type;
      format.stored = row.stored;
      return;
    }
  if (is_unsigned && bits >= 1 && bits < 16) {
    format.type = bits < 8 ? uint8 : uint16;
    format.stored = StoredType::bits;
    return;
  }
  const bool is_complex = kind == SAMPLEFORMAT_COMPLEXINT || kind == SAMPLEFORMAT_COMPLEXIEEEFP;
  const char* name = is_complex                    ? "complex numbers"
                     : kind == SAMPLEFORMAT_IEEEFP ? "floating-point numbers"
                     : kind == SAMPLEFORMAT_INT    ? "signed integers"
                     : is_unsigned                 ? "unsigned integers"
                                                   : "numbers of an unknown kind";
  refuse(path, fmt::format("its pixels are {} of {} bits", name, bits),
         "unsigned integers of 1 to 16, 32 and 64 bits, signed ones of 8, 16, 32 and 64, and "
         "floats of 16, 32 and 64 are accepted: convert it");
}

/// The kind of numbers. SGI's tag DataType is older than SampleFormat.
std::int64_t sample_format(TiffTags& tags, const TiffRawDirectory& directory, std::int64_t samples,
                           const std::filesystem::path& path) {
  const auto* entry = directory.find(TIFFTAG_SAMPLEFORMAT);
  const auto* old = directory.find(TIFFTAG_DATATYPE);
  if (entry || !old)
    return common_value(tags, entry, samples, SAMPLEFORMAT_UINT, path, "their format");
  constexpr std::int64_t kSigned = 1, kUnsigned = 2, kFloat = 3;
  const std::int64_t kind = tags.integer(old, kUnsigned);
  return kind == kSigned  ? SAMPLEFORMAT_INT
         : kind == kFloat ? SAMPLEFORMAT_IEEEFP
                          : SAMPLEFORMAT_UINT;
}

void check_photometric(const TiffFormat& format, const std::filesystem::path& path) {
  constexpr std::int64_t kAccepted[] = {PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_MINISBLACK,
                                        PHOTOMETRIC_RGB,        PHOTOMETRIC_PALETTE,
                                        PHOTOMETRIC_MASK,       PHOTOMETRIC_SEPARATED};
  // JPEG's own colours are decoded to RGB
  if (format.photometric == PHOTOMETRIC_YCBCR && format.compression == COMPRESSION_JPEG &&
      format.samples == 3 && !format.is_planar)
    return;
  if (std::find(std::begin(kAccepted), std::end(kAccepted), format.photometric) ==
      std::end(kAccepted))
    refuse(path,
           fmt::format("its colour model is {} (code {})",
                       name_in(kRefusedColours, format.photometric), format.photometric),
           "grey, palette, RGB, CMYK, and YCbCr in JPEG are accepted: convert it");
}

void check_compression(const TiffFormat& format, const std::filesystem::path& path) {
  constexpr const char* kAccepted =
      "none, deflate, LZW, PackBits, zstd, LZMA, JPEG, WebP, LERC and CCITT are accepted: save it "
      "with one of them";
  if (compression_name(format.compression) == "unknown") {
    const auto name = name_in(kRefusedCompressions, format.compression);
    refuse(path, fmt::format("its compression is {} (code {})", name, format.compression),
           kAccepted);
  }
  if (!TIFFIsCODECConfigured(static_cast<std::uint16_t>(format.compression)))
    refuse(path,
           fmt::format("its compression is {}, which libtiff was built without on this machine",
                       compression_name(format.compression)),
           "save it with deflate");
  const bool is_fax = format.compression == COMPRESSION_CCITTRLE ||
                      format.compression == COMPRESSION_CCITTFAX3 ||
                      format.compression == COMPRESSION_CCITTFAX4;
  const bool is_photograph =
      format.compression == COMPRESSION_JPEG || format.compression == COMPRESSION_WEBP;
  if ((is_fax && format.bits != 1) || (is_photograph && format.type != PixelType::uint8) ||
      (is_photograph && format.bits != 8))
    refuse(path,
           fmt::format("its compression is {} with {} bits", compression_name(format.compression),
                       format.bits),
           is_fax ? "CCITT is supported with 1 bit: save it with deflate"
                  : "JPEG and WebP are supported with 8 bits, unsigned: save it with deflate");
}

/// GDAL's word for what pixels without data have; 0 where the type cannot hold it.
double missing_value(TiffTags& tags, const TiffRawDirectory& directory, PixelType type) {
  constexpr std::uint16_t kNoDataTag = 42113;
  constexpr std::int64_t kLongest = 64;
  const auto* entry = directory.find(kNoDataTag);
  if (!entry || entry->count > kLongest) return 0;
  const std::string text = tags.text(*entry, {});
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{}) return 0;
  return visit_pixel_type(type, [value](auto zero) {
    using T = decltype(zero);
    const bool is_held = std::is_floating_point_v<T> ||
                         (value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                          value <= static_cast<double>(std::numeric_limits<T>::max()));
    return is_held ? value : 0;
  });
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
             "the file is damaged: create it again");
  } else {
    format.block_width = format.width;
    const auto rows = tags.integer(directory.find(TIFFTAG_ROWSPERSTRIP), format.height);
    format.block_height = std::clamp<std::int64_t>(rows, 1, format.height);
  }
}

/// Every later product of sizes is part of this one.
void check_products(const TiffFormat& format, const std::filesystem::path& path) {
  std::int64_t bytes = std::max(size_of(format.type), (format.bits + 7) / 8) * format.samples;
  const std::int64_t columns = std::max(format.blocks_across() * format.block_width, format.width);
  const std::int64_t rows = std::max(format.blocks_down() * format.block_height, format.height);
  if (__builtin_mul_overflow(bytes, columns, &bytes) || __builtin_mul_overflow(bytes, rows, &bytes))
    refuse(path, fmt::format("one page declares {}x{} pixels", format.height, format.width),
           "that is more than can be counted: create it again");
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
  format.is_reduced = (value(TIFFTAG_SUBFILETYPE, 0) & FILETYPE_REDUCEDIMAGE) != 0 ||
                      value(TIFFTAG_OSUBFILETYPE, 0) == OFILETYPE_REDUCEDIMAGE;
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
  const auto bits = common_value(tags, directory.find(TIFFTAG_BITSPERSAMPLE), format.samples, 1,
                                 path, "their number of bits");
  set_type(format, bits, sample_format(tags, directory, format.samples, path), path);
  format.is_planar = format.samples > 1 && value(TIFFTAG_PLANARCONFIG, 1) == PLANARCONFIG_SEPARATE;

  format.photometric = value(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  format.compression = value(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  format.orientation = value(TIFFTAG_ORIENTATION, 1);
  const std::int64_t order = value(TIFFTAG_FILLORDER, FILLORDER_MSB2LSB);
  if (order != FILLORDER_MSB2LSB && order != FILLORDER_LSB2MSB)
    refuse(path, fmt::format("its FillOrder has code {}, but only 1 and 2 are known", order),
           "create the file again");
  format.is_reversed = order == FILLORDER_LSB2MSB;
  check_compression(format, path);
  check_photometric(format, path);
  check_meaning(tags, directory, format, path);
  format.missing_value = missing_value(tags, directory, format.type);
  format.ignored = ignored_tags(tags, directory, format);
  read_blocks(format, tags, directory, path);
  check_products(format, path);
  return format;
}

}  // namespace synthoscope::imageio

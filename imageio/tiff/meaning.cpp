// SPDX-License-Identifier: MIT
#include "imageio/tiff/meaning.hpp"
#include <fmt/format.h>
#include <tiff.h>
#include <algorithm>
#include "core/base/error.hpp"

namespace synthoscope::imageio {
namespace {

// Not in libtiff's header. @source  RFC 3949 (TIFF-FX); Adobe, Digital Negative 1.4.
constexpr std::uint16_t kDecodeTag = 433, kLinearizationTag = 50712;
constexpr std::uint16_t kMatteingTag = 32995;  ///< SGI's word for an opacity sample

/// A tag that may have one value only, or must be absent.
struct RefusedTag {
  std::uint16_t tag;
  const char* name;
  std::int64_t usual;  ///< -1: no value is usual
};

constexpr RefusedTag kRefusedTags[] = {
    {TIFFTAG_TILEDEPTH, "TileDepth", 1},
    {kDecodeTag, "Decode", -1},
    {kLinearizationTag, "LinearizationTable", -1},
};

/// A tag that changes how pixels are displayed. It is ignored: values are read as stored.
struct IgnoredTag {
  std::uint16_t tag;
  const char* note;
};

constexpr IgnoredTag kIgnoredTags[] = {
    {TIFFTAG_GRAYRESPONSECURVE, "its GrayResponseCurve is ignored, values are read as stored"},
    {TIFFTAG_TRANSFERFUNCTION, "its TransferFunction is ignored, values are read as stored"},
    {TIFFTAG_REFERENCEBLACKWHITE, "its ReferenceBlackWhite is ignored, values are read as stored"},
    {TIFFTAG_INDEXED, "its colour table is ignored, indices are read (Indexed)"},
    {TIFFTAG_THRESHHOLDING, "its grey levels are a pattern of dots (Threshholding), which is read"},
    {TIFFTAG_EXTRASAMPLES, "one of its samples is opacity, and the others are multiplied by it"},
    {kMatteingTag, "one of its samples is opacity, and the others are multiplied by it"},
    {TIFFTAG_COMPRESSION, "its JPEG compression changed pixel values"},
};

/// Returns whether a tag that is there has an effect.
bool has_effect(TiffTags& tags, const TiffEntry& entry, const TiffFormat& format) {
  switch (entry.tag) {
    case TIFFTAG_INDEXED:
      return tags.integer(&entry, 0) != 0 && format.photometric != PHOTOMETRIC_PALETTE;
    case TIFFTAG_THRESHHOLDING:
      return tags.integer(&entry, 1) > 1;
    case TIFFTAG_EXTRASAMPLES: {
      const auto samples = tags.integers(entry);
      return std::ranges::find(samples, EXTRASAMPLE_ASSOCALPHA) != samples.end();
    }
    case TIFFTAG_REFERENCEBLACKWHITE:  // of YCbCr it belongs to the conversion to RGB
      return format.photometric != PHOTOMETRIC_YCBCR;
    case kMatteingTag:
      return tags.integer(&entry, 0) != 0;
    case TIFFTAG_COMPRESSION:
      return format.compression == COMPRESSION_JPEG;
    default:
      return true;
  }
}

[[noreturn]] void refuse_meaning(const std::filesystem::path& path, const std::string& found) {
  throw InvalidInput(fmt::format("open {}: {}; save it with plain values", path.string(), found));
}

/// Who writes it for other compressions means different things by it.
bool has_predictor(std::int64_t compression) {
  constexpr std::int64_t kCodecs[] = {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                      COMPRESSION_DEFLATE, COMPRESSION_ZSTD, COMPRESSION_LZMA};
  return std::ranges::find(kCodecs, compression) != std::end(kCodecs);
}

void check_predictor(std::int64_t predictor, const TiffFormat& format,
                     const std::filesystem::path& path) {
  if (predictor == PREDICTOR_NONE) return;
  const bool is_known = predictor == PREDICTOR_HORIZONTAL || predictor == PREDICTOR_FLOATINGPOINT;
  if (!is_known || !has_predictor(format.compression))
    refuse_meaning(path, fmt::format("its Predictor has code {} with compression {}", predictor,
                                     compression_name(format.compression)));
  const bool is_float = is_floating(format.type);
  if (format.stored == StoredType::bits || (predictor == PREDICTOR_FLOATINGPOINT && !is_float))
    refuse_meaning(path, fmt::format("its Predictor has code {} with {} of {} bits", predictor,
                                     is_float ? "floats" : "integers", format.bits));
}

}  // namespace

void check_meaning(TiffTags& tags, const TiffRawDirectory& directory, const TiffFormat& format,
                   const std::filesystem::path& path) {
  for (const auto& [tag, name, usual] : kRefusedTags)
    if (const auto* entry = directory.find(tag))
      if (usual < 0 || tags.integer(entry, usual) != usual)
        refuse_meaning(path,
                       fmt::format("it has the tag {} ({}), which is not applied", name, tag));
  const auto planes = tags.integer(directory.find(TIFFTAG_PLANARCONFIG), PLANARCONFIG_CONTIG);
  if (planes != PLANARCONFIG_CONTIG && planes != PLANARCONFIG_SEPARATE)
    refuse_meaning(
        path,
        fmt::format("its PlanarConfiguration has code {}, but only 1 and 2 are known", planes));
  check_predictor(tags.integer(directory.find(TIFFTAG_PREDICTOR), PREDICTOR_NONE), format, path);
}

std::uint32_t ignored_tags(TiffTags& tags, const TiffRawDirectory& directory,
                           const TiffFormat& format) {
  std::uint32_t ignored = 0;
  for (std::size_t i = 0; i < std::size(kIgnoredTags); ++i) {
    const auto* entry = directory.find(kIgnoredTags[i].tag);
    if (entry && has_effect(tags, *entry, format)) ignored |= 1U << i;
  }
  return ignored;
}

std::vector<std::string> notes_of_ignored(std::uint32_t ignored) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < std::size(kIgnoredTags); ++i)
    if (ignored >> i & 1U) notes.emplace_back(kIgnoredTags[i].note);
  return notes;
}

}  // namespace synthoscope::imageio

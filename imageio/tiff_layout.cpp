// SPDX-License-Identifier: MIT
#include "imageio/tiff_layout.hpp"
#include <fmt/format.h>
#include <tiff.h>
#include <algorithm>
#include <cstring>
#include "core/error.hpp"
#include "core/memory_budget.hpp"
#include "imageio/byte_order.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::int64_t kLargestClassic = (std::int64_t{4} << 30) - (std::int64_t{32} << 20);

/// Appends words of the host's byte order.
class Emitter {
 public:
  Emitter(std::vector<std::byte>& out, bool is_big) : out_{out}, is_big_{is_big} {}

  template <class Word>
  void put(Word word) {
    bytes(&word, sizeof word);
  }
  void put_offset(std::int64_t value) {
    if (is_big_)
      put(static_cast<std::uint64_t>(value));
    else
      put(static_cast<std::uint32_t>(value));
  }
  void put_count(std::int64_t entries) {
    if (is_big_)
      put(static_cast<std::uint64_t>(entries));
    else
      put(static_cast<std::uint16_t>(entries));
  }
  void bytes(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    out_.insert(out_.end(), first, first + size);
  }
  void align(std::size_t to) { out_.resize((out_.size() + to - 1) / to * to); }
  [[nodiscard]] std::int64_t position() const { return static_cast<std::int64_t>(out_.size()); }

  void short_entry(std::uint16_t tag, std::uint16_t value) {
    begin_entry(tag, TIFF_SHORT, 1);
    put(value);
    out_.resize(out_.size() + (is_big_ ? 6 : 2));
  }
  void long_entry(std::uint16_t tag, std::int64_t value) {
    begin_entry(tag, TIFF_LONG, 1);
    put(static_cast<std::uint32_t>(value));
    out_.resize(out_.size() + (is_big_ ? 4 : 0));
  }
  void offset_entry(std::uint16_t tag, std::int64_t value) {
    begin_entry(tag, is_big_ ? TIFF_LONG8 : TIFF_LONG, 1);
    put_offset(value);
  }
  void text_entry(std::uint16_t tag, std::int64_t count, std::int64_t offset) {
    begin_entry(tag, TIFF_ASCII, count);
    put_offset(offset);
  }
  void rational_entry(std::uint16_t tag, TiffRational value, std::int64_t offset) {
    begin_entry(tag, TIFF_RATIONAL, 1);
    if (!is_big_) return put_offset(offset);
    put(value.first);
    put(value.second);
  }

 private:
  void begin_entry(std::uint16_t tag, TIFFDataType type, std::int64_t count) {
    put(tag);
    put(static_cast<std::uint16_t>(type));
    put_offset(count);
  }

  std::vector<std::byte>& out_;
  bool is_big_;
};

/// What all directories of one file share.
struct Tables {
  std::int64_t description_offset = 0, description_bytes = 0;
  std::int64_t x_offset = 0, y_offset = 0;
  TiffResolution resolution;
};

void put_directory(Emitter& out, const ImageSpec& spec, const Tables& tables, bool is_first,
                   std::int64_t pixels, std::int64_t plane_bytes) {
  const bool has_resolution = tables.resolution.x || tables.resolution.y;
  out.put_count(10 + is_first + tables.resolution.x.has_value() + tables.resolution.y.has_value() +
                has_resolution);
  out.long_entry(TIFFTAG_IMAGEWIDTH, spec.extent.x);
  out.long_entry(TIFFTAG_IMAGELENGTH, spec.extent.y);
  out.short_entry(TIFFTAG_BITSPERSAMPLE, static_cast<std::uint16_t>(8 * size_of(spec.type)));
  out.short_entry(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  out.short_entry(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  if (is_first)
    out.text_entry(TIFFTAG_IMAGEDESCRIPTION, tables.description_bytes, tables.description_offset);
  out.offset_entry(TIFFTAG_STRIPOFFSETS, pixels);
  out.short_entry(TIFFTAG_SAMPLESPERPIXEL, 1);
  out.long_entry(TIFFTAG_ROWSPERSTRIP, spec.extent.y);
  out.offset_entry(TIFFTAG_STRIPBYTECOUNTS, plane_bytes);
  if (tables.resolution.x)
    out.rational_entry(TIFFTAG_XRESOLUTION, *tables.resolution.x, tables.x_offset);
  if (tables.resolution.y)
    out.rational_entry(TIFFTAG_YRESOLUTION, *tables.resolution.y, tables.y_offset);
  if (has_resolution) out.short_entry(TIFFTAG_RESOLUTIONUNIT, tables.resolution.unit);
  out.short_entry(TIFFTAG_SAMPLEFORMAT, sample_format_of(spec.type));
}

/// Bytes of one directory with its link, as put_directory writes it.
std::int64_t directory_bytes(const ImageSpec& spec, const Tables& tables, bool is_first,
                             bool is_big) {
  std::vector<std::byte> trial;
  Emitter out{trial, is_big};
  put_directory(out, spec, tables, is_first, 0, 0);
  out.put_offset(0);
  return out.position();
}

std::int64_t aligned(std::int64_t offset, std::int64_t to) {
  return (offset + to - 1) / to * to;
}

}  // namespace

std::uint16_t sample_format_of(PixelType type) {
  if (is_floating(type)) return SAMPLEFORMAT_IEEEFP;
  const bool is_signed =
      type == PixelType::int8 || type == PixelType::int16 || type == PixelType::int32;
  return is_signed ? SAMPLEFORMAT_INT : SAMPLEFORMAT_UINT;
}

bool needs_bigtiff(const ImageSpec& spec, std::int64_t payload_bytes) {
  constexpr std::int64_t kLargestDirectory = 512;
  return spec.force_bigtiff || payload_bytes > kLargestClassic - spec.extent.z * kLargestDirectory;
}

TiffLayout lay_out_tiff(const std::filesystem::path& path, const ImageSpec& spec,
                        const std::string& description) {
  const std::int64_t payload = volume(spec.extent) * size_of(spec.type);
  const bool is_imagej = spec.flavor == TiffFlavor::imagej, is_long = needs_bigtiff(spec, payload);
  TiffLayout layout;
  layout.is_big = is_long && !is_imagej;
  layout.plane_bytes = payload / spec.extent.z;
  if (is_imagej && is_long && (!spec.imagej_beyond_4gb || layout.plane_bytes > kLargestClassic))
    throw InvalidSpec(fmt::format(
        "create {}: {} are more than a TIFF that every ImageJ reads can hold (4 GB); use "
        "--tiff-flavor ome",
        path.string(), print_bytes(payload)));
  const std::int64_t directories = is_imagej && is_long ? 1 : spec.extent.z;

  // Header, description and fractions
  constexpr std::size_t kWord = 8, kPixelAlignment = 64;
  Emitter out{layout.head, layout.is_big};
  Tables tables;
  tables.resolution = resolution_of(spec);
  tables.description_offset = layout.description_offset = 16;
  tables.description_bytes = static_cast<std::int64_t>(description.size()) + 1;
  tables.x_offset = aligned(tables.description_offset + tables.description_bytes, kWord);
  tables.y_offset = tables.x_offset + 8;
  const std::int64_t first_directory = tables.y_offset + 8;
  out.bytes(kHostIsLittleEndian ? "II" : "MM", 2);
  out.put(static_cast<std::uint16_t>(layout.is_big ? 43 : 42));
  if (layout.is_big) {
    out.put(std::uint16_t{8});
    out.put(std::uint16_t{0});
  }
  out.put_offset(first_directory);
  out.align(16);
  out.bytes(description.c_str(), description.size() + 1);
  out.align(kWord);
  for (const auto& fraction : {tables.resolution.x, tables.resolution.y}) {
    out.put(fraction.value_or(TiffRational{}).first);
    out.put(fraction.value_or(TiffRational{}).second);
  }

  // Directories, aligned to words; their sizes tell where the pixels begin
  const std::int64_t first = aligned(directory_bytes(spec, tables, true, layout.is_big), kWord);
  const std::int64_t other = aligned(directory_bytes(spec, tables, false, layout.is_big), kWord);
  const std::int64_t end = first_directory + first + (directories - 1) * other;
  layout.pixels_offset = aligned(end, kPixelAlignment);
  layout.total_bytes = layout.pixels_offset + payload;
  for (std::int64_t i = 0; i < directories; ++i) {
    const std::int64_t next = first_directory + first + i * other;
    put_directory(out, spec, tables, i == 0, layout.pixels_offset + i * layout.plane_bytes,
                  layout.plane_bytes);
    out.put_offset(i + 1 < directories ? next : 0);
    out.align(kWord);
  }
  out.align(kPixelAlignment);
  return layout;
}

}  // namespace synthoscope::imageio

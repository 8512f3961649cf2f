// SPDX-License-Identifier: MIT
#include "imageio/tiff/writing/directory.hpp"
#include <tiff.h>
#include "core/base/assert.hpp"
#include "core/base/round_up.hpp"
#include "imageio/input/byte_order.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::int64_t kWord = 8;

std::int64_t aligned(std::int64_t offset) {
  return round_up(offset, kWord);
}

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
  void align(std::size_t to = kWord) { out_.resize((out_.size() + to - 1) / to * to); }
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
  /// One offset, or where `values.size()` of them lie.
  void offsets_entry(std::uint16_t tag, std::span<const std::int64_t> values, std::int64_t array) {
    begin_entry(tag, is_big_ ? TIFF_LONG8 : TIFF_LONG, static_cast<std::int64_t>(values.size()));
    put_offset(values.size() == 1 ? values.front() : array);
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

struct Entries {
  std::int64_t count = 0, bytes = 0;  ///< bytes, with the count before and the link after them
};

Entries entries_of(const TiffHead& head, bool is_first, bool has_predictor) {
  const auto& r = head.resolution;
  const std::int64_t count =
      10 + is_first + has_predictor + r.x.has_value() + r.y.has_value() + (r.x || r.y);
  return {count, head.is_big ? 8 + 20 * count + 8 : 2 + 12 * count + 4};
}

}  // namespace

TiffHead put_head(std::vector<std::byte>& out, const ImageSpec& spec,
                  const std::string& description, bool is_big) {
  constexpr std::int64_t kDescription = 16;
  TiffHead head;
  head.is_big = is_big;
  head.resolution = resolution_of(spec);
  head.description_offset = kDescription;
  head.description_bytes = static_cast<std::int64_t>(description.size()) + 1;
  head.x_offset = aligned(head.description_offset + head.description_bytes);
  head.y_offset = head.x_offset + 8;
  head.end = head.y_offset + 8;

  Emitter emit{out, is_big};
  emit.bytes(kHostIsLittleEndian ? "II" : "MM", 2);
  emit.put(static_cast<std::uint16_t>(is_big ? 43 : 42));
  if (is_big) {
    emit.put(std::uint16_t{8});
    emit.put(std::uint16_t{0});
  }
  emit.put_offset(head.end);
  emit.align(kDescription);
  emit.bytes(description.c_str(), description.size() + 1);
  emit.align();
  for (const auto& fraction : {head.resolution.x, head.resolution.y}) {
    emit.put(fraction.value_or(TiffRational{}).first);
    emit.put(fraction.value_or(TiffRational{}).second);
  }
  SYNTHOSCOPE_ASSERT(emit.position(), ==, head.end);
  return head;
}

void put_directory(std::vector<std::byte>& out, const ImageSpec& spec, const TiffHead& head,
                   bool is_first, const TiffStrips& strips, std::int64_t offset,
                   std::int64_t next) {
  const bool has_predictor = strips.predictor != 1;
  const auto [count, entry_bytes] = entries_of(head, is_first, has_predictor);
  const std::int64_t strip_count = std::ssize(strips.offsets);
  const std::int64_t offsets = aligned(offset + entry_bytes);
  const std::int64_t sizes = offsets + strip_count * (head.is_big ? 8 : 4);
  const auto& resolution = head.resolution;

  Emitter emit{out, head.is_big};
  const std::int64_t begin = emit.position();
  emit.put_count(count);
  emit.long_entry(TIFFTAG_IMAGEWIDTH, spec.extent.x);
  emit.long_entry(TIFFTAG_IMAGELENGTH, spec.extent.y);
  emit.short_entry(TIFFTAG_BITSPERSAMPLE, static_cast<std::uint16_t>(8 * size_of(spec.type)));
  emit.short_entry(TIFFTAG_COMPRESSION, strips.compression);
  emit.short_entry(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  if (is_first)
    emit.text_entry(TIFFTAG_IMAGEDESCRIPTION, head.description_bytes, head.description_offset);
  emit.offsets_entry(TIFFTAG_STRIPOFFSETS, strips.offsets, offsets);
  emit.short_entry(TIFFTAG_SAMPLESPERPIXEL, 1);
  emit.long_entry(TIFFTAG_ROWSPERSTRIP, strips.rows);
  emit.offsets_entry(TIFFTAG_STRIPBYTECOUNTS, strips.bytes, sizes);
  if (resolution.x) emit.rational_entry(TIFFTAG_XRESOLUTION, *resolution.x, head.x_offset);
  if (resolution.y) emit.rational_entry(TIFFTAG_YRESOLUTION, *resolution.y, head.y_offset);
  if (resolution.x || resolution.y) emit.short_entry(TIFFTAG_RESOLUTIONUNIT, resolution.unit);
  if (has_predictor) emit.short_entry(TIFFTAG_PREDICTOR, strips.predictor);
  emit.short_entry(TIFFTAG_SAMPLEFORMAT, sample_format_of(spec.type));
  emit.put_offset(next);
  emit.align();
  if (strip_count > 1) {
    for (const std::int64_t value : strips.offsets) emit.put_offset(value);
    for (const std::int64_t value : strips.bytes) emit.put_offset(value);
  }
  emit.align();
  SYNTHOSCOPE_ASSERT(emit.position() - begin, ==,
                     directory_bytes(head, is_first, strip_count, has_predictor));
}

std::int64_t directory_bytes(const TiffHead& head, bool is_first, std::int64_t strips,
                             bool has_predictor) {
  const std::int64_t arrays = strips > 1 ? 2 * strips * (head.is_big ? 8 : 4) : 0;
  return aligned(entries_of(head, is_first, has_predictor).bytes) + aligned(arrays);
}

std::uint16_t sample_format_of(PixelType type) {
  if (is_floating(type)) return SAMPLEFORMAT_IEEEFP;
  const bool is_signed =
      type == PixelType::int8 || type == PixelType::int16 || type == PixelType::int32;
  return is_signed ? SAMPLEFORMAT_INT : SAMPLEFORMAT_UINT;
}

}  // namespace synthoscope::imageio

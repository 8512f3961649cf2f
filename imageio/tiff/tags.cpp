// SPDX-License-Identifier: MIT
#include "imageio/tiff/tags.hpp"
#include <fmt/format.h>
#include <tiff.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include "core/base/error.hpp"
#include "core/base/names.hpp"
#include "imageio/input/byte_order.hpp"
#include "imageio/input/parsing_memory.hpp"

namespace synthoscope::imageio {
namespace {

/// Formats that are often mistaken for TIFF, recognized by their first bytes.
struct KnownFormat {
  std::string_view magic, name;
};
constexpr KnownFormat kOtherFormats[] = {
    {"\xFF\xD8\xFF", "a JPEG picture"}, {"GIF8", "a GIF picture"},
    {"ZISRAWFILE", "a Zeiss CZI file"}, {"\xDA\xCE\xBE\x0A", "a Nikon ND2 file"},
    {"PK\x03\x04", "a ZIP archive"},    {"%PDF", "a PDF document"},
    {"\x1F\x8B", "a gzip archive"},     {"BM", "a BMP picture"},
};

[[noreturn]] void refuse_no_tiff(const std::filesystem::path& path, std::string_view head) {
  std::string what = "not an image of a known format";
  for (const auto& [magic, name] : kOtherFormats)
    if (head.starts_with(magic)) what = name;
  throw InvalidInput(
      fmt::format("open {}: it is {}; give a TIFF, BigTIFF, HDF5, PNG or ICS file, or convert it",
                  path.string(), what));
}

/// Bytes of one value of a TIFF field type; 0 for unknown types.
std::int64_t bytes_of_type(std::uint16_t type) {
  switch (type) {
    case 1:
    case 2:
    case 6:
    case 7:
      return 1;
    case 3:
    case 8:
      return 2;
    case 4:
    case 9:
    case 11:
    case 13:
      return 4;
    case 5:
    case 10:
    case 12:
    case 16:
    case 17:
    case 18:
      return 8;
    default:
      return 0;
  }
}

constexpr std::uint16_t kRational = 5;

constexpr NameTable<std::uint16_t, 25> kTagNames{{
    {TIFFTAG_SUBFILETYPE, "NewSubfileType"},
    {TIFFTAG_OSUBFILETYPE, "SubfileType"},
    {TIFFTAG_IMAGEWIDTH, "ImageWidth"},
    {TIFFTAG_IMAGELENGTH, "ImageLength"},
    {TIFFTAG_BITSPERSAMPLE, "BitsPerSample"},
    {TIFFTAG_COMPRESSION, "Compression"},
    {TIFFTAG_PHOTOMETRIC, "PhotometricInterpretation"},
    {TIFFTAG_FILLORDER, "FillOrder"},
    {TIFFTAG_IMAGEDESCRIPTION, "ImageDescription"},
    {TIFFTAG_STRIPOFFSETS, "StripOffsets"},
    {TIFFTAG_ORIENTATION, "Orientation"},
    {TIFFTAG_SAMPLESPERPIXEL, "SamplesPerPixel"},
    {TIFFTAG_ROWSPERSTRIP, "RowsPerStrip"},
    {TIFFTAG_STRIPBYTECOUNTS, "StripByteCounts"},
    {TIFFTAG_XRESOLUTION, "XResolution"},
    {TIFFTAG_YRESOLUTION, "YResolution"},
    {TIFFTAG_PLANARCONFIG, "PlanarConfiguration"},
    {TIFFTAG_RESOLUTIONUNIT, "ResolutionUnit"},
    {TIFFTAG_TILEWIDTH, "TileWidth"},
    {TIFFTAG_TILELENGTH, "TileLength"},
    {TIFFTAG_TILEOFFSETS, "TileOffsets"},
    {TIFFTAG_TILEBYTECOUNTS, "TileByteCounts"},
    {TIFFTAG_SUBIFD, "SubIFDs"},
    {TIFFTAG_EXTRASAMPLES, "ExtraSamples"},
    {TIFFTAG_SAMPLEFORMAT, "SampleFormat"},
}};

}  // namespace

std::string print_tag(std::uint16_t tag) {
  const auto row = std::ranges::find(kTagNames, tag, [](const auto& one) { return one.first; });
  return row == kTagNames.end() ? fmt::format("tag {}", tag)
                                : fmt::format("tag {} ({})", tag, row->second);
}

const TiffEntry* TiffRawDirectory::find(std::uint16_t tag) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [tag](const TiffEntry& e) { return e.tag == tag; });
  return found == entries.end() ? nullptr : &*found;
}

template <class Word>
Word TiffTags::word(const std::byte* bytes) const {
  Word value;
  std::memcpy(&value, bytes, sizeof value);
  return is_foreign_ ? byte_swapped(value) : value;
}

std::int64_t TiffTags::offset_word(const std::byte* bytes) const {
  const std::uint64_t value =
      is_big_ ? word<std::uint64_t>(bytes) : std::uint64_t{word<std::uint32_t>(bytes)};
  if (value > static_cast<std::uint64_t>(file_.size()))
    broken(fmt::format("it points to byte {} but ends at byte {}", value, file_.size()));
  return static_cast<std::int64_t>(value);
}

TiffTags::TiffTags(const InputFile& file, const InputLimits& limits)
    : file_{file}, limits_{limits} {
  std::array<std::byte, 16> head{};
  const auto got = file.read_some(0, head);
  if (got == 0)
    throw InvalidInput(
        fmt::format("open {}: it is empty; copy or create it again", file.path().string()));
  const std::string_view magic{reinterpret_cast<const char*>(head.data()), got};
  const bool is_little = magic.starts_with("II"), is_tiff = is_little || magic.starts_with("MM");
  is_foreign_ = is_little != kHostIsLittleEndian;
  if (!is_tiff || got < 4) refuse_no_tiff(file.path(), magic);
  const auto version = word<std::uint16_t>(head.data() + 2);
  if (version != 42 && version != 43)
    throw InvalidInput(
        fmt::format("open {}: it begins like a TIFF file, but its version is {} instead of 42 "
                    "(TIFF) or 43 (BigTIFF); it is damaged or has another format, convert it",
                    file.path().string(), version));
  is_big_ = version == 43;
  if (got < (is_big_ ? 16u : 8u)) broken("it ends within its header");
  if (is_big_ &&
      (word<std::uint16_t>(head.data() + 4) != 8 || word<std::uint16_t>(head.data() + 6) != 0))
    broken("its BigTIFF header does not declare 8-byte offsets");
  first_ = offset_word(head.data() + (is_big_ ? 8 : 4));
  if (first_ == 0)
    throw InvalidInput(
        fmt::format("open {}: it holds no image: its list of directories is empty; "
                    "write it again",
                    file.path().string()));
}

TiffRawDirectory TiffTags::directory(std::int64_t offset) {
  const std::int64_t count_bytes = is_big_ ? 8 : 2, entry_bytes = is_big_ ? 20 : 12,
                     next_bytes = is_big_ ? 8 : 4, value_bytes = is_big_ ? 8 : 4;
  // Most directories come whole with the first read
  std::vector<std::byte> bytes(512);
  bytes.resize(file_.read_some(offset, bytes));
  const auto have = [&] { return static_cast<std::int64_t>(bytes.size()); };
  if (have() < count_bytes) broken(fmt::format("it ends within the directory at byte {}", offset));
  const std::uint64_t count = is_big_ ? word<std::uint64_t>(bytes.data())
                                      : std::uint64_t{word<std::uint16_t>(bytes.data())};
  if (count == 0 || count > 0xFFFF)
    broken(fmt::format("its directory at byte {} claims {} entries", offset, count));
  const auto entries = static_cast<std::int64_t>(count);
  const std::int64_t whole = count_bytes + entries * entry_bytes + next_bytes;
  if (whole > file_.size() - offset)
    broken(fmt::format("it ends within the directory at byte {}", offset));
  claim(whole);
  if (whole > have()) {
    bytes.resize(static_cast<std::size_t>(whole));
    file_.read_at(offset, bytes);
  }

  TiffRawDirectory result;
  result.offset = offset;
  result.entries.reserve(static_cast<std::size_t>(entries));
  const std::byte* at = bytes.data() + count_bytes;
  for (std::int64_t i = 0; i < entries; ++i, at += entry_bytes) {
    TiffEntry entry{word<std::uint16_t>(at), word<std::uint16_t>(at + 2), 0, {}};
    entry.count = is_big_ ? word<std::uint64_t>(at + 4) : word<std::uint32_t>(at + 4);
    std::memcpy(entry.field.data(), at + (is_big_ ? 12 : 8), static_cast<std::size_t>(value_bytes));
    result.entries.push_back(entry);
  }
  result.next = offset_word(at);
  return result;
}

std::vector<std::byte> TiffTags::payload(const TiffEntry& entry, std::int64_t unit) const {
  if (entry.count > static_cast<std::uint64_t>(file_.size() / unit))
    broken(fmt::format("its {} claims {} values, more than fit into the file", print_tag(entry.tag),
                       entry.count));
  const std::int64_t bytes = static_cast<std::int64_t>(entry.count) * unit;
  std::vector<std::byte> out(static_cast<std::size_t>(bytes));
  if (out.empty()) return out;
  if (bytes <= (is_big_ ? 8 : 4)) {
    std::memcpy(out.data(), entry.field.data(), out.size());
    return out;
  }
  const std::int64_t offset = offset_word(entry.field.data());
  if (bytes > file_.size() - offset)
    broken(fmt::format("it ends within the values of its {}", print_tag(entry.tag)));
  file_.read_at(offset, out);
  return out;
}

std::vector<std::int64_t> TiffTags::integers(const TiffEntry& entry) {
  const std::int64_t unit = bytes_of_type(entry.type);
  constexpr std::array<std::uint16_t, 6> kIntegerTypes{1, 3, 4, 13, 16, 18};
  if (std::find(kIntegerTypes.begin(), kIntegerTypes.end(), entry.type) == kIntegerTypes.end())
    broken(fmt::format("its {} has type {} instead of a whole number", print_tag(entry.tag),
                       entry.type));
  const auto bytes = payload(entry, unit);
  if (bytes.size() > 8) claim(static_cast<std::int64_t>(bytes.size()));
  std::vector<std::int64_t> values;
  values.reserve(static_cast<std::size_t>(entry.count));
  for (std::size_t i = 0; i < bytes.size(); i += static_cast<std::size_t>(unit)) {
    const std::byte* at = bytes.data() + i;
    const std::uint64_t value = unit == 1   ? std::to_integer<std::uint64_t>(*at)
                                : unit == 2 ? word<std::uint16_t>(at)
                                : unit == 4 ? word<std::uint32_t>(at)
                                            : word<std::uint64_t>(at);
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      broken(fmt::format("its {} holds {}", print_tag(entry.tag), value));
    values.push_back(static_cast<std::int64_t>(value));
  }
  return values;
}

std::int64_t TiffTags::integer(const TiffEntry* entry, std::int64_t missing) {
  if (!entry) return missing;
  const auto values = integers(*entry);
  if (values.empty()) broken(fmt::format("its {} has no value", print_tag(entry->tag)));
  return values.front();
}

std::optional<double> TiffTags::rational(const TiffEntry* entry) const {
  if (!entry || entry->type != kRational || entry->count != 1) return std::nullopt;
  const auto bytes = payload(*entry, 8);
  const double value = static_cast<double>(word<std::uint32_t>(bytes.data())) /
                       static_cast<double>(word<std::uint32_t>(bytes.data() + 4));
  if (!std::isfinite(value) || value <= 0) return std::nullopt;
  return value;
}

std::string TiffTags::text(const TiffEntry& entry, const InputLimits& limits) const {
  const std::int64_t limit = limits.description_bytes;
  if (entry.count > static_cast<std::uint64_t>(limit))
    throw InvalidInput(fmt::format(
        "open {}: its description has {} bytes, the limit is {}; raise it with --max-description "
        "if you trust the file",
        file_.path().string(), entry.count, limit));
  const auto room = reserve_for_parsing(limits, 2 * static_cast<std::int64_t>(entry.count),
                                        file_.path(), "description");
  const auto bytes = payload(entry, 1);
  const auto end = std::ranges::find(bytes, std::byte{0});
  return {reinterpret_cast<const char*>(bytes.data()),
          static_cast<std::size_t>(end - bytes.begin())};
}

void TiffTags::claim(std::int64_t bytes) {
  claimed_ += bytes;
  if (claimed_ > file_.size()) broken("its directories and tables overlap each other");
  // Places and lengths of strips are lists of 8 bytes each, twice while they are read
  constexpr std::int64_t kInMemory = 6;
  static_cast<void>(
      reserve_for_parsing(limits_, kInMemory * claimed_, file_.path(), "directories"));
}

void TiffTags::broken(const std::string& found) const {
  throw InvalidInput(
      fmt::format("open {}: {}; the file is truncated or damaged: copy or create it again",
                  file_.path().string(), found));
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "imageio/small/ics_header.hpp"
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "imageio/input/byte_order.hpp"
#include "imageio/input/key_lines.hpp"
#include "imageio/input/length_unit.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::string_view kVersionKey = "ics_version";
constexpr std::int64_t kMaxHeaderBytes = std::int64_t{1} << 20;

std::string text_from(const InputFile& file, std::int64_t most) {
  std::string text(static_cast<std::size_t>(std::min(most, file.size())), '\0');
  text.resize(file.read_some(0, std::as_writable_bytes(std::span{text})));
  return text;
}

std::vector<std::string> split(std::string_view line, char separator) {
  std::vector<std::string> words;
  while (true) {
    const auto end = line.find(separator);
    words.emplace_back(line.substr(0, end));
    if (!words.back().empty() && words.back().back() == '\r') words.back().pop_back();
    if (end == std::string_view::npos) return words;
    line.remove_prefix(end + 1);
  }
}

/// Values by "category key", such as "layout sizes"; the first line names both separators.
class Lines {
 public:
  Lines(const InputFile& file, std::string text) : file_{file} {
    const char field = text[0], line = text[1];
    // Some writers end lines by both characters of Windows
    const bool is_pair_of_ends = line == '\r' && text.find('\n', 2) == 2;
    std::size_t at = is_pair_of_ends || text.find(line, 2) == 2 ? 3 : 2;
    while (true) {
      const auto end = text.find(line, at);
      if (end == std::string::npos)
        refuse(fmt::format("its header has no end within {} bytes", text.size()));
      auto words = split(std::string_view{text}.substr(at, end - at), field);
      at = end + (is_pair_of_ends ? 2 : 1);
      if (words[0] == "end") break;
      const bool is_pair = words[0] == kVersionKey || words[0] == "filename";
      if (words.size() < 2) continue;
      const std::string key = is_pair ? words[0] : words[0] + " " + words[1];
      words.erase(words.begin(), words.begin() + (is_pair ? 1 : 2));
      values_.emplace(key, std::move(words));
    }
    end_ = static_cast<std::int64_t>(at);
  }

  [[noreturn]] void refuse(std::string_view problem) const {
    throw InvalidInput(fmt::format("open {}: {}; convert it to TIFF or HDF5, or write it again",
                                   file_.path().string(), problem));
  }
  [[nodiscard]] const std::vector<std::string>* find(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::string one(const std::string& key, std::string_view otherwise) const {
    const auto* words = find(key);
    return words && !words->empty() ? words->front() : std::string{otherwise};
  }
  [[nodiscard]] const std::vector<std::string>& all(const std::string& key) const {
    const auto* words = find(key);
    if (!words) refuse(fmt::format("its ICS header has no line \"{}\"", key));
    return *words;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }
  [[nodiscard]] std::int64_t end() const { return end_; }  ///< the byte behind the header

 private:
  const InputFile& file_;
  std::map<std::string, std::vector<std::string>> values_;
  std::int64_t end_ = 0;
};

PixelType type_of(const Lines& lines, std::int64_t bits) {
  const std::string format = lines.one("representation format", "integer"),
                    sign = lines.one("representation sign", "unsigned");
  if (format == "real" && bits == 32) return PixelType::float32;
  if (format == "real" && bits == 64) return PixelType::float64;
  if (format == "integer")
    if (const auto type =
            pixel_type_named(fmt::format("{}int{}", sign == "signed" ? "" : "u", bits)))
      return *type;
  lines.refuse(fmt::format("its voxels are {} {} of {} bits", sign, format, bits));
}

/// Whether bytes are to be swapped: the line counts them from the least significant one, which is
/// called 1.
bool is_swapped(const Lines& lines, std::int64_t bytes) {
  const auto* order = lines.find("representation byte_order");
  if (bytes == 1 || !order || order->empty()) return !kHostIsLittleEndian && bytes > 1;
  std::vector<std::string> up, down;
  for (std::int64_t i = 1; i <= bytes; ++i) {
    up.push_back(std::to_string(i));
    down.insert(down.begin(), std::to_string(i));
  }
  if (*order == up) return !kHostIsLittleEndian;
  if (*order == down) return kHostIsLittleEndian;
  lines.refuse("the order of its bytes is neither little nor big endian");
}

struct Axes {
  std::int64_t bits = 0;
  Extent3 extent{1, 1, 1};
  std::optional<double> z_um, y_um, x_um;
};

Axes axes_of(const Lines& lines, const InputLimits& limits) {
  const auto &order = lines.all("layout order"), &sizes = lines.all("layout sizes");
  if (order.size() != sizes.size() || order.size() < 3 || order[0] != "bits" || order[1] != "x" ||
      order[2] != "y")
    lines.refuse("its axes are not bits, x, y and, if there are planes, z");
  Axes axes;
  const auto size_of_axis = [&](std::size_t i) {
    const auto size = parse_integer(sizes[i]);
    if (!size || *size < 1)
      lines.refuse(fmt::format("its axis {} has size \"{}\"", order[i], sizes[i]));
    if (i > 0 && *size > limits.axis)
      throw InvalidInput(fmt::format(
          "open {}: its axis {} has {} voxels, the limit is {}; raise it with --max-axis if you "
          "trust the file",
          lines.path().string(), order[i], *size, limits.axis));
    return *size;
  };
  const auto *scale = lines.find("parameter scale"), *units = lines.find("parameter units");
  const auto pitch = [&](std::size_t i) -> std::optional<double> {
    if (!scale || !units || i >= scale->size() || i >= units->size()) return std::nullopt;
    const auto length = parse_positive((*scale)[i]);
    std::string unit = (*units)[i];
    if (unit.size() > 4 && unit.back() == 's') unit.pop_back();  // micrometers
    const auto um = micrometres_per(unit);
    return length && um ? std::optional{*length * *um} : std::nullopt;
  };
  axes.bits = size_of_axis(0);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::int64_t size = size_of_axis(i);
    if (i == 1) {
      axes.extent.x = size;
      axes.x_um = pitch(i);
    } else if (i == 2) {
      axes.extent.y = size;
      axes.y_um = pitch(i);
    } else if (i == 3 && order[i] == "z") {
      axes.extent.z = size;
      axes.z_um = pitch(i);
    } else if (size != 1) {
      lines.refuse(
          fmt::format("its axis {} has {} elements, but only one stack along x, y and z is read",
                      order[i], size));
    }
  }
  return axes;
}

/// The file of voxels that belongs to one of a header alone, in the header's case, packed or not;
/// where there is none, the plain one.
std::filesystem::path beside(const std::filesystem::path& header) {
  const bool is_upper = header.extension() == ".ICS";
  auto plain = header, packed = header;
  plain.replace_extension(is_upper ? ".IDS" : ".ids");
  packed = plain;
  packed += is_upper ? ".GZ" : ".gz";
  std::error_code ignored;  // names may be too long
  return !std::filesystem::exists(plain, ignored) && std::filesystem::exists(packed, ignored)
             ? packed
             : plain;
}

/// Returns where the voxels are: after the header, in the file that it names, or in the .ids file
/// of the same name.
void place(const InputFile& file, const Lines& lines, IcsHeader& header) {
  if (lines.one(std::string{kVersionKey}, "") != "1.0" && !lines.find("source file")) {
    header.data = file.path();
    header.offset = lines.end();
    return;
  }
  if (const std::string named = lines.one("source file", ""); !named.empty()) {
    // Only a name in the same folder is used; all other paths are ignored
    header.data = file.path();
    header.data.replace_filename(std::filesystem::path{named}.filename());
    header.offset = parse_integer(lines.one("source offset", "0")).value_or(-1);
    if (header.offset < 0) lines.refuse("its voxels begin before the start of their file");
  } else {
    header.data = beside(file.path());
  }
  header.info.further_files.push_back(header.data);
}

}  // namespace

bool is_ics(const InputFile& file) {
  const std::string start = text_from(file, 16);
  const auto at = start.find(kVersionKey);
  return at == 2 || at == 3;
}

IcsHeader read_ics_header(const InputFile& file, const InputLimits& limits) {
  const Lines lines{file, text_from(file, kMaxHeaderBytes)};
  const Axes axes = axes_of(lines, limits);
  IcsHeader header;
  header.info.path = file.path();
  header.info.format = fmt::format("ICS {}", lines.one(std::string{kVersionKey}, "1.0"));
  header.info.extent = axes.extent;
  header.info.type = type_of(lines, axes.bits);
  header.info.z_um = axes.z_um;
  header.info.y_um = axes.y_um;
  header.info.x_um = axes.x_um;
  header.is_swapped = is_swapped(lines, axes.bits / 8);
  const std::string packed = lines.one("representation compression", "uncompressed");
  if (packed != "uncompressed" && packed != "gzip")
    lines.refuse(fmt::format("its voxels are compressed by \"{}\"", packed));
  header.is_packed = packed == "gzip";
  header.info.compression = header.is_packed ? "gzip" : "none";
  place(file, lines, header);
  return header;
}

}  // namespace synthoscope::imageio

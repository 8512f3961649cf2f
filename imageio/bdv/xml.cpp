// SPDX-License-Identifier: MIT
#include "imageio/bdv/xml.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <pugixml.hpp>
#include <span>
#include "core/base/error.hpp"
#include "imageio/input/key_lines.hpp"
#include "imageio/input/length_unit.hpp"
#include "imageio/input/parsing_memory.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRoot = "<SpimData";

/// Words between blanks.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words{""};
  for (const char c : text)
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Reads one file, step by step.
class SeriesReader {
 public:
  SeriesReader(const InputFile& file, const InputLimits& limits) : file_{file}, limits_{limits} {}

  BdvSeries read() {
    const std::string text = read_text();
    // Entities of one's own need a document type; without it there are none to expand
    if (text.find("<!DOCTYPE") != std::string::npos)
      refuse("declares a document type, which is not accepted");
    const auto room = reserve_for_parsing(limits_, xml_parsing_bytes(text), file_.path(), "XML");
    pugi::xml_document document;
    const auto result = document.load_buffer(text.data(), text.size());
    if (!result) refuse(fmt::format("is not well formed ({})", result.description()));
    const auto root = document.child("SpimData"), sequence = root.child("SequenceDescription");
    if (!sequence) refuse("describes no sequence of images");
    read_images(root, sequence.child("ImageLoader"));
    for (const auto& setup : sequence.child("ViewSetups").children("ViewSetup")) read_setup(setup);
    if (series_.setups.empty()) refuse("lists no setups");
    read_timepoints(sequence.child("Timepoints"));
    if (series_.timepoints.empty()) refuse("lists no time points");
    return std::move(series_);
  }

 private:
  [[noreturn]] void refuse(const std::string& found) const {
    throw InvalidInput(fmt::format(
        "open {}: its description of BigDataViewer {}; only images in an HDF5 file in its folder "
        "or below (bdv.hdf5) are accepted: save it that way or write it again",
        file_.path().string(), found));
  }

  [[noreturn]] void refuse_limit(const std::string& found, const char* option) const {
    throw InvalidInput(fmt::format("open {}: it {}; raise the limit with {} if you trust the file",
                                   file_.path().string(), found, option));
  }

  std::string read_text() const {
    if (file_.size() > limits_.description_bytes)
      refuse_limit(
          fmt::format("has {} bytes, the limit is {}", file_.size(), limits_.description_bytes),
          "--max-description");
    std::string text(static_cast<std::size_t>(file_.size()), '\0');
    file_.read_at(0, std::as_writable_bytes(std::span{text}));
    return text;
  }

  void read_images(const pugi::xml_node& root, const pugi::xml_node& loader) {
    const std::string format = loader.attribute("format").value();
    if (format != "bdv.hdf5") refuse(fmt::format("names images as '{}'", format));
    const auto base = root.child("BasePath");
    const fs::path folder{base ? base.text().get() : "."}, name{loader.child_value("hdf5")};
    for (const fs::path& part : {folder, name})
      if (part.is_absolute() || std::ranges::find(part, "..") != part.end())
        refuse(fmt::format("leads to '{}', out of its folder", part.string()));
    if (name.empty()) refuse("names no file of images");
    series_.images = (file_.path().parent_path() / folder / name).lexically_normal();
  }

  std::int64_t number(std::string_view text, const char* what) const {
    const auto value = parse_integer(text);
    if (!value || *value < 0) refuse(fmt::format("has '{}' as {}", text, what));
    return *value;
  }

  void read_setup(const pugi::xml_node& node) {
    BdvSetup setup;
    setup.id = number(node.child_value("id"), "the number of a setup");
    if (const auto size = words_of(node.child_value("size")); size.size() == 3)
      setup.extent =
          Extent3{number(size[2], "a size"), number(size[1], "a size"), number(size[0], "a size")};
    const auto voxel = node.child("voxelSize");
    const auto unit = micrometres_per(voxel.child_value("unit"));
    const auto steps = words_of(voxel.child_value("size"));
    std::optional<double>* const axes[] = {&setup.x_um, &setup.y_um, &setup.z_um};
    for (std::size_t i = 0; unit && steps.size() == 3 && i < 3; ++i)
      if (const auto step = parse_positive(steps[i])) *axes[i] = *step * *unit;
    const std::string name = node.child_value("name");
    constexpr std::size_t kMaxName = 256;
    if (!parse_integer(name)) setup.channel.name = name.substr(0, kMaxName);
    series_.setups.push_back(setup);
    if (std::ssize(series_.setups) > limits_.channels)
      refuse_limit(fmt::format("lists more than {} setups", limits_.channels), "--max-channels");
  }

  void add_timepoints(std::int64_t first, std::int64_t last, std::int64_t step) {
    if (last < first || step < 1) refuse("has an impossible range of time points");
    if ((last - first) / step >= limits_.directories - std::ssize(series_.timepoints))
      refuse_limit(fmt::format("lists more than {} time points", limits_.directories),
                   "--max-directories");
    for (std::int64_t i = 0; i <= (last - first) / step; ++i)
      series_.timepoints.push_back(first + i * step);
  }

  /// Parses "0-9", "1,3,5-8", "0-100:10"; an empty text means one time point, the first.
  void read_pattern(std::string_view pattern) {
    constexpr const char* kWhat = "a time point";
    if (pattern.empty()) return add_timepoints(0, 0, 1);
    for (std::size_t begin = 0; begin <= pattern.size();) {
      const auto end = std::min(pattern.find(',', begin), pattern.size());
      const std::string_view part = pattern.substr(begin, end - begin);
      const auto colon = std::min(part.find(':'), part.size());
      const auto dash = std::min(part.find('-'), colon);
      const std::int64_t first = number(part.substr(0, dash), kWhat);
      const std::int64_t last =
          dash < colon ? number(part.substr(dash + 1, colon - dash - 1), kWhat) : first;
      add_timepoints(first, last, colon < part.size() ? number(part.substr(colon + 1), kWhat) : 1);
      begin = end + 1;
    }
  }

  void read_timepoints(const pugi::xml_node& node) {
    const std::string_view type = node.attribute("type").value();
    constexpr const char* kWhat = "a time point";
    if (type == "range")
      return add_timepoints(number(node.child_value("first"), kWhat),
                            number(node.child_value("last"), kWhat), 1);
    if (type == "pattern") {
      std::string pattern;
      for (const std::string& word : words_of(node.child_value("integerpattern"))) pattern += word;
      return read_pattern(pattern);
    }
    for (const auto& point : node.children("timepoint")) {
      const std::int64_t at = number(point.child_value("id"), kWhat);
      add_timepoints(at, at, 1);
    }
  }

  const InputFile& file_;
  const InputLimits& limits_;
  BdvSeries series_;
};

}  // namespace

bool is_bdv_xml(const InputFile& file) {
  std::string head(4096, '\0');
  head.resize(file.read_some(0, std::as_writable_bytes(std::span{head})));
  const auto begin = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return begin != std::string::npos && head[begin] == '<' && head.find(kRoot) != std::string::npos;
}

BdvSeries read_bdv_xml(const InputFile& file, const InputLimits& limits) {
  return SeriesReader{file, limits}.read();
}

}  // namespace synthoscope::imageio

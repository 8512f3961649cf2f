// SPDX-License-Identifier: MIT
#include "simulator/phantom/neurons/swc.hpp"
#include <fmt/format.h>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include "core/base/error.hpp"
#include "imageio/input/text_file.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::size_t kMaxPoints = std::size_t{1} << 20, kFields = 7;
constexpr std::size_t kLongestLine = 4096;  // characters, with comments
constexpr double kFarthest = 1e6;           // um

/// A point with the id of its parent, and its line.
struct Row {
  SwcPoint point;
  std::int64_t parent = -1, line = 0;
};

class SwcText {
 public:
  explicit SwcText(std::filesystem::path path) : path_{std::move(path)} {}

  [[nodiscard]] std::vector<Row> rows() const {
    std::ifstream file{path_};
    if (!file || !std::filesystem::is_regular_file(path_))
      throw IoError(
          fmt::format("read neuron.file {}: it cannot be opened; check the name", path_.string()));
    if (std::filesystem::file_size(path_) > std::uintmax_t{imageio::kMaxRecordBytes})
      throw InvalidInput(fmt::format(
          "read neuron.file {}: it is longer than {} MiB, which no tracing is; give another one",
          path_.string(), imageio::kMaxRecordBytes >> 20));
    std::vector<Row> rows;
    std::vector<char> text(kLongestLine + 1);
    std::int64_t line = 1;
    for (; file.getline(text.data(), std::ssize(text)); ++line) {
      const auto length =
          file.gcount() - (file.eof() ? 0 : 1);  // with NULs, without the line's end
      const auto fields = fields_of({text.data(), static_cast<std::size_t>(length)});
      if (fields.empty()) continue;
      if (rows.size() == kMaxPoints)
        refuse(line,
               fmt::format("the file has more than {} points; give a coarser tracing", kMaxPoints));
      rows.push_back(row_of(fields, line));
    }
    if (file.gcount() == std::ssize(text) - 1)
      refuse(line,
             fmt::format("it is longer than {} characters, which no point is; give an SWC file",
                         kLongestLine));
    imageio::require_read(file, path_);
    if (rows.empty())
      throw InvalidInput(fmt::format(
          "read neuron.file {}: it has no points; give an SWC file, a line \"id type x y z radius "
          "parent\" for each point",
          path_.string()));
    return rows;
  }

  [[noreturn]] void refuse(std::int64_t line, const std::string& why) const {
    throw InvalidInput(fmt::format("read neuron.file {}, line {}: {}", path_.string(), line, why));
  }

 private:
  /// Returns the fields of a line, at most one more than kFields.
  static std::vector<std::string_view> fields_of(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r,";
    text = text.substr(0, text.find('#'));
    std::vector<std::string_view> fields;
    for (auto at = text.find_first_not_of(kBlank); at != text.npos && fields.size() <= kFields;
         at = text.find_first_not_of(kBlank, at)) {
      const auto end = std::min(text.find_first_of(kBlank, at), text.size());
      fields.push_back(text.substr(at, end - at));
      at = end;
    }
    return fields;
  }

  [[nodiscard]] Row row_of(const std::vector<std::string_view>& fields, std::int64_t line) const {
    if (fields.size() != kFields)
      refuse(line, fmt::format("it has {} fields than {}; write the id, type, x, y, z, radius and "
                               "parent of one point",
                               fields.size() < kFields ? "fewer" : "more", kFields));
    std::array<double, kFields> values{};
    for (std::size_t i = 0; i < kFields; ++i) {
      // from_chars accepts no "+"
      const bool has_plus = fields[i].starts_with('+') && !fields[i].starts_with("+-");
      const char* const begin = fields[i].data() + (has_plus ? 1 : 0);
      const char* const end = fields[i].data() + fields[i].size();
      const auto read = std::from_chars(begin, end, values[i]);
      if (read.ec != std::errc{} || read.ptr != end || !(std::abs(values[i]) <= 1e15))
        refuse(line, fmt::format("\"{}\" is not a number from -1e15 to 1e15; give one such as 1.4",
                                 fields[i].substr(0, 40)));
    }
    const auto whole = [&](std::size_t i, std::string_view name) {
      if (values[i] != std::floor(values[i]))
        refuse(line, fmt::format("the {} is {}; give a whole number", name, values[i]));
      return static_cast<std::int64_t>(values[i]);
    };
    for (const std::size_t i : {2, 3, 4})
      if (std::abs(values[i]) > kFarthest)
        refuse(line, fmt::format("a coordinate is {}; give micrometres, at most 1e6", values[i]));
    if (!(values[5] > 0 && values[5] <= kFarthest))
      refuse(line, fmt::format("the radius is {}; give a number above 0, at most 1e6", values[5]));
    Row row;
    row.point = {whole(0, "id"), whole(1, "type"), {values[4], values[3], values[2]}, values[5]};
    row.parent = whole(6, "parent");
    row.line = line;
    if (row.point.id < 0) refuse(line, fmt::format("the id is {}; give 0 or more", row.point.id));
    return row;
  }

  std::filesystem::path path_;
};

using Children = std::vector<std::vector<std::size_t>>;

/// Returns the children of every row; the last list holds the roots.
Children children_of(const std::vector<Row>& rows, const SwcText& text) {
  std::unordered_map<std::int64_t, std::size_t> places;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [there, is_new] = places.emplace(rows[i].point.id, i);
    if (!is_new)
      text.refuse(rows[i].line,
                  fmt::format("point {} is already in line {}; number points differently",
                              rows[i].point.id, rows[there->second].line));
  }
  Children children(rows.size() + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].parent < 0) {
      children.back().push_back(i);
      continue;
    }
    const auto parent = places.find(rows[i].parent);
    if (parent == places.end())
      text.refuse(rows[i].line, fmt::format("there is no point {}, the parent of point {}; give "
                                            "one of the file's, or -1 for a root",
                                            rows[i].parent, rows[i].point.id));
    children[parent->second].push_back(i);
  }
  return children;
}

}  // namespace

std::vector<SwcPoint> read_swc(const std::filesystem::path& path) {
  const SwcText text{path};
  const std::vector<Row> rows = text.rows();
  const Children children = children_of(rows, text);

  // Walk every tree from its root; rows that no root leads to form circles
  std::vector<SwcPoint> points;
  points.reserve(rows.size());
  std::vector<bool> seen(rows.size());
  for (const std::size_t root : children.back()) {
    std::vector<std::pair<std::size_t, std::int32_t>> next{{root, -1}};
    while (!next.empty()) {
      const auto [row, parent] = next.back();
      next.pop_back();
      seen[row] = true;
      points.push_back(rows[row].point);
      points.back().parent = parent;
      const auto place = static_cast<std::int32_t>(points.size() - 1);
      for (auto child = children[row].rbegin(); child != children[row].rend(); ++child)
        next.emplace_back(*child, place);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!seen[i])
      text.refuse(rows[i].line, fmt::format("point {} is its own ancestor; give one of its "
                                            "ancestors the parent -1",
                                            rows[i].point.id));
  return points;
}

}  // namespace synthoscope::simulator

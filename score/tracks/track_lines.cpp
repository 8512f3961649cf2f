// SPDX-License-Identifier: MIT
// score/tracks/track_lines.cpp — tables of tracks as text.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include "core/base/error.hpp"
#include "imageio/input/key_lines.hpp"
#include "score/tracks/track_table.hpp"

namespace synthoscope::score {
namespace {

/// Takes the next line off `text`, without its end.
std::string_view take_track_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
    line.remove_suffix(1);
  return line;
}

/// Splits a line at commas if it has any, otherwise at blanks and tabs.
std::vector<std::string_view> track_words_of(std::string_view line) {
  const bool has_commas = line.find(',') != std::string_view::npos;
  const std::string_view separators = has_commas ? "," : " \t";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t end = std::min(line.find_first_of(separators), line.size());
    std::string_view word = line.substr(0, end);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    if (has_commas || !word.empty()) words.push_back(word);
    if (end == line.size()) return words;
    line.remove_prefix(end + 1);
  }
}

/// Where the numbers of a line are: id, begin, end, parent.
struct TrackColumns {
  std::array<std::size_t, 4> at{0, 1, 2, 3};
  std::size_t count = 4;
};

bool names_track_columns(std::string_view line) {
  return std::any_of(line.begin(), line.end(),
                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
}

TrackColumns track_columns_named(std::string_view line, const std::string& name) {
  const std::vector<std::string_view> names = track_words_of(line);
  const auto find = [&](std::string_view wanted) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), wanted) - names.begin());
  };
  TrackColumns columns{{find("id"), find("begin"), find("end"), find("parent")}, names.size()};
  if (columns.at[0] == names.size()) columns.at[0] = find("label");
  if (*std::max_element(columns.at.begin(), columns.at.end()) < names.size()) return columns;
  throw InvalidInput(
      fmt::format("score {}: its first line is \"{}\", and a table of tracks has the columns id, "
                  "begin, end and parent, or no line of names and these four numbers in each line",
                  name, line.substr(0, 60)));
}

TrackLine track_line_in(std::string_view line, const TrackColumns& columns,
                        const std::string& name) {
  const std::vector<std::string_view> words = track_words_of(line);
  std::array<std::optional<std::int64_t>, 4> numbers;
  if (words.size() == columns.count)
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = imageio::parse_integer(words[columns.at[i]]);
  const auto& [id, begin, end, parent] = numbers;
  if (id && begin && end && parent) return {*id, *begin, *end, *parent};
  throw InvalidInput(
      fmt::format("score {}: a line is \"{}\", and a line of a table of tracks has {} whole "
                  "numbers: label, first frame, last frame and label of the parent (0 for none)",
                  name, line.substr(0, 60), columns.count));
}

}  // namespace

std::vector<TrackLine> track_lines(std::string_view text, const std::string& name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    text.remove_prefix(kByteOrderMark.size());
  std::vector<TrackLine> lines;
  TrackColumns columns;
  bool is_first = true;
  while (!text.empty()) {
    const std::string_view line = take_track_line(text);
    if (line.empty()) continue;
    if (is_first && names_track_columns(line))
      columns = track_columns_named(line, name);
    else
      lines.push_back(track_line_in(line, columns, name));
    is_first = false;
  }
  return lines;
}

}  // namespace synthoscope::score

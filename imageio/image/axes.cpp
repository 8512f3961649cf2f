// SPDX-License-Identifier: MIT
#include "imageio/image/axes.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cctype>
#include "core/base/error.hpp"

namespace synthoscope::imageio {
namespace {

/// What a program calls an axis whose meaning it does not know.
constexpr std::string_view kUnnamed = "IQ?";

bool is_unnamed(char letter) {
  return kUnnamed.find(letter) != std::string_view::npos;
}

std::string in_capitals(std::string_view letters) {
  std::string capitals{letters};
  std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return capitals;
}

int* place_of(char letter, ArrayAxes& places) {
  switch (letter) {
    case 'T':
      return &places.t;
    case 'C':
      return &places.c;
    case 'Z':
      return &places.z;
    case 'Y':
      return &places.y;
    case 'X':
      return &places.x;
    default:
      return nullptr;
  }
}

/// Gives the last two axes without a name to y and x, and another one to z if it is the only one
/// longer than 1. Returns false if more are left.
bool complete(std::string& letters, const std::vector<std::int64_t>& sizes) {
  for (const char last : {'X', 'Y'}) {
    if (letters.find(last) != std::string::npos) continue;
    const auto at = letters.find_last_of(kUnnamed);
    if (at == std::string::npos) return true;
    letters[at] = last;
  }
  std::vector<std::size_t> long_ones, short_ones;
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (is_unnamed(letters[i])) (sizes[i] > 1 ? long_ones : short_ones).push_back(i);
  if (long_ones.size() > 1) return false;
  const bool has_z = letters.find('Z') != std::string::npos;
  if (long_ones.size() == 1 && has_z) return false;
  if (long_ones.size() == 1)
    letters[long_ones.front()] = 'Z';
  else if (!has_z && !short_ones.empty())
    letters[short_ones.back()] = 'Z';
  return true;
}

/// Says why the letters name no axes that can be read; nothing if they do.
std::optional<std::string> find_places(const std::string& letters,
                                       const std::vector<std::int64_t>& sizes, ArrayAxes& places) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    int* const place = place_of(letters[i], places);
    if (!place && sizes[i] == 1) continue;
    if (!place) return fmt::format("axis {} is not one of T, C, Z, Y, X", letters[i]);
    if (*place >= 0) return fmt::format("axis {} is named twice", letters[i]);
    *place = static_cast<int>(i);
  }
  for (const auto& [letter, place] : {std::pair{'Y', places.y}, std::pair{'X', places.x}})
    if (place < 0) return fmt::format("axis {} is missing", letter);
  return std::nullopt;
}

/// "TZYX" for an array of four axes: an example of what --axes takes.
std::string example_for(std::size_t axes) {
  constexpr std::string_view kAll = "TCZYX";
  if (axes == 4) return "TZYX";
  return std::string{axes < 2 || axes > kAll.size() ? kAll : kAll.substr(kAll.size() - axes)};
}

}  // namespace

KnownAxes axes_of_array(const std::filesystem::path& file, const AxesOfFile& array,
                        std::string_view given) {
  const std::size_t count = array.sizes.size();
  const std::string sizes = fmt::format("{}", fmt::join(array.sizes, " x "));
  std::string letters = in_capitals(given.empty() ? std::string_view{array.letters} : given);
  if (!given.empty() && letters.size() != count)
    throw InvalidSpec(
        fmt::format("open {}: --axes {} names {} axes, but the file has {} ({}); give one letter "
                    "for each, such as --axes {}",
                    file.string(), given, letters.size(), count, sizes, example_for(count)));
  KnownAxes known;
  known.source = !given.empty()    ? "given by --axes"
                 : letters.empty() ? "not named by the file"
                                   : fmt::format("named by {}", array.named_by);
  if (letters.empty()) letters.assign(count, '?');
  const auto refuse = [&](const std::string& found) {
    const std::string message = fmt::format(
        "open {}: its {} axes ({}) are {}, and {}; name each of them by T, C, Z, Y or X in the "
        "order of storage, such as --axes {}",
        file.string(), count, sizes,
        known.source == "not named by the file" ? "not named" : known.source + " as " + letters,
        found, example_for(count));
    if (given.empty()) throw InvalidInput(message);
    throw InvalidSpec(message);
  };
  if (letters.size() != count) refuse(fmt::format("that is {} letters", letters.size()));
  const std::string said = letters;
  if (!complete(letters, array.sizes)) refuse("more than three of them have no name");
  if (const auto found = find_places(letters, array.sizes, known.places)) refuse(*found);
  for (std::size_t i = 0; i < count; ++i) {
    known.axes.push_back({letters[i], array.sizes[i]});
    known.is_assumed |= is_unnamed(said[i]) && letters[i] == 'Z' && array.sizes[i] > 1;
  }
  return known;
}

char axis_letter(std::string_view name) {
  constexpr std::pair<std::string_view, char> kWords[] = {
      {"", '?'},         {"TIME", 'T'},  {"FRAME", 'T'},  {"CHANNEL", 'C'},
      {"CHANNELS", 'C'}, {"DEPTH", 'Z'}, {"PLANE", 'Z'},  {"HEIGHT", 'Y'},
      {"ROW", 'Y'},      {"WIDTH", 'X'}, {"COLUMN", 'X'},
  };
  const std::string word = in_capitals(name);
  if (word.size() == 1) return word.front();
  for (const auto& [known, letter] : kWords)
    if (known == word) return letter;
  return '#';
}

std::string print_axes(const std::vector<NamedAxis>& axes) {
  std::vector<std::string> all;
  for (const NamedAxis& axis : axes) all.push_back(fmt::format("{}={}", axis.letter, axis.size));
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace synthoscope::imageio

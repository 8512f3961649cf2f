// SPDX-License-Identifier: MIT
// tools/options/rows.hpp — makes rows of an option table from variables: their value is the
// default.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/names.hpp"
#include "core/base/units.hpp"
#include "core/volume/extent.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

/// The words of "a,b,c", empty ones included.
std::vector<std::string_view> split_at_commas(std::string_view text);

/// A whole number. @throws InvalidSpec unless `text` is one and lies in [least, most].
std::int64_t parse_whole(std::string_view text, std::int64_t least,
                         std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// A finite number. @throws InvalidSpec
double parse_real(std::string_view text);
/// Any count of them, "1,0.5". @throws InvalidSpec
std::vector<double> parse_reals(std::string_view text);

/// Three whole numbers "Z,Y,X", each at least `least`. @throws InvalidSpec
Extent3 parse_triple(std::string_view text, std::int64_t least);

/// Three positive numbers "Z,Y,X", or one for all axes. @throws InvalidSpec
VoxelSize parse_voxel_size(std::string_view text);

/// on or off. @throws InvalidSpec
bool parse_on_off(std::string_view text);

inline Option switch_row(std::string name, bool& target, std::string help) {
  return {
      std::move(name), "", "", "", std::move(help), [&target](std::string_view) { target = true; }};
}

inline Option path_row(std::string name, std::string value, std::filesystem::path& target,
                       std::string help) {
  Option row{
      std::move(name), std::move(value), "", "", std::move(help), [&target](std::string_view text) {
        if (text.empty()) throw InvalidSpec("the name is empty; give the name of a file");
        target = text;
      }};
  row.is_path = true;
  return row;
}

inline Option texts_row(std::string name, std::string value, std::vector<std::string>& target,
                        std::string help) {
  Option row{
      std::move(name), std::move(value), "", "", std::move(help), [&target](std::string_view text) {
        target.emplace_back(text);
      }};
  row.repeats = true;
  return row;
}

/// A file whose name goes where `take` puts it.
inline Option file_row(std::string name, std::string value, std::string help,
                       std::function<void(std::string_view)> take) {
  Option row{std::move(name), std::move(value), "", "", std::move(help), std::move(take)};
  row.is_path = true;
  return row;
}

/// Files: one or more after each --name, which may be repeated.
inline Option paths_row(std::string name, std::string value,
                        std::vector<std::filesystem::path>& target, std::string help) {
  Option row{
      std::move(name), std::move(value), "", "", std::move(help), [&target](std::string_view text) {
        if (text.empty()) throw InvalidSpec("a name is empty; give the names of files");
        target.emplace_back(text);
      }};
  row.repeats = row.many = row.is_path = true;
  return row;
}

/// A whole number >= `least`. An absent default reads `default_text`.
template <class Int>
Option whole_row(std::string name, std::string value, std::optional<Int>& target,
                 std::int64_t least, std::string default_text, std::string help) {
  return {std::move(name),
          std::move(value),
          std::move(default_text),
          "",
          std::move(help),
          [&target, least](std::string_view text) {
            target = static_cast<Int>(parse_whole(text, least, std::numeric_limits<Int>::max()));
          }};
}

inline Option whole_row(std::string name, std::string value, std::int64_t& target,
                        std::int64_t least, std::string help) {
  return {std::move(name),
          std::move(value),
          std::to_string(target),
          "",
          std::move(help),
          [&target, least](std::string_view text) { target = parse_whole(text, least); }};
}

inline Option real_row(std::string name, std::string value, double& target, std::string unit,
                       std::string help) {
  return {
      std::move(name),           std::move(value),
      fmt::format("{}", target), std::move(unit),
      std::move(help),           [&target](std::string_view text) { target = parse_real(text); }};
}

inline Option real_row(std::string name, std::string value, std::optional<double>& target,
                       std::string unit, std::string default_text, std::string help) {
  return {std::move(name),         std::move(value),
          std::move(default_text), std::move(unit),
          std::move(help),         [&target](std::string_view text) { target = parse_real(text); }};
}

/// One of `words`, read by `named`; the target's present value is the default.
template <class Enum, class Named>
Option word_row(std::string name, Enum& target, std::vector<std::string_view> words,
                std::string_view present, Named named, std::string help) {
  const auto take = [&target, words, named](std::string_view text) {
    const std::optional<Enum> value = named(text);
    if (!value)
      throw InvalidSpec(fmt::format("'{}' is not one of the accepted words; write {}", text,
                                    fmt::join(words, ", ")));
    target = *value;
  };
  return {std::move(name),      fmt::format("{}", fmt::join(words, "|")),
          std::string{present}, "",
          std::move(help),      take};
}

/// One of the words of `table`, which lives as long as the program.
template <class Enum, std::size_t N>
Option choice_row(std::string name, Enum& target, const NameTable<Enum, N>& table,
                  std::string help) {
  std::vector<std::string_view> words;
  for (const auto& [value, word] : table) words.push_back(word);
  return word_row(
      std::move(name), target, words, name_in(table, target),
      [&table](std::string_view text) { return named_in(table, text); }, std::move(help));
}

/// One of `values`, by their name_of.
template <class Enum>
Option choice_row(std::string name, Enum& target, std::vector<Enum> values, std::string help) {
  std::vector<std::string_view> words;
  for (const Enum value : values) words.push_back(name_of(value));
  const auto named = [values](std::string_view text) -> std::optional<Enum> {
    for (const Enum value : values)
      if (name_of(value) == text) return value;
    return std::nullopt;
  };
  return word_row(std::move(name), target, words, name_of(target), named, std::move(help));
}

/// The same where what is not given follows from other options, as `default_text` says.
template <class Enum>
Option choice_row(std::string name, std::optional<Enum>& target, std::vector<Enum> values,
                  std::string default_text, std::string help) {
  std::vector<std::string_view> words;
  for (const Enum value : values) words.push_back(name_of(value));
  const auto take = [&target, values, words](std::string_view text) {
    const auto found = std::ranges::find(words, text);
    if (found == words.end())
      throw InvalidSpec(fmt::format("'{}' is not one of the accepted words; write {}", text,
                                    fmt::join(words, ", ")));
    target = values[static_cast<std::size_t>(found - words.begin())];
  };
  return {std::move(name),         fmt::format("{}", fmt::join(words, "|")),
          std::move(default_text), "",
          std::move(help),         take};
}

inline Option required(Option row) {
  row.required = true;
  return row;
}

/// `row` is valid only with --kernel; `is_meant` returns whether it is, after all words are read.
inline Option only(std::string when, std::function<bool()> is_meant, Option row) {
  row.only = std::move(when);
  row.is_meant = std::move(is_meant);
  return row;
}

inline Option lettered(char letter, Option row) {
  row.letter = letter;
  return row;
}

}  // namespace synthoscope::tools

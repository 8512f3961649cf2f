// SPDX-License-Identifier: MIT
#include "tools/options/rows.hpp"
#include <charconv>
#include <cmath>
#include <system_error>

namespace synthoscope::tools {
namespace {

/// The whole of `text` as a number, or nothing.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string_view::npos) return parts;
    begin = comma + 1;
  }
}

std::int64_t parse_whole(std::string_view text, std::int64_t least, std::int64_t most) {
  const auto value = number_in<std::int64_t>(text);
  if (value && *value >= least && *value <= most) return *value;
  throw InvalidSpec(
      most == std::numeric_limits<std::int64_t>::max()
          ? fmt::format("'{}' is not accepted; give a whole number from {} up", text, least)
          : fmt::format("'{}' is not accepted; give a whole number from {} to {}", text, least,
                        most));
}

double parse_real(std::string_view text) {
  const auto value = number_in<double>(text);
  if (!value || !std::isfinite(*value))
    throw InvalidSpec(fmt::format("'{}' is not a number; give one such as 1.4", text));
  return *value;
}

std::vector<double> parse_reals(std::string_view text) {
  std::vector<double> numbers;
  for (const std::string_view part : split_at_commas(text)) numbers.push_back(parse_real(part));
  return numbers;
}

Extent3 parse_triple(std::string_view text, std::int64_t least) {
  const auto parts = split_at_commas(text);
  if (parts.size() != 3)
    throw InvalidSpec(
        fmt::format("'{}' is not three numbers; give them as Z,Y,X, such as 31,64,64", text));
  return {parse_whole(parts[0], least), parse_whole(parts[1], least), parse_whole(parts[2], least)};
}

VoxelSize parse_voxel_size(std::string_view text) {
  const auto parts = split_at_commas(text);
  const auto positive = [&](std::string_view part) {
    const auto value = number_in<double>(part);
    if (!value || !std::isfinite(*value) || *value <= 0)
      throw InvalidSpec(
          fmt::format("'{}' is not a voxel size; give positive micrometres as Z,Y,X or one for "
                      "all, such as 0.3,0.1,0.1",
                      text));
    return *value;
  };
  if (parts.size() == 1) {
    const double all = positive(parts[0]);
    return {all, all, all};
  }
  if (parts.size() != 3) positive("");
  return {positive(parts[0]), positive(parts[1]), positive(parts[2])};
}

bool parse_on_off(std::string_view text) {
  if (text == "on" || text == "off") return text == "on";
  throw InvalidSpec(fmt::format("'{}' is neither on nor off; write one of them", text));
}

}  // namespace synthoscope::tools

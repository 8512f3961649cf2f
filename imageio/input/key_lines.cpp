// SPDX-License-Identifier: MIT
#include "imageio/input/key_lines.hpp"
#include <fmt/format.h>
#include <charconv>
#include <cmath>

namespace synthoscope::imageio {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

KeyLines::KeyLines(std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    if (const auto equals = line.find('='); equals != std::string_view::npos)
      lines_.emplace(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::optional<std::string_view> KeyLines::text(std::string_view key) const {
  const auto found = lines_.find(key);
  if (found == lines_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::int64_t> KeyLines::count(std::string_view key) const {
  const auto number = parse_integer(text(key).value_or(""));
  return number && *number >= 1 ? number : std::nullopt;
}

std::optional<double> KeyLines::positive(std::string_view key) const {
  return parse_positive(text(key).value_or(""));
}

std::optional<double> KeyLines::real(std::string_view key) const {
  const auto value = parse<double>(text(key).value_or(""));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<double> parse_positive(std::string_view text) {
  const auto value = parse<double>(trimmed(text));
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse<std::int64_t>(trimmed(text));
}

std::optional<Index3> parse_index(std::string_view text) {
  const auto first = text.find(','), last = text.rfind(',');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  const auto z = parse_integer(text.substr(0, first));
  const auto y = parse_integer(text.substr(first + 1, last - first - 1));
  const auto x = parse_integer(text.substr(last + 1));
  if (!z || !y || !x) return std::nullopt;
  return Index3{*z, *y, *x};
}

std::string print_index(const Index3& index) {
  return fmt::format("{},{},{}", index.z, index.y, index.x);
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "core/base/json.hpp"
#include <limits>

namespace synthoscope {
namespace {

/// Records of our own have some 10 levels, and some more for each step of a chain of results.
constexpr int kMostDepth = 1000;

/// Returns where arrays and objects of a JSON text nest deeper than kMostDepth, if they do.
std::optional<std::size_t> too_deep_at(std::string_view text) {
  int depth = 0;
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_string && c == '\\') ++i;
    if (c == '"') is_string = !is_string;
    if (is_string) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kMostDepth) return i;
  }
  return std::nullopt;
}

}  // namespace

Json parse_json(std::string_view text) {
  if (const auto at = too_deep_at(text))
    throw Json::parse_error::create(101, *at, "arrays and objects nest deeper than 1000 levels",
                                    static_cast<const Json*>(nullptr));
  return Json::parse(text);
}

std::optional<Json> try_parse_json(std::string_view text) {
  if (too_deep_at(text)) return std::nullopt;
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

std::int64_t whole_of(const Json& json) {
  if (const auto whole = try_whole_of(json)) return *whole;
  throw Json::type_error::create(302, "type must be integer", &json);
}

std::optional<std::int64_t> try_whole_of(const Json& json) {
  const bool is_whole = json.is_number_integer() &&
                        (!json.is_number_unsigned() ||
                         json.get<std::uint64_t>() <= std::numeric_limits<std::int64_t>::max());
  return is_whole ? std::optional{json.get<std::int64_t>()} : std::nullopt;
}

std::uint64_t unsigned_of(const Json& json) {
  if (!json.is_number_unsigned())
    throw Json::type_error::create(302, "type must be unsigned integer", &json);
  return json.get<std::uint64_t>();
}

std::vector<std::int64_t> whole_numbers_of(const Json& array) {
  if (!array.is_array()) throw Json::type_error::create(302, "type must be array", &array);
  std::vector<std::int64_t> numbers;
  for (const Json& one : array) numbers.push_back(whole_of(one));
  return numbers;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string indented_text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace synthoscope

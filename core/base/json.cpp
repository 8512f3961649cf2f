// SPDX-License-Identifier: MIT
#include "core/base/json.hpp"
#include <limits>

namespace synthoscope {

Json parse_json(std::string_view text) {
  return Json::parse(text);
}

std::optional<Json> try_parse_json(std::string_view text) {
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

// SPDX-License-Identifier: MIT
#include "core/json.hpp"

namespace synthoscope {

Json parse_json(std::string_view text) {
  return Json::parse(text);
}

std::optional<Json> try_parse_json(std::string_view text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string indented_text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace synthoscope

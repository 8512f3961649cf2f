// SPDX-License-Identifier: MIT
#include "studio/server/request.hpp"
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace synthoscope::studio {

Response json_response(const Json& json, int status) {
  return {.status = status, .body = text_of(json), .events = nullptr};
}

Response error_response(int status, std::string_view sentence) {
  return json_response(Json{{"error", std::string{sentence}}}, status);
}

Json object_of(const Request& request) {
  std::optional<Json> json = try_parse_json(request.body);
  if (!json || !json->is_object())
    throw InvalidSpec(fmt::format(
        "read the body of the request to {}: it is no JSON object, or nests too deep; send a flat "
        "one",
        request.path));
  return *std::move(json);
}

std::string text_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string())
    throw InvalidSpec(fmt::format("read the request: \"{}\" is {}; send a text", name,
                                  found == object.end() ? "missing" : "no text"));
  return found->get<std::string>();
}

std::optional<std::int64_t> whole_number_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return std::nullopt;
  const auto whole = try_whole_of(*found);
  if (!whole)
    throw InvalidSpec(
        fmt::format("read the request: \"{}\" is {}; send a whole number", name, text_of(*found)));
  return whole;
}

bool flag_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && *found == true;
}

}  // namespace synthoscope::studio

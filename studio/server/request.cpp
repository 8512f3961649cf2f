// SPDX-License-Identifier: MIT
#include "studio/server/request.hpp"
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace synthoscope::studio {
namespace {

constexpr int kMostDepth = 64;  // bodies of the page need 3

/// Returns whether the arrays and objects of a JSON text nest deeper than kMostDepth: to copy and
/// to print such a value recurses, and would overflow the stack.
bool is_deep(std::string_view text) {
  int depth = 0;
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_string && c == '\\') ++i;
    if (c == '"') is_string = !is_string;
    if (is_string) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kMostDepth) return true;
  }
  return false;
}

}  // namespace

Response json_response(const Json& json, int status) {
  return {.status = status, .body = text_of(json), .events = nullptr};
}

Response error_response(int status, std::string_view sentence) {
  return json_response(Json{{"error", std::string{sentence}}}, status);
}

Json object_of(const Request& request) {
  if (is_deep(request.body))
    throw InvalidSpec(fmt::format(
        "read the body of the request to {}: it nests deeper than {} arrays and objects; send a "
        "flat one",
        request.path, kMostDepth));
  std::optional<Json> json = try_parse_json(request.body);
  if (!json || !json->is_object())
    throw InvalidSpec(fmt::format(
        "read the body of the request to {}: it is no JSON object; send one", request.path));
  return *std::move(json);
}

std::string text_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string())
    throw InvalidSpec(fmt::format("read the request: \"{}\" is {}; send a text", name,
                                  found == object.end() ? "missing" : "no text"));
  return found->get<std::string>();
}

bool flag_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && *found == true;
}

}  // namespace synthoscope::studio

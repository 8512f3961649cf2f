// SPDX-License-Identifier: MIT
#include "studio/form/toml_value.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace synthoscope::studio {
namespace {

/// Returns a text in quotes. JSON escapes what TOML does, except the character DEL.
std::string quoted_toml(const std::string& text) {
  std::string quoted;
  for (const char c : text_of(Json(text))) quoted += c == '\x7F' ? "\\u007F" : std::string(1, c);
  return quoted;
}

}  // namespace

std::string toml_value(const Json& value, std::string_view name) {
  if (value.is_boolean() || value.is_number_integer()) return text_of(value);
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  if (value.is_string()) return quoted_toml(value.get<std::string>());
  if (!value.is_array())
    throw InvalidSpec(fmt::format(
        "set {}: {} is no value of a scene; give a number, a text, true, false or a list of them",
        name, text_of(value)));
  std::string list;
  for (const Json& one : value) {
    if (one.is_object() || one.is_null())
      throw InvalidSpec(
          fmt::format("set {}: {} is in the list; give numbers in it", name, text_of(one)));
    list += (list.empty() ? "" : ", ") + toml_value(one, name);
  }
  return "[" + list + "]";
}

}  // namespace synthoscope::studio

// SPDX-License-Identifier: MIT
// core/base/csv_cell.hpp — text as a cell of comma-separated values.
#pragma once
#include <string>
#include <string_view>

namespace synthoscope {

/// In quotes where it has a comma, a quote or the end of a line; quotes in it are doubled.
/// @source  RFC 4180, section 2.
inline std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string{text};
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace synthoscope

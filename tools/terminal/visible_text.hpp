// SPDX-License-Identifier: MIT
// tools/terminal/visible_text.hpp — text that a terminal shows and does not obey: names and
// descriptions come from files, and may hold control characters.
#pragma once
#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace synthoscope::tools {

/// A character of UTF-8 at the beginning of a text, and the number of its bytes; 0 where the first
/// byte begins none.
struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

/// @source The Unicode Standard, table 3-7: neither longer forms than needed nor surrogates.
inline Utf8Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return {};
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr char32_t kMin[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kMin[bytes] || code > 0x10ffff || is_surrogate) return {};
  return {code, bytes};
}

/// Returns whether a terminal does something else with a character than showing it: C0 and C1, DEL,
/// ends of lines and paragraphs, and what turns the direction of the text around it.
inline bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/// Returns the text with all control characters except those of `kept` written as in JSON
/// ("\u001b"), so that JSON stays valid; bytes that are not UTF-8 become "\xff".
inline std::string with_controls_shown(std::string_view text, std::string_view kept) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    const std::size_t taken = std::max<std::size_t>(bytes, 1);
    if (bytes == 0)
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (is_control(code) && kept.find(text[0]) == kept.npos)
      shown += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
    else
      shown += text.substr(0, taken);
    text.remove_prefix(taken);
  }
  return shown;
}

/// For a sentence or a name: everything on one line.
inline std::string visible_line(std::string_view text) {
  return with_controls_shown(text, "");
}

/// For results of several lines, which may be tables.
inline std::string visible_lines(std::string_view text) {
  return with_controls_shown(text, "\n\t");
}

}  // namespace synthoscope::tools

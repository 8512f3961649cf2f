// SPDX-License-Identifier: MIT
#include "simulator/base/dotted_keys.hpp"
#include <algorithm>
#include <cctype>

namespace synthoscope::simulator {
namespace {

/// Returns the position after at most `most` quotes: the content of a multi-line string may end
/// with quotes right before the three that close it.
std::size_t behind_last(std::string_view toml, std::size_t at, int most, char quote) {
  while (most-- > 0 && at < toml.size() && toml[at] == quote) ++at;
  return at;
}

/// Returns the position after the quoted text that begins at `at`. A text that is not closed ends
/// with its line, or with the file if it may have several lines.
std::size_t behind_quotes(std::string_view toml, std::size_t at) {
  const char quote = toml[at];
  const std::string_view three = toml.substr(at, 3);
  const bool has_lines = three.size() == 3 && three[1] == quote && three[2] == quote;
  const std::size_t count = has_lines ? 3 : 1;
  for (std::size_t i = at + count; i < toml.size(); ++i) {
    if (toml[i] == '\n' && !has_lines) return i;
    if (toml[i] == '\\' && quote == '"')
      ++i;
    else if (toml.substr(i, count) == three.substr(0, count))
      return behind_last(toml, i + count, has_lines ? 2 : 0, quote);
  }
  return toml.size();
}

/// Includes letters of all scripts, as in later versions of TOML.
bool is_within_key(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) || c == '_' || c == '-' || c == ' ' || c == '\t';
}

}  // namespace

std::size_t deep_key(std::string_view toml) {
  std::size_t begin = 0;
  int dots = 0;
  for (std::size_t at = 0; at < toml.size();) {
    const char c = toml[at];
    if (c == '#') {
      at = std::min(toml.find('\n', at), toml.size());
    } else if (c == '"' || c == '\'') {
      at = behind_quotes(toml, at);
    } else if (c == '.') {
      if (++dots == kMostKeyParts) return begin;
      ++at;
    } else if (is_within_key(c)) {
      ++at;
    } else {
      begin = ++at;
      dots = 0;
    }
  }
  return std::string_view::npos;
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "tools/terminal/wrapped_text.hpp"
#include <algorithm>

namespace synthoscope::tools {

std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out, line;
  const auto finish = [&] {
    out += std::string(indent, ' ') + line + '\n';
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (!line.empty() && indent + line.size() + 1 + word.size() > kColumns) finish();
    if (!line.empty()) line += ' ';
    line += word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!line.empty()) finish();
  return out;
}

}  // namespace synthoscope::tools

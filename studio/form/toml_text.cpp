// SPDX-License-Identifier: MIT
#include "studio/form/toml_text.hpp"
#include <algorithm>
#include "core/base/assert.hpp"

namespace synthoscope::studio {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kTomlBlanks = " \t\r\n";

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

TomlText::TomlText(std::string text) : text_{std::move(text)}, lines_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') lines_.push_back(i + 1);
}

std::size_t TomlText::byte_at(const toml::source_position& position) const {
  SYNTHOSCOPE_ASSERT(position.line, <=, lines_.size());
  std::size_t at = lines_[position.line - 1];
  for (toml::source_index column = 1; column < position.column && at < text_.size(); ++column) {
    ++at;
    while (at < text_.size() && continues_character(text_[at])) ++at;
  }
  return at;
}

TextPart TomlText::part(const toml::source_region& region) const {
  return {byte_at(region.begin), byte_at(region.end)};
}

std::size_t TomlText::line_begin(std::size_t byte) const {
  return *std::prev(std::upper_bound(lines_.begin(), lines_.end(), byte));
}

std::size_t TomlText::line_end(std::size_t byte) const {
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), byte);
  return next == lines_.end() ? text_.size() : *next;
}

std::string_view TomlText::line(std::size_t byte) const {
  const std::size_t begin = line_begin(byte);
  return std::string_view{text_}.substr(begin, line_end(byte) - begin);
}

std::string_view TomlText::newline() const {
  return text_.find("\r\n") == std::string::npos ? "\n" : "\r\n";
}

std::string TomlText::with(const TextPart& part, std::string_view replacement) const {
  std::string changed = text_;
  return changed.replace(part.begin, part.end - part.begin, replacement);
}

std::string TomlText::with_line(std::size_t at, std::string_view line) const {
  const bool follows_open_line = at > 0 && text_[at - 1] != '\n';
  std::string added{follows_open_line ? newline() : ""};
  added.append(line).append(newline());
  return with({at, at}, added);
}

MarkedText::MarkedText(std::string_view file)
    : mark{file.starts_with(kByteOrderMark) ? kByteOrderMark : ""},
      text{file.substr(mark.size())} {}

std::string MarkedText::with(const std::string& changed) const {
  return std::string{mark} + changed;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(kTomlBlanks) == std::string_view::npos;
}

bool is_comment(std::string_view line) {
  const auto first = line.find_first_not_of(kTomlBlanks);
  return first != std::string_view::npos && line[first] == '#';
}

}  // namespace synthoscope::studio

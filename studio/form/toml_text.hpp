// SPDX-License-Identifier: MIT
// studio/form/toml_text.hpp — places in the text of a TOML file.
#pragma once
#include <toml++/toml.h>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::studio {

/// A part of a text, in bytes: from `begin` to before `end`.
struct TextPart {
  std::size_t begin = 0, end = 0;
};

/// The text of a TOML file, whose parser gives lines and columns.
class TomlText {
 public:
  /// @param text  without a byte order mark, which the parser does not count
  explicit TomlText(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }

  /// Returns the byte at a position; columns are in characters of UTF-8.
  [[nodiscard]] std::size_t byte_at(const toml::source_position& position) const;
  [[nodiscard]] TextPart part(const toml::source_region& region) const;

  [[nodiscard]] std::size_t line_begin(std::size_t byte) const;
  /// Returns the byte after the end of the line, which is the end of the text if it has no newline.
  [[nodiscard]] std::size_t line_end(std::size_t byte) const;
  [[nodiscard]] std::string_view line(std::size_t byte) const;

  /// Returns "\r\n" if the text has such an end of a line, otherwise "\n".
  [[nodiscard]] std::string_view newline() const;

  /// Returns the text with `part` replaced.
  [[nodiscard]] std::string with(const TextPart& part, std::string_view replacement) const;

  /// Returns the text with a line before the byte `at`, which begins a line or ends the text.
  [[nodiscard]] std::string with_line(std::size_t at, std::string_view line) const;

 private:
  std::string text_;
  std::vector<std::size_t> lines_;  ///< bytes at which they begin
};

/// The text of a file, without the byte order mark that it may begin with.
struct MarkedText {
  explicit MarkedText(std::string_view file);
  /// Returns a changed text with the mark that the file had.
  [[nodiscard]] std::string with(const std::string& changed) const;

  std::string_view mark, text;
};

/// Returns whether a line has nothing but blanks.
bool is_blank(std::string_view line);

/// Returns whether a line has a comment and nothing else.
bool is_comment(std::string_view line);

}  // namespace synthoscope::studio

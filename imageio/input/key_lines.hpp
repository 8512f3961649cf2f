// SPDX-License-Identifier: MIT
// imageio/input/key_lines.hpp — "key=value" lines, the form of ImageJ's and our plain descriptions.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include "core/volume/extent.hpp"

namespace synthoscope::imageio {

/// The lines of a description; values without surrounding blanks. Lines without '=' are skipped.
class KeyLines {
 public:
  explicit KeyLines(std::string_view text);

  [[nodiscard]] std::optional<std::string_view> text(std::string_view key) const;
  /// A whole number >= 1; nothing when absent or something else.
  [[nodiscard]] std::optional<std::int64_t> count(std::string_view key) const;
  /// A finite number > 0; nothing when absent or something else.
  [[nodiscard]] std::optional<double> positive(std::string_view key) const;
  /// A finite number; nothing when absent or something else.
  [[nodiscard]] std::optional<double> real(std::string_view key) const;

 private:
  std::map<std::string, std::string, std::less<>> lines_;
};

/// Parses a finite number > 0 that is the whole text.
std::optional<double> parse_positive(std::string_view text);
/// A whole number with nothing behind it.
std::optional<std::int64_t> parse_integer(std::string_view text);
/// "30,71,64": z, y, x.
std::optional<Index3> parse_index(std::string_view text);
std::string print_index(const Index3& index);

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "imageio/image/channel.hpp"
#include <fmt/format.h>
#include <charconv>

namespace synthoscope::imageio {

std::string print_colour(std::uint32_t rgb) {
  return fmt::format("{:06X}", rgb & 0xFFFFFFu);
}

std::optional<std::uint32_t> parse_colour(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  std::uint32_t rgb = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), rgb, 16);
  if (text.size() != 6 || failure != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return rgb;
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
// imageio/image/channel.hpp — what a channel shows: its name, wavelengths and colour.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace synthoscope::imageio {

/// What an image shows: OME's metadata of a channel.
struct ImageChannel {
  std::string name;                                  ///< empty: it has none
  std::optional<double> emission_nm, excitation_nm;  ///< > 0, in vacuum
  std::optional<std::uint32_t> rgb;                  ///< to be shown in: 0xRRGGBB

  [[nodiscard]] bool is_empty() const {
    return name.empty() && !emission_nm && !excitation_nm && !rgb;
  }
  friend bool operator==(const ImageChannel&, const ImageChannel&) = default;
};

/// Prints "00FF00" for green, and the inverse, which accepts a leading '#'; nothing for any other
/// text.
std::string print_colour(std::uint32_t rgb);
std::optional<std::uint32_t> parse_colour(std::string_view text);

}  // namespace synthoscope::imageio

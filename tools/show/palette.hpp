// SPDX-License-Identifier: MIT
// tools/show/palette.hpp — the 256 colours of a GIF.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace synthoscope::tools {

/// Up to 256 colours, chosen for some pictures.
/// @source Heckbert, Color image quantization for frame buffer display, SIGGRAPH (1982),
///         doi:10.1145/965145.801294: median cut.
class Palette {
 public:
  /// Chooses the colours. @param pixels  r, g, b, r, ... of all pictures, one after the other
  explicit Palette(std::span<const std::uint8_t> pixels);

  /// Returns r, g, b of each colour.
  [[nodiscard]] const std::vector<std::array<std::uint8_t, 3>>& colours() const { return colours_; }

  /// Returns the index of the colour nearest to a pixel, within the six leading bits of r, g and b.
  [[nodiscard]] std::uint8_t index_of(std::uint8_t red, std::uint8_t green,
                                      std::uint8_t blue) const;

 private:
  std::vector<std::array<std::uint8_t, 3>> colours_;
  mutable std::vector<std::int16_t> nearest_;  ///< of each cell of colours; -1: not yet searched
};

}  // namespace synthoscope::tools

// SPDX-License-Identifier: MIT
// simulator/pictures/canvas.hpp — a small RGB picture to draw previews on.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace synthoscope::simulator {

struct Colour {
  double red = 0, green = 0, blue = 0;  ///< 0 to 1
};

/// Returns a mixture: `share` of `b`, the rest of `a`.
Colour mixed(const Colour& a, const Colour& b, double share);

/// Returns a colour from dark to bright through violet, red and yellow; `value` in [0, 1].
/// Lightness grows evenly.
Colour warm_colour(double value);

/// Returns the colour in which light of a wavelength is shown, always bright: from violet to red as
/// the eye sees it, ultraviolet as violet, and far red shifted towards magenta to differ from red.
Colour colour_of_light(double wavelength_nm);

/// Returns 0xRRGGBB.
std::uint32_t rgb_of(const Colour& colour);

/// Returns a bright colour that differs from id to id. Neighbouring ids are far apart in hue.
Colour object_colour(std::int64_t id);

/// A picture of pixels [row, column] from the top left. Drawing outside is clipped.
class Canvas {
 public:
  Canvas(std::int64_t width, std::int64_t height, const Colour& background);
  [[nodiscard]] std::int64_t width() const { return width_; }
  [[nodiscard]] std::int64_t height() const { return height_; }

  void set(std::int64_t column, std::int64_t row, const Colour& colour);
  void fill(std::int64_t column, std::int64_t row, std::int64_t width, std::int64_t height,
            const Colour& colour);

  /// Draws capital letters, digits, blanks, points, hyphens, underscores and "um" with pixels of
  /// `size`; other characters are left out.
  void write(std::int64_t column, std::int64_t row, std::string_view text, std::int64_t size,
             const Colour& colour);
  static std::int64_t text_width(std::string_view text, std::int64_t size);
  static constexpr std::int64_t kTextHeight = 7;  ///< times `size`

  /// r, g, b, row by row, 8 bits each.
  [[nodiscard]] const std::vector<std::uint8_t>& pixels() const { return pixels_; }

 private:
  std::int64_t width_, height_;
  std::vector<std::uint8_t> pixels_;
};

}  // namespace synthoscope::simulator

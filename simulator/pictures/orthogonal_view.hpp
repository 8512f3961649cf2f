// SPDX-License-Identifier: MIT
// simulator/pictures/orthogonal_view.hpp — draws slices of stacks next to each other, true in
// length.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>
#include "simulator/base/grid.hpp"
#include "simulator/pictures/canvas.hpp"
#include "simulator/pictures/slices.hpp"

namespace synthoscope::simulator {

/// How one panel turns a brightness in [0, 1] and a label into a colour.
struct Look {
  std::string_view title;  ///< capital letters; cut at the end of the panel
  std::function<Colour(double brightness, std::int64_t label)> colour;
  double outline = 0;  ///< opacity of the labels' outlines
};

/// Return the colour of a brightness: in the colour of the object, grey without one; the same for
/// its square root, so that small lights and large ones are both seen; as grey that objects tint;
/// as grey; and from violet to yellow.
Colour coloured_object(double brightness, std::int64_t label);
Colour coloured_light(double brightness, std::int64_t label);
Colour overlaid(double brightness, std::int64_t label);
Colour grey(double brightness, std::int64_t label);
Colour warm(double brightness, std::int64_t label);

/// The quantiles of the values that are shown black and white.
struct Contrast {
  double low = 0.01, high = 0.999;
};

/// The values that are shown black and white.
struct Brightness {
  double low = 0, high = 1;
  [[nodiscard]] double of(double value) const;  ///< 0 to 1
};

/// Returns the quantiles of the values. They are at least kLeastRange standard deviations of the
/// noise apart: noise alone looks even.
Brightness brightness_of(const Slices& values, const Contrast& contrast = {});
inline constexpr double kLeastRange = 12;

/// Slices that are drawn from black to a colour.
struct ColouredSlices {
  ColouredSlices(Slices values, const Colour& in, const Contrast& contrast = {})
      : slices{std::move(values)}, colour{in}, brightness{brightness_of(slices, contrast)} {}
  Slices slices;
  Colour colour;
  Brightness brightness;
};

/// Sizes in pixels of the three slices of a grid: y-x, below it z-x, to its right y-z. A grid of
/// one plane has only the first.
struct PanelSize {
  double um = 1;                     ///< per pixel
  std::int64_t x = 0, y = 0, z = 0;  ///< z is 0 for one plane

  /// @param longest  pixels of the longest edge of the grid
  explicit PanelSize(const Grid& grid, double longest = kLongestSide);
  static constexpr double kLongestSide = 400;
  [[nodiscard]] std::int64_t panel_width() const;
  [[nodiscard]] std::int64_t panel_height() const;  ///< with its title
};

/// A picture of panels next to each other, in rows of `columns`.
class OrthogonalView {
 public:
  OrthogonalView(const Grid& grid, std::int64_t panels)
      : OrthogonalView{PanelSize{grid}, panels, panels} {}
  OrthogonalView(const PanelSize& size, std::int64_t panels, std::int64_t columns);

  /// Returns the bytes for drawing, without the slices.
  static std::int64_t bytes(const Grid& grid, std::int64_t panels) {
    return bytes(PanelSize{grid}, panels, panels);
  }
  static std::int64_t bytes(const PanelSize& size, std::int64_t panels, std::int64_t columns);

  /// Draws a panel. All threads of `pool` draw and call `look` at once.
  void draw(std::int64_t panel, const Slices& values, const Slices& labels, const Look& look,
            const Brightness& brightness, TaskPool& pool);
  void draw(std::int64_t panel, const Slices& values, const Slices& labels, const Look& look,
            TaskPool& pool) {
    draw(panel, values, labels, look, brightness_of(values), pool);
  }

  /// Draws labels, each in its object_colour; 0 is black.
  void draw_labels(std::int64_t panel, const Slices& labels, std::string_view title,
                   TaskPool& pool);

  /// Draws several stacks on top of each other, each from black to its colour.
  void draw_together(std::int64_t panel, const std::vector<ColouredSlices>& stacks,
                     std::string_view title, TaskPool& pool);

  /// Draws a bar of 1, 2 or 5 times a power of ten micrometres in the lower left corner of the
  /// first panel; nothing if the panel is too small for it.
  void scale_bar();

  [[nodiscard]] const Canvas& canvas() const { return canvas_; }

 private:
  /// Fills a panel with `colour_of(face, row, column)`, pixel by pixel of its three faces.
  template <class ColourOf>
  void paint(std::int64_t panel, std::string_view title, TaskPool& pool, ColourOf&& colour_of);

  PanelSize size_;
  std::int64_t columns_;
  Canvas canvas_;
};

}  // namespace synthoscope::simulator

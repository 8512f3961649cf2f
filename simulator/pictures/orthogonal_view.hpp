// SPDX-License-Identifier: MIT
// simulator/pictures/orthogonal_view.hpp — draws slices of stacks next to each other, true in
// length.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
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

/// Return the colour of a brightness: in the colour of the object; as grey that objects tint; as
/// grey; and from violet to yellow.
Colour coloured_object(double brightness, std::int64_t label);
Colour overlaid(double brightness, std::int64_t label);
Colour grey(double brightness, std::int64_t label);
Colour warm(double brightness, std::int64_t label);

/// Slices that are drawn in one colour.
struct ColouredSlices {
  Slices slices;
  Colour colour;
};

/// Sizes in pixels of the three slices of a grid: y-x, below it z-x, to its right y-z.
struct PanelSize {
  double um = 1;  ///< per pixel
  std::int64_t x = 0, y = 0, z = 0;

  explicit PanelSize(const Grid& grid);
  [[nodiscard]] std::int64_t panel_width() const;
  [[nodiscard]] std::int64_t panel_height() const;  ///< with its title
};

/// A picture of panels next to each other.
class OrthogonalView {
 public:
  OrthogonalView(const Grid& grid, std::int64_t panels);

  /// Returns the bytes for drawing, without the slices.
  static std::int64_t bytes(const Grid& grid, std::int64_t panels);

  /// Draws a panel. Brightness runs from the 1 % quantile of `values` to their 99.9 % quantile. All
  /// threads of `pool` draw and call `look` at once.
  void draw(std::int64_t panel, const Slices& values, const Slices& labels, const Look& look,
            TaskPool& pool);

  /// Draws several stacks on top of each other, each from black to its colour over its own
  /// quantiles.
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
  Canvas canvas_;
};

}  // namespace synthoscope::simulator

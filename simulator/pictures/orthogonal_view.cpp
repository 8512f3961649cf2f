// SPDX-License-Identifier: MIT
#include "simulator/pictures/orthogonal_view.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace synthoscope::simulator {
namespace {

constexpr Colour kPaper{0.055, 0.06, 0.075}, kInk{0.92, 0.93, 0.95};
constexpr std::int64_t kMargin = 16, kGap = 4, kTextSize = 2, kTitle = 30;
constexpr double kLongestSide = 400;  ///< pixels of the y-x slice

/// Returns true if the label changes to the right or below, in pixels of the picture.
bool on_outline(const Slice& labels, double down, double right, double um) {
  const float here = labels.nearest(down, right);
  return here != labels.nearest(down, right + um) || here != labels.nearest(down + um, right);
}

/// Returns the label at a point, or of an object next to it: voxels that the object covers in part
/// have no label.
std::int64_t label_near(const Slice& labels, double down, double right) {
  const double row = labels.row_um, column = labels.column_um;
  const float here = labels.nearest(down, right);
  const float beside =
      std::max({labels.nearest(down - row, right), labels.nearest(down + row, right),
                labels.nearest(down, right - column), labels.nearest(down, right + column)});
  return static_cast<std::int64_t>(here != 0 ? here : beside);
}

/// The range from the 1 % quantile of slices to their 99.9 % quantile.
struct BrightnessRange {
  double low, high;

  explicit BrightnessRange(const Slices& values)
      : low{quantile_of(values, 0.01)}, high{std::max(quantile_of(values, 0.999), low + 1e-30)} {}
  /// Returns the brightness of a pixel of the picture, 0 to 1.
  [[nodiscard]] double brightness(const Slice& slice, std::int64_t row, std::int64_t column,
                                  double um) const {
    const double value = slice.smooth((static_cast<double>(row) + 0.5) * um,
                                      (static_cast<double>(column) + 0.5) * um, um);
    return std::clamp((value - low) / (high - low), 0.0, 1.0);
  }
};

/// A look, applied to values in a range.
struct Painter {
  const Look& look;
  double um;
  const BrightnessRange& range;

  [[nodiscard]] Colour colour(const Slice& slice, const Slice& labels, std::int64_t row,
                              std::int64_t column) const {
    const double down = (static_cast<double>(row) + 0.5) * um;
    const double right = (static_cast<double>(column) + 0.5) * um;
    const Colour base =
        look.colour(range.brightness(slice, row, column, um), label_near(labels, down, right));
    if (look.outline == 0 || !on_outline(labels, down, right, um)) return base;
    const auto edge = static_cast<std::int64_t>(
        std::max({labels.nearest(down, right), labels.nearest(down, right + um),
                  labels.nearest(down + um, right)}));
    return mixed(base, object_colour(edge), look.outline);
  }
};

std::int64_t width_of(const PanelSize& size, std::int64_t panels) {
  return panels * size.panel_width() + (panels + 1) * kMargin;
}

std::int64_t height_of(const PanelSize& size) {
  return size.panel_height() + 2 * kMargin;
}

}  // namespace

Colour coloured_object(double brightness, std::int64_t label) {
  return mixed({0.01, 0.01, 0.02}, object_colour(label), brightness);
}

Colour overlaid(double brightness, std::int64_t label) {
  const Colour plain = grey(brightness, label);
  return label == 0 ? plain : mixed(plain, object_colour(label), 0.35);
}

Colour grey(double brightness, std::int64_t) {
  return {brightness, brightness, brightness};
}

Colour warm(double brightness, std::int64_t) {
  return warm_colour(brightness);
}

PanelSize::PanelSize(const Grid& grid) {
  const auto length = [](std::int64_t n, double pitch) { return static_cast<double>(n) * pitch; };
  const double z_um = length(grid.extent.z, grid.pitch.z_um);
  const double y_um = length(grid.extent.y, grid.pitch.y_um);
  const double x_um = length(grid.extent.x, grid.pitch.x_um);
  um = std::max({x_um, y_um, z_um}) / kLongestSide;
  const auto pixels = [&](double side) {
    return std::max<std::int64_t>(1, std::llround(side / um));
  };
  z = pixels(z_um);
  y = pixels(y_um);
  x = pixels(x_um);
}

std::int64_t PanelSize::panel_width() const {
  return x + kGap + z;
}

std::int64_t PanelSize::panel_height() const {
  return kTitle + y + kGap + z;
}

OrthogonalView::OrthogonalView(const Grid& grid, std::int64_t panels)
    : size_{grid}, canvas_{width_of(size_, panels), height_of(size_), kPaper} {}

std::int64_t OrthogonalView::bytes(const Grid& grid, std::int64_t panels) {
  const PanelSize size{grid};
  return 2 * 3 * width_of(size, panels) * height_of(size);  // once more for the file
}

template <class ColourOf>
void OrthogonalView::paint(std::int64_t panel, std::string_view title, TaskPool& pool,
                           ColourOf&& colour_of) {
  const std::int64_t left = kMargin + panel * (size_.panel_width() + kMargin);
  const std::int64_t top = kMargin + kTitle;
  while (!title.empty() && Canvas::text_width(title, kTextSize) > size_.panel_width())
    title.remove_suffix(1);
  canvas_.write(left, kMargin + 4, title, kTextSize, kInk);
  const auto fill = [&](Slice Slices::*face, std::int64_t column, std::int64_t row,
                        std::int64_t width, std::int64_t height) {
    pool.for_each(height, [&](std::int64_t r) {
      for (std::int64_t c = 0; c < width; ++c)
        canvas_.set(column + c, row + r, colour_of(face, r, c));
    });
  };
  fill(&Slices::yx, left, top, size_.x, size_.y);
  fill(&Slices::yz, left + size_.x + kGap, top, size_.z, size_.y);
  fill(&Slices::zx, left, top + size_.y + kGap, size_.x, size_.z);
}

void OrthogonalView::draw(std::int64_t panel, const Slices& values, const Slices& labels,
                          const Look& look, TaskPool& pool) {
  const BrightnessRange range{values};
  const Painter painter{look, size_.um, range};
  paint(panel, look.title, pool, [&](Slice Slices::*face, std::int64_t row, std::int64_t column) {
    return painter.colour(values.*face, labels.*face, row, column);
  });
}

void OrthogonalView::draw_together(std::int64_t panel, const std::vector<ColouredSlices>& stacks,
                                   std::string_view title, TaskPool& pool) {
  std::vector<BrightnessRange> ranges;
  for (const ColouredSlices& stack : stacks) ranges.emplace_back(stack.slices);
  paint(panel, title, pool, [&](Slice Slices::*face, std::int64_t row, std::int64_t column) {
    Colour sum;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
      const double light = ranges[i].brightness(stacks[i].slices.*face, row, column, size_.um);
      sum = {sum.red + light * stacks[i].colour.red, sum.green + light * stacks[i].colour.green,
             sum.blue + light * stacks[i].colour.blue};
    }
    return Colour{std::min(sum.red, 1.0), std::min(sum.green, 1.0), std::min(sum.blue, 1.0)};
  });
}

void OrthogonalView::scale_bar() {
  const double most = 0.3 * static_cast<double>(size_.x) * size_.um;
  const double power = std::pow(10, std::floor(std::log10(most)));
  const double um = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
  const auto length = std::max<std::int64_t>(1, std::llround(um / size_.um));
  const std::string text = fmt::format("{:g} um", um);
  const bool fits = size_.x >= Canvas::text_width(text, kTextSize) + 40 && size_.y >= 60;
  if (!fits) return;
  const std::int64_t left = kMargin + 10, bottom = kMargin + kTitle + size_.y - 10;
  canvas_.fill(left, bottom - 4, length, 4, kInk);
  const std::int64_t shift = (length - Canvas::text_width(text, kTextSize)) / 2;
  canvas_.write(std::max(left, left + shift), bottom - 10 - Canvas::kTextHeight * kTextSize, text,
                kTextSize, kInk);
}

}  // namespace synthoscope::simulator

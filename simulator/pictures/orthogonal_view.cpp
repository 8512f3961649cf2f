// SPDX-License-Identifier: MIT
#include "simulator/pictures/orthogonal_view.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace synthoscope::simulator {
namespace {

constexpr Colour kPaper{0.055, 0.06, 0.075}, kInk{0.92, 0.93, 0.95};
constexpr std::int64_t kMargin = 16, kGap = 4, kTextSize = 2, kTitle = 30;

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

/// Estimates the standard deviation of the noise. Neighbours along x differ by noise, except at the
/// edges of objects. The median difference of two values with normal noise is 0.954 standard
/// deviations.
double noise_of(const Slice& slice) {
  std::vector<float> differences;
  for (std::int64_t row = 0; row < slice.rows; ++row)
    for (std::int64_t column = 1; column < slice.columns; ++column) {
      const float* const value = slice.values.data() + row * slice.columns + column;
      differences.push_back(std::abs(value[0] - value[-1]));
    }
  if (differences.empty()) return 0;
  const auto middle = differences.begin() + std::ssize(differences) / 2;
  std::nth_element(differences.begin(), middle, differences.end());
  return *middle / 0.954;
}

/// Returns the brightness of a pixel of the picture, 0 to 1.
double brightness_at(const Slice& slice, const Brightness& brightness, std::int64_t row,
                     std::int64_t column, double um) {
  return brightness.of(slice.smooth((static_cast<double>(row) + 0.5) * um,
                                    (static_cast<double>(column) + 0.5) * um, um));
}

/// A look, applied to values in a range.
struct Painter {
  const Look& look;
  double um;
  const Brightness& brightness;

  [[nodiscard]] Colour colour(const Slice& slice, const Slice& labels, std::int64_t row,
                              std::int64_t column) const {
    const double down = (static_cast<double>(row) + 0.5) * um;
    const double right = (static_cast<double>(column) + 0.5) * um;
    const Colour base = look.colour(brightness_at(slice, brightness, row, column, um),
                                    label_near(labels, down, right));
    if (look.outline == 0 || !on_outline(labels, down, right, um)) return base;
    const auto edge = static_cast<std::int64_t>(
        std::max({labels.nearest(down, right), labels.nearest(down, right + um),
                  labels.nearest(down + um, right)}));
    return mixed(base, object_colour(edge), look.outline);
  }
};

std::int64_t width_of(const PanelSize& size, std::int64_t columns) {
  return columns * size.panel_width() + (columns + 1) * kMargin;
}

std::int64_t height_of(const PanelSize& size, std::int64_t rows) {
  return rows * size.panel_height() + (rows + 1) * kMargin;
}

std::int64_t rows_of(std::int64_t panels, std::int64_t columns) {
  return (panels + columns - 1) / columns;
}

}  // namespace

double Brightness::of(double value) const {
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

Brightness brightness_of(const Slices& values, const Contrast& contrast) {
  const double low = quantile_of(values, contrast.low);
  return {low, std::max({quantile_of(values, contrast.high), low + 1e-30,
                         low + kLeastRange * noise_of(values.yx)})};
}

Colour coloured_object(double brightness, std::int64_t label) {
  const Colour bright = label == 0 ? Colour{0.8, 0.8, 0.8} : object_colour(label);
  return mixed({0.01, 0.01, 0.02}, bright, brightness);
}

Colour coloured_light(double brightness, std::int64_t label) {
  return coloured_object(std::sqrt(brightness), label);
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

PanelSize::PanelSize(const Grid& grid, double longest) {
  const auto length = [](std::int64_t n, double pitch) { return static_cast<double>(n) * pitch; };
  const double z_um = length(grid.extent.z, grid.pitch.z_um);
  const double y_um = length(grid.extent.y, grid.pitch.y_um);
  const double x_um = length(grid.extent.x, grid.pitch.x_um);
  const bool is_flat = grid.extent.z == 1;
  um = std::max({x_um, y_um, is_flat ? 0 : z_um}) / longest;
  const auto pixels = [&](double side) {
    return std::max<std::int64_t>(1, std::llround(side / um));
  };
  z = is_flat ? 0 : pixels(z_um);
  y = pixels(y_um);
  x = pixels(x_um);
}

std::int64_t PanelSize::panel_width() const {
  return z == 0 ? x : x + kGap + z;
}

std::int64_t PanelSize::panel_height() const {
  return kTitle + (z == 0 ? y : y + kGap + z);
}

OrthogonalView::OrthogonalView(const PanelSize& size, std::int64_t panels, std::int64_t columns)
    : size_{size},
      columns_{columns},
      canvas_{width_of(size_, columns), height_of(size_, rows_of(panels, columns)), kPaper} {}

std::int64_t OrthogonalView::bytes(const PanelSize& size, std::int64_t panels,
                                   std::int64_t columns) {
  // Once more for the file
  return 2 * 3 * width_of(size, columns) * height_of(size, rows_of(panels, columns));
}

template <class ColourOf>
void OrthogonalView::paint(std::int64_t panel, std::string_view title, TaskPool& pool,
                           ColourOf&& colour_of) {
  const std::int64_t left = kMargin + panel % columns_ * (size_.panel_width() + kMargin);
  const std::int64_t above = kMargin + panel / columns_ * (size_.panel_height() + kMargin);
  const std::int64_t top = above + kTitle;
  while (!title.empty() && Canvas::text_width(title, kTextSize) > size_.panel_width())
    title.remove_suffix(1);
  canvas_.write(left, above + 4, title, kTextSize, kInk);
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
                          const Look& look, const Brightness& brightness, TaskPool& pool) {
  const Painter painter{look, size_.um, brightness};
  paint(panel, look.title, pool, [&](Slice Slices::*face, std::int64_t row, std::int64_t column) {
    return painter.colour(values.*face, labels.*face, row, column);
  });
}

void OrthogonalView::draw_labels(std::int64_t panel, const Slices& labels, std::string_view title,
                                 TaskPool& pool) {
  paint(panel, title, pool, [&](Slice Slices::*face, std::int64_t row, std::int64_t column) {
    const auto id =
        static_cast<std::int64_t>((labels.*face)
                                      .nearest((static_cast<double>(row) + 0.5) * size_.um,
                                               (static_cast<double>(column) + 0.5) * size_.um));
    return id == 0 ? Colour{} : object_colour(id);
  });
}

void OrthogonalView::draw_together(std::int64_t panel, const std::vector<ColouredSlices>& stacks,
                                   std::string_view title, TaskPool& pool) {
  paint(panel, title, pool, [&](Slice Slices::*face, std::int64_t row, std::int64_t column) {
    Colour sum;
    for (const ColouredSlices& stack : stacks) {
      const double light =
          brightness_at(stack.slices.*face, stack.brightness, row, column, size_.um);
      sum = {sum.red + light * stack.colour.red, sum.green + light * stack.colour.green,
             sum.blue + light * stack.colour.blue};
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

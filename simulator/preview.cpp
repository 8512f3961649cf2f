// SPDX-License-Identifier: MIT
#include "simulator/preview.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include "imageio/png_preview.hpp"
#include "simulator/canvas.hpp"
#include "simulator/slices.hpp"

namespace synthoscope::simulator {
namespace {

constexpr Colour kPaper{0.055, 0.06, 0.075}, kInk{0.92, 0.93, 0.95};
constexpr std::int64_t kMargin = 16, kGap = 4, kTextSize = 2, kTitle = 30;
constexpr double kLongestSide = 400;  ///< pixels of the y-x slice

/// The voxel at the centroid of the object nearest to the grid's middle.
Index3 meeting_point(const Phantom& phantom) {
  const Grid& grid = phantom.grid;
  const Index3 middle{grid.extent.z / 2, grid.extent.y / 2, grid.extent.x / 2};
  const Vector3 target = vector_of(centre_of(grid, middle));
  Vector3 c = target;
  double least = std::numeric_limits<double>::infinity();
  for_each_object(phantom, [&](std::int64_t, const auto& body) {
    const Vector3 between = body.centroid() - target;
    const double square = dot(between, between);
    if (square >= least) return;
    least = square;
    c = body.centroid();
  });
  const auto voxel = [](double um, double pitch_um, std::int64_t size) {
    return std::clamp(static_cast<std::int64_t>(um / pitch_um), std::int64_t{0}, size - 1);
  };
  return {voxel(c[0], grid.pitch.z_um, grid.extent.z), voxel(c[1], grid.pitch.y_um, grid.extent.y),
          voxel(c[2], grid.pitch.x_um, grid.extent.x)};
}

/// How one panel turns a brightness in [0, 1] and a label into a colour.
struct Look {
  std::string_view title;
  std::function<Colour(double brightness, std::int64_t label)> colour;
  double outline = 0;  ///< opacity of the labels' outlines
};

/// Sizes in pixels, common to the three panels.
struct Frame {
  double um = 1;  ///< per pixel
  std::int64_t x = 0, y = 0, z = 0;

  explicit Frame(const Grid& grid) {
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
  [[nodiscard]] std::int64_t panel_width() const { return x + kGap + z; }
  [[nodiscard]] std::int64_t panel_height() const { return kTitle + y + kGap + z; }
};

/// True where the label changes to the right or below, in pixels of the picture.
bool on_outline(const Slice& labels, double down, double right, double um) {
  const float here = labels.nearest(down, right);
  return here != labels.nearest(down, right + um) || here != labels.nearest(down + um, right);
}

/// The label at a point or, beside an object, the object's: voxels that it covers in part have no
/// label of their own.
std::int64_t label_near(const Slice& labels, double down, double right) {
  const double row = labels.row_um, column = labels.column_um;
  const float here = labels.nearest(down, right);
  const float beside =
      std::max({labels.nearest(down - row, right), labels.nearest(down + row, right),
                labels.nearest(down, right - column), labels.nearest(down, right + column)});
  return static_cast<std::int64_t>(here != 0 ? here : beside);
}

class Painter {
 public:
  Painter(Canvas& canvas, const Frame& frame, const Slices& labels)
      : canvas_{canvas}, frame_{frame}, labels_{labels} {}

  void panel(std::int64_t number, const Slices& values, const Look& look) {
    const double low = quantile_of(values, 0.01);
    const double high = std::max(quantile_of(values, 0.999), low + 1e-30);
    const std::int64_t left = kMargin + number * (frame_.panel_width() + kMargin);
    const std::int64_t top = kMargin + kTitle;
    canvas_.write(left, kMargin + 4, look.title, kTextSize, kInk);
    const auto draw = [&](const Slice& slice, const Slice& labels, std::int64_t column,
                          std::int64_t row, std::int64_t width, std::int64_t height) {
      for (std::int64_t r = 0; r < height; ++r)
        for (std::int64_t c = 0; c < width; ++c)
          canvas_.set(column + c, row + r, colour(slice, labels, r, c, low, high, look));
    };
    draw(values.yx, labels_.yx, left, top, frame_.x, frame_.y);
    draw(values.yz, labels_.yz, left + frame_.x + kGap, top, frame_.z, frame_.y);
    draw(values.zx, labels_.zx, left, top + frame_.y + kGap, frame_.x, frame_.z);
  }

  /// A bar of 1, 2 or 5 times a power of ten micrometres, in the lower left corner of
  /// the first panel; none where the panel is too small for it.
  void scale_bar() {
    const double most = 0.3 * static_cast<double>(frame_.x) * frame_.um;
    const double power = std::pow(10, std::floor(std::log10(most)));
    const double um = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
    const auto length = std::max<std::int64_t>(1, std::llround(um / frame_.um));
    const std::string text = fmt::format("{:g} um", um);
    const bool fits = frame_.x >= Canvas::text_width(text, kTextSize) + 40 && frame_.y >= 60;
    if (!fits) return;
    const std::int64_t left = kMargin + 10, bottom = kMargin + kTitle + frame_.y - 10;
    canvas_.fill(left, bottom - 4, length, 4, kInk);
    const std::int64_t shift = (length - Canvas::text_width(text, kTextSize)) / 2;
    canvas_.write(std::max(left, left + shift), bottom - 10 - Canvas::kTextHeight * kTextSize, text,
                  kTextSize, kInk);
  }

 private:
  [[nodiscard]] Colour colour(const Slice& slice, const Slice& labels, std::int64_t row,
                              std::int64_t column, double low, double high,
                              const Look& look) const {
    const double down = (static_cast<double>(row) + 0.5) * frame_.um;
    const double right = (static_cast<double>(column) + 0.5) * frame_.um;
    const double value = slice.smooth(down, right, frame_.um);
    const Colour base = look.colour(std::clamp((value - low) / (high - low), 0.0, 1.0),
                                    label_near(labels, down, right));
    if (look.outline == 0 || !on_outline(labels, down, right, frame_.um)) return base;
    const auto edge = static_cast<std::int64_t>(
        std::max({labels.nearest(down, right), labels.nearest(down, right + frame_.um),
                  labels.nearest(down + frame_.um, right)}));
    return mixed(base, object_colour(edge), look.outline);
  }

  Canvas& canvas_;
  const Frame& frame_;
  const Slices& labels_;
};

/// Three panels beside each other.
std::int64_t canvas_width(const Frame& frame) {
  return 3 * frame.panel_width() + 4 * kMargin;
}

std::int64_t canvas_height(const Frame& frame) {
  return frame.panel_height() + 2 * kMargin;
}

}  // namespace

std::int64_t preview_bytes(const Grid& grid) {
  // Truth and labels stay, one stack joins them, is sorted for its quantiles or turned on its side
  const Frame frame{grid};
  const std::int64_t pixels = canvas_width(frame) * canvas_height(frame);
  return 4 * slices_bytes(grid.extent) + 2 * 3 * pixels;
}

void write_preview(const Phantom& phantom, const DataSet& files, MemoryBudget& memory) {
  const auto counted = memory.reserve(preview_bytes(phantom.grid), "the preview");
  const VoxelSize& pitch = phantom.grid.pitch;
  const Index3 at = meeting_point(phantom);
  const auto slices_of = [&](std::string_view name) {
    return read_slices(*files.open_stack(name, 0), pitch, at);
  };
  PhantomSource light{phantom};
  const Slices truth = read_slices(light, pitch, at);
  const Slices labels = slices_of("labels");

  const Frame frame{phantom.grid};
  Canvas canvas{canvas_width(frame), canvas_height(frame), kPaper};
  Painter painter{canvas, frame, labels};
  const Colour black{0.01, 0.01, 0.02};
  painter.panel(0, truth, {"TRUTH", [&](double v, std::int64_t label) {
                             return mixed(black, object_colour(label), v);
                           }});
  painter.panel(1, slices_of("photons"),
                {"BLURRED", [](double v, std::int64_t) { return warm_colour(v); }, 0.35});
  const Grid &fine = phantom.grid, &camera = files.camera_grid();
  const Index3 pixel{at.z, at.y * camera.extent.y / fine.extent.y,
                     at.x * camera.extent.x / fine.extent.x};
  painter.panel(2, read_slices(*files.open_stack("image", 0), camera.pitch, pixel),
                {"RECORDED",
                 [](double v, std::int64_t) {
                   return Colour{v, v, v};
                 },
                 0.6});
  painter.scale_bar();
  imageio::write_png(files.path_of("preview.png"), canvas.width(), canvas.height(), canvas.pixels(),
                     false);
}

}  // namespace synthoscope::simulator

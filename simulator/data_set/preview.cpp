// SPDX-License-Identifier: MIT
#include "simulator/data_set/preview.hpp"
#include <algorithm>
#include <limits>
#include "imageio/small/png_preview.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/pictures/orthogonal_view.hpp"
#include "simulator/pictures/slices.hpp"

namespace synthoscope::simulator {
namespace {

/// What is read for a preview, and from where.
struct Sights {
  const DataSet& files;
  const Phantom& phantom;
  Index3 at;
  TaskPool& pool;

  [[nodiscard]] Slices truth() const {
    PhantomSource light{phantom};
    return read_slices(light, phantom.grid.pitch, at, pool);
  }
  [[nodiscard]] Slices stack(std::string_view name, std::int64_t frame) const {
    return read_slices(*files.open_stack(name, frame), phantom.grid.pitch, at, pool);
  }
  [[nodiscard]] Slices recorded(std::int64_t frame, std::size_t channel) const {
    const Grid &fine = phantom.grid, camera = files.camera_grid(channel);
    const Index3 pixel{at.z, at.y * camera.extent.y / fine.extent.y,
                       at.x * camera.extent.x / fine.extent.x};
    return read_slices(*files.open_stack("image", frame, channel), camera.pitch, pixel, pool);
  }
};

void write_picture(OrthogonalView& view, const DataSet& files) {
  view.scale_bar();
  const Canvas& canvas = view.canvas();
  imageio::write_png(files.path_of("preview.png"), canvas.width(), canvas.height(), canvas.pixels(),
                     false);
}

std::string in_capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// Returns the number of channels that have a panel.
std::size_t shown_of(std::size_t images) {
  constexpr std::size_t kMaxShown = 6;
  return std::min(images, kMaxShown);
}

/// Returns the number of panels: truth, blurred and recorded; or truth, each channel, and all
/// channels.
std::int64_t panels_of(std::size_t images) {
  return images == 1 ? 3 : 2 + static_cast<std::int64_t>(shown_of(images));
}

/// Draws a panel for each channel next to the truth, and then all channels in their colours.
void draw_channels(OrthogonalView& view, const Sights& see, std::int64_t frame,
                   const Slices& labels) {
  std::vector<ColouredSlices> all;
  const auto& channels = see.files.channels();
  for (std::size_t i = 0; i < shown_of(channels.size()); ++i) {
    all.push_back(
        {see.recorded(frame, i), colour_of_light(channels[i].scene.optics.wavelength_nm)});
    const std::string title = in_capitals(channels[i].name);
    view.draw(static_cast<std::int64_t>(i) + 1, all.back().slices, labels, {title, grey, 0.6},
              see.pool);
  }
  view.draw_together(static_cast<std::int64_t>(all.size()) + 1, all, "TOGETHER", see.pool);
}

}  // namespace

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

std::int64_t preview_bytes(const Grid& grid, std::size_t images, int threads) {
  // Labels, the stack of a panel, and its copy for quantiles or transposition; also one per channel
  const auto kept = images == 1 ? 0 : static_cast<std::int64_t>(shown_of(images));
  return (3 + kept) * slices_bytes(grid.extent) + slices_reading_bytes(grid.extent, threads) +
         OrthogonalView::bytes(grid, panels_of(images));
}

void write_preview(const Phantom& phantom, std::int64_t frame, const DataSet& files,
                   const RunContext& context) {
  const std::size_t images = files.channels().size();
  const auto counted = context.memory.reserve(
      preview_bytes(phantom.grid, images, context.pool.threads()), "the preview");
  const Sights see{files, phantom, meeting_point(phantom), context.pool};
  const Slices labels = see.stack("labels", frame);
  OrthogonalView view{phantom.grid, panels_of(images)};
  view.draw(0, see.truth(), labels, {"TRUTH", coloured_object}, context.pool);
  if (images > 1) {
    draw_channels(view, see, frame, labels);
  } else {
    view.draw(1, see.stack("photons", frame), labels, {"BLURRED", warm, 0.35}, context.pool);
    view.draw(2, see.recorded(frame, 0), labels, {"RECORDED", grey, 0.6}, context.pool);
  }
  write_picture(view, files);
}

void write_movie_preview(const Phantom& first, const DataSet& files, const RunContext& context) {
  const auto counted =
      context.memory.reserve(preview_bytes(first.grid, 1, context.pool.threads()), "the preview");
  const Sights see{files, first, meeting_point(first), context.pool};
  OrthogonalView view{first.grid, panels_of(1)};
  const auto draw = [&](std::int64_t panel, std::int64_t frame, std::string_view title) {
    view.draw(panel, see.recorded(frame, 0), see.stack("labels", frame), {title, overlaid, 0.6},
              context.pool);
  };
  const FrameRange frames = files.layout().frames();
  draw(0, frames.first, "FIRST");
  draw(1, frames.middle(), "MIDDLE");
  draw(2, frames.last, "LAST");
  write_picture(view, files);
}

}  // namespace synthoscope::simulator

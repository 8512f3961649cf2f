// SPDX-License-Identifier: MIT
#include "simulator/data_set/preview.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include "imageio/small/png_preview.hpp"
#include "simulator/data_set/lit_labels.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/pictures/orthogonal_view.hpp"
#include "simulator/pictures/projections.hpp"

namespace synthoscope::simulator {
namespace {

/// What a panel shows of a frame.
struct Sight {
  LightSpec light;            ///< of the channel
  bool is_projected = false;  ///< largest values along each axis, instead of slices
};

Sight sight_of(const SceneSpec& scene, const LightSpec& light) {
  const bool is_stack = scene.grid.extent.z > 1;
  return {light, is_stack && has_small_lights(phantom_of(scene), sample_grid(scene), light)};
}

/// Returns the largest weights of the channels, for what all of them show together.
LightSpec light_of_all(const std::vector<Channel>& channels) {
  LightSpec all = no_light();
  for (const Channel& channel : channels)
    for (const LightKind& kind : kLightKinds)
      all.*kind.weight = std::max(all.*kind.weight, channel.scene.light.*kind.weight);
  return all;
}

/// Reads what panels show of one frame.
class FrameReader {
 public:
  FrameReader(const DataSet& files, const Timelapse& timelapse, const Phantom& phantom,
              std::int64_t frame, const Index3& at, const RunContext& context)
      : files_{files},
        phantom_{phantom},
        frame_{frame},
        at_{at},
        labels_{timelapse.labels_of(frame).labels},
        context_{context} {}

  [[nodiscard]] Slices truth(const Sight& sight) const {
    PhantomSource light{phantom_, sight.light};
    return seen(light, phantom_.grid.pitch, at_, sight);
  }
  [[nodiscard]] Slices photons(const Sight& sight) const {
    return seen(*files_.open_stack("photons", frame_), phantom_.grid.pitch, at_, sight);
  }
  [[nodiscard]] Slices counts(std::size_t channel, const Sight& sight) const {
    const Grid &fine = phantom_.grid, camera = files_.camera_grid(channel);
    const Index3 pixel{at_.z, at_.y * camera.extent.y / fine.extent.y,
                       at_.x * camera.extent.x / fine.extent.x};
    return seen(*files_.open_stack("image", frame_, channel), camera.pitch, pixel, sight);
  }
  /// Labels of the objects that give light.
  [[nodiscard]] Slices labels(const Sight& sight) const {
    const auto all = files_.open_stack("labels", frame_);
    LitLabels lit{*all, phantom_, labels_, sight.light};
    return seen(lit, phantom_.grid.pitch, at_, sight);
  }

  /// Returns "TRUTH MAXIMUM" or "TRUTH Z12"; the bare name for a grid of one plane.
  [[nodiscard]] std::string title(std::string name, const Sight& sight) const {
    for (char& c : name)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (phantom_.grid.extent.z == 1) return name;
    return sight.is_projected ? name + " MAXIMUM" : fmt::format("{} Z{}", name, at_.z);
  }

 private:
  Slices seen(Source& source, const VoxelSize& pitch, const Index3& at, const Sight& sight) const {
    return sight.is_projected ? read_projections(source, pitch, context_)
                              : read_slices(source, pitch, at, context_.pool);
  }

  const DataSet& files_;
  const Phantom& phantom_;
  std::int64_t frame_;
  Index3 at_;
  std::vector<std::uint16_t> labels_;  ///< of each object
  const RunContext& context_;
};

void write_picture(OrthogonalView& view, const DataSet& files) {
  view.scale_bar();
  const Canvas& canvas = view.canvas();
  imageio::write_png(files.path_of("preview.png"), canvas.width(), canvas.height(), canvas.pixels(),
                     false);
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

/// Returns the bytes of a preview; read_projections counts its own.
std::int64_t drawing_bytes(const Grid& grid, std::size_t images, int threads) {
  // Labels, the stack of a panel, and its copy for quantiles or transposition; also one per channel
  const auto kept = images == 1 ? 0 : static_cast<std::int64_t>(shown_of(images));
  return (3 + kept) * slices_bytes(grid.extent) + slices_reading_bytes(grid.extent, threads) +
         OrthogonalView::bytes(grid, panels_of(images));
}

/// Draws the light of all channels, in one colour per object.
void draw_truth(OrthogonalView& view, const FrameReader& read, const Sight& sight, TaskPool& pool) {
  const std::string title = read.title("truth", sight);
  const auto colour = sight.is_projected ? coloured_light : coloured_object;
  view.draw(0, read.truth(sight), read.labels(sight), {title, colour}, pool);
}

/// Draws the only image without and with noise.
void draw_image(OrthogonalView& view, const FrameReader& read, const Sight& sight, TaskPool& pool) {
  const Slices labels = read.labels(sight);
  const std::string blurred = read.title("blurred", sight),
                    recorded = read.title("recorded", sight);
  view.draw(1, read.photons(sight), labels, {blurred, warm, 0.35}, pool);
  view.draw(2, read.counts(0, sight), labels, {recorded, grey, 0.6}, pool);
}

/// Draws a panel for each channel, and then all channels in their colours.
void draw_channels(OrthogonalView& view, const FrameReader& read,
                   const std::vector<Channel>& channels, TaskPool& pool) {
  std::vector<ColouredSlices> all;
  for (std::size_t i = 0; i < shown_of(channels.size()); ++i) {
    const SceneSpec& scene = channels[i].scene;
    const Sight sight = sight_of(scene, scene.light);
    all.push_back({read.counts(i, sight), colour_of_light(scene.optics.wavelength_nm)});
    const std::string title = read.title(channels[i].name, sight);
    view.draw(static_cast<std::int64_t>(i) + 1, all.back().slices, read.labels(sight),
              {title, grey, 0.6}, pool);
  }
  view.draw_together(static_cast<std::int64_t>(all.size()) + 1, all, "TOGETHER", pool);
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

std::int64_t preview_bytes(const SceneSpec& scene, std::size_t images, int threads) {
  // A channel can have less light than this, but not other light
  const bool is_projected = has_small_lights(phantom_of(scene), sample_grid(scene), LightSpec{});
  return drawing_bytes(scene.grid, images, threads) +
         (is_projected ? projecting_bytes(scene.grid.extent, threads) : 0);
}

void write_preview(const Timelapse& timelapse, const Phantom& phantom, std::int64_t frame,
                   const DataSet& files, const RunContext& context) {
  const std::vector<Channel>& channels = files.channels();
  const auto counted = context.memory.reserve(
      drawing_bytes(phantom.grid, channels.size(), context.pool.threads()), "the preview");
  const FrameReader read{files, timelapse, phantom, frame, meeting_point(phantom), context};
  const Sight all = sight_of(channels.front().scene, light_of_all(channels));
  OrthogonalView view{phantom.grid, panels_of(channels.size())};
  draw_truth(view, read, all, context.pool);
  if (channels.size() == 1)
    draw_image(view, read, all, context.pool);
  else
    draw_channels(view, read, channels, context.pool);
  write_picture(view, files);
}

void write_movie_preview(const Timelapse& timelapse, const DataSet& files,
                         const RunContext& context) {
  const FrameRange frames = files.layout().frames();
  Phantom phantom = timelapse.phantom(frames.first, context);
  const auto counted =
      context.memory.reserve(drawing_bytes(phantom.grid, 1, context.pool.threads()), "the preview");
  const Index3 at = meeting_point(phantom);
  const SceneSpec& scene = files.channels().front().scene;
  const Sight sight = sight_of(scene, scene.light);
  OrthogonalView view{phantom.grid, panels_of(1)};
  const auto draw = [&](std::int64_t panel, std::int64_t frame, const char* name) {
    if (frame != frames.first) phantom = timelapse.phantom(frame, context);
    const FrameReader read{files, timelapse, phantom, frame, at, context};
    const std::string title = read.title(name, sight);
    view.draw(panel, read.counts(0, sight), read.labels(sight), {title, overlaid, 0.6},
              context.pool);
  };
  draw(0, frames.first, "first");
  draw(1, frames.middle(), "middle");
  draw(2, frames.last, "last");
  write_picture(view, files);
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "simulator/preview.hpp"
#include <algorithm>
#include <limits>
#include "imageio/png_preview.hpp"
#include "simulator/orthogonal_view.hpp"
#include "simulator/slices.hpp"

namespace synthoscope::simulator {
namespace {

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

/// The slices of a finished stack that meet at a voxel of the phantom's grid.
class StackSlices {
 public:
  StackSlices(const Grid& grid, const DataSet& files, const Index3& at, const RunContext& context)
      : grid_{grid}, files_{files}, at_{at}, context_{context} {}

  [[nodiscard]] Slices operator()(std::string_view name, std::int64_t frame) const {
    return read_slices(*files_.open_stack(name, frame), grid_.pitch, at_, context_.pool);
  }
  [[nodiscard]] Slices recorded(std::int64_t frame) const {
    const Grid& camera = files_.camera_grid();
    const Index3 pixel{at_.z, at_.y * camera.extent.y / grid_.extent.y,
                       at_.x * camera.extent.x / grid_.extent.x};
    return read_slices(*files_.open_stack("image", frame), camera.pitch, pixel, context_.pool);
  }

 private:
  const Grid& grid_;
  const DataSet& files_;
  Index3 at_;
  const RunContext& context_;
};

void write_picture(OrthogonalView& view, const DataSet& files) {
  view.scale_bar();
  const Canvas& canvas = view.canvas();
  imageio::write_png(files.path_of("preview.png"), canvas.width(), canvas.height(), canvas.pixels(),
                     false);
}

}  // namespace

std::int64_t preview_bytes(const Grid& grid, int threads) {
  // Truth and labels stay, one stack joins them, is sorted for its quantiles or turned on its side
  return 4 * slices_bytes(grid.extent, threads) + OrthogonalView::bytes(grid, 3);
}

void write_preview(const Phantom& phantom, const DataSet& files, const RunContext& context) {
  const auto counted =
      context.memory.reserve(preview_bytes(phantom.grid, context.pool.threads()), "the preview");
  const VoxelSize& pitch = phantom.grid.pitch;
  const Index3 at = meeting_point(phantom);
  const StackSlices slices_of{phantom.grid, files, at, context};
  PhantomSource light{phantom};
  const Slices labels = slices_of("labels", 0);
  OrthogonalView view{phantom.grid, 3};
  view.draw(0, read_slices(light, pitch, at, context.pool), labels, {"TRUTH", coloured_object},
            context.pool);
  view.draw(1, slices_of("photons", 0), labels, {"BLURRED", warm, 0.35}, context.pool);
  view.draw(2, slices_of.recorded(0), labels, {"RECORDED", grey, 0.6}, context.pool);
  write_picture(view, files);
}

void write_movie_preview(const Phantom& first, std::int64_t frames, const DataSet& files,
                         const RunContext& context) {
  const auto counted =
      context.memory.reserve(preview_bytes(first.grid, context.pool.threads()), "the preview");
  const StackSlices slices_of{first.grid, files, meeting_point(first), context};
  OrthogonalView view{first.grid, 3};
  const auto draw = [&](std::int64_t panel, std::int64_t frame, std::string_view title) {
    view.draw(panel, slices_of.recorded(frame), slices_of("labels", frame), {title, overlaid, 0.6},
              context.pool);
  };
  draw(0, 0, "FIRST");
  draw(1, (frames - 1) / 2, "MIDDLE");
  draw(2, frames - 1, "LAST");
  write_picture(view, files);
}

}  // namespace synthoscope::simulator

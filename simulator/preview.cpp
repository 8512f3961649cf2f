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
  const auto slices_of = [&](std::string_view name) {
    return read_slices(*files.open_stack(name, 0), pitch, at, context.pool);
  };
  PhantomSource light{phantom};
  const Slices labels = slices_of("labels");
  OrthogonalView view{phantom.grid, 3};
  view.draw(0, read_slices(light, pitch, at, context.pool), labels, {"TRUTH", coloured_object},
            context.pool);
  view.draw(1, slices_of("photons"), labels, {"BLURRED", warm, 0.35}, context.pool);
  const Grid &fine = phantom.grid, &camera = files.camera_grid();
  const Index3 pixel{at.z, at.y * camera.extent.y / fine.extent.y,
                     at.x * camera.extent.x / fine.extent.x};
  view.draw(2, read_slices(*files.open_stack("image", 0), camera.pitch, pixel, context.pool),
            labels, {"RECORDED", grey, 0.6}, context.pool);
  view.scale_bar();
  const Canvas& canvas = view.canvas();
  imageio::write_png(files.path_of("preview.png"), canvas.width(), canvas.height(), canvas.pixels(),
                     false);
}

}  // namespace synthoscope::simulator

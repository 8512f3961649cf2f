// SPDX-License-Identifier: MIT
#include "simulator/pictures/projections.hpp"
#include <limits>
#include <utility>
#include <vector>
#include "fftconv/row_reading.hpp"

namespace synthoscope::simulator {
namespace {

constexpr float kUnseen = -std::numeric_limits<float>::infinity();

Slice empty_slice(const Samples& down, double down_um, const Samples& right, double right_um) {
  return {down.count, right.count, down.um(down_um), right.um(right_um),
          std::vector<float>(static_cast<std::size_t>(down.count * right.count), kUnseen)};
}

/// Returns how many planes are read at once: a few threads read as fast as memory and disk give.
std::int64_t lanes_of(const Extent3& volume, int threads) {
  constexpr std::int64_t kMost = 4;
  return std::min({kMost, std::int64_t{threads}, volume.z});
}

}  // namespace

Projection::Projection(const Grid& grid)
    : z_{grid.extent.z},
      y_{grid.extent.y},
      x_{grid.extent.x},
      slices_{empty_slice(y_, grid.pitch.y_um, x_, grid.pitch.x_um),
              empty_slice(z_, grid.pitch.z_um, x_, grid.pitch.x_um),
              empty_slice(y_, grid.pitch.y_um, z_, grid.pitch.z_um)} {}

void Projection::add(const Projection& other) {
  for (const auto face : {&Slices::yx, &Slices::zx, &Slices::yz}) {
    std::vector<float>& values = (slices_.*face).values;
    const std::vector<float>& others = (other.slices_.*face).values;
    for (std::size_t i = 0; i < values.size(); ++i) raise(values[i], others[i]);
  }
}

Slices Projection::slices() && {
  for (Slice* const slice : {&slices_.yx, &slices_.zx, &slices_.yz})
    std::replace(slice->values.begin(), slice->values.end(), kUnseen, 0.0F);
  return std::move(slices_);
}

std::int64_t projecting_bytes(const Extent3& volume, int threads) {
  const std::int64_t plane = volume.y * volume.x * std::int64_t{sizeof(double)};  // largest type
  const std::int64_t row = volume.x * std::int64_t{sizeof(double)};
  const std::int64_t window = std::max(row, std::min(fftconv::kWindowBytes, plane));
  return lanes_of(volume, threads) * (slices_bytes(volume) + window);
}

Slices read_projections(Source& source, const VoxelSize& pitch, const RunContext& context) {
  const Extent3 extent = source.extent();
  const auto counted =
      context.memory.reserve(projecting_bytes(extent, context.pool.threads()), "projections");
  // Each lane takes every n-th plane
  const std::int64_t lanes = lanes_of(extent, context.pool.threads());
  std::vector<Projection> of_lane(static_cast<std::size_t>(lanes), Projection{Grid{extent, pitch}});
  context.pool.for_each(lanes, [&](std::int64_t lane) {
    Projection& most = of_lane[static_cast<std::size_t>(lane)];
    for (std::int64_t z = lane; z < extent.z; z += lanes)
      fftconv::for_each_row(
          source, {{z, 0, 0}, {1, extent.y, extent.x}}, context.stop,
          [&](std::int64_t, std::int64_t y, const auto* row) { most.add(z, y, row); });
  });
  for (std::size_t i = 1; i < of_lane.size(); ++i) of_lane.front().add(of_lane[i]);
  return std::move(of_lane.front()).slices();
}

}  // namespace synthoscope::simulator

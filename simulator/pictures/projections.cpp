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

Index3 bright_point(const Slices& maxima, const Extent3& volume) {
  const Slice &yx = maxima.yx, &zx = maxima.zx;
  const double low = quantile_of(maxima, 0.01);
  const auto brightest = std::max_element(yx.values.begin(), yx.values.end());
  const std::int64_t at = brightest - yx.values.begin();
  const std::int64_t y = at / yx.columns, x = at % yx.columns;
  const auto is_bright = [&](float value) { return value - low >= 0.5 * (*brightest - low); };

  // Seen from a side, a plane is a row of yx or zx, or a column of yx
  const auto row_is_bright = [&](const Slice& slice, std::int64_t row) {
    const auto first = slice.values.begin() + row * slice.columns;
    return std::any_of(first, first + slice.columns, is_bright);
  };
  const auto column_is_bright = [&](const Slice& slice, std::int64_t column) {
    for (std::int64_t row = 0; row < slice.rows; ++row)
      if (is_bright(slice.values[static_cast<std::size_t>(row * slice.columns + column)]))
        return true;
    return false;
  };
  std::int64_t z = 0;
  for (std::int64_t row = 1; row < zx.rows; ++row)
    if (zx.values[static_cast<std::size_t>(row * zx.columns + x)] >
        zx.values[static_cast<std::size_t>(z * zx.columns + x)])
      z = row;
  const auto chosen = [](std::int64_t size, std::int64_t sample, auto&& middle_is_bright) {
    const Samples axis{size};
    return middle_is_bright(size / 2 / axis.step) ? size / 2 : axis.at(sample);
  };
  return {chosen(volume.z, z, [&](std::int64_t i) { return row_is_bright(zx, i); }),
          chosen(volume.y, y, [&](std::int64_t i) { return row_is_bright(yx, i); }),
          chosen(volume.x, x, [&](std::int64_t i) { return column_is_bright(yx, i); })};
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

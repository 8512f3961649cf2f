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

Slices read_projections(Source& source, const VoxelSize& pitch, const RunContext& context) {
  const Extent3 extent = source.extent();
  const int threads = context.pool.threads();
  const auto counted = context.memory.reserve(
      threads * (slices_bytes(extent) + fftconv::kWindowBytes), "projections");
  std::vector<Projection> of_thread(static_cast<std::size_t>(threads),
                                    Projection{Grid{extent, pitch}});
  context.pool.for_each(extent.z, [&](std::int64_t z) {
    Projection& most = of_thread[static_cast<std::size_t>(TaskPool::slot())];
    fftconv::for_each_row(
        source, {{z, 0, 0}, {1, extent.y, extent.x}}, context.stop,
        [&](std::int64_t, std::int64_t y, const auto* row) { most.add(z, y, row); });
  });
  for (std::size_t i = 1; i < of_thread.size(); ++i) of_thread.front().add(of_thread[i]);
  return std::move(of_thread.front()).slices();
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>
#include "core/run/stop.hpp"
#include "kernels/correlate/correlation.hpp"

namespace synthoscope::kernels {
namespace {

/// Returns the index of the held voxel for each position of a part of an axis.
std::vector<std::int64_t> held_indices(Boundary boundary, std::int64_t first, std::int64_t count,
                                       std::int64_t n, std::int64_t origin, std::int64_t size) {
  std::vector<std::int64_t> indices;
  for (std::int64_t i = first; i < first + count; ++i)
    indices.push_back(held_index(boundary, i, n, origin, size));
  return indices;
}

/// Returns the sum over k of weights[k] at(k), in double, in the order of the weights: z, y, x.
/// @param at  returns the voxel under weight (z, y, x), zero outside the image if the boundary
///            requires it.
template <class At>
double correlated(const At& at, const double* weights, std::int64_t planes, std::int64_t rows,
                  std::int64_t columns) {
  double sum = 0;
  for (std::int64_t z = 0; z < planes; ++z)
    for (std::int64_t y = 0; y < rows; ++y)
      for (std::int64_t x = 0; x < columns; ++x) sum += *weights++ * at(z, y, x);
  return sum;
}

class PlainCorrelation final : public TiledOperation {
 public:
  PlainCorrelation(const NeighbourhoodSetting& setting, Stencil stencil)
      : TiledOperation{setting, {stencil.extent, stencil.centre}}, stencil_{std::move(stencil)} {}
  [[nodiscard]] std::string_view stage() const override { return "filter"; }

 private:
  [[nodiscard]] Extent3 tile_of(const Extent3& box) const override {
    return {1, std::min<std::int64_t>(box.y, 16), box.x};
  }
  [[nodiscard]] std::int64_t scratch_floats(const Extent3& tile) const override {
    return 2 * tile.x;  // a row of doubles
  }
  void make_tile(const Window& in, const Box3& tile, float* scratch,
                 ResultRows& rows) const override;

  Stencil stencil_;
};

void PlainCorrelation::make_tile(const Window& in, const Box3& tile, float* scratch,
                                 ResultRows& rows) const {
  const Box3 around = this->around(tile);
  const auto indices = [&](std::int64_t Index3::*at, std::int64_t Extent3::*size) {
    return held_indices(setting().boundary, around.origin.*at, around.size.*size, in.image.*size,
                        in.box.origin.*at, in.box.size.*size);
  };
  const auto planes = indices(&Index3::z, &Extent3::z), lines = indices(&Index3::y, &Extent3::y),
             columns = indices(&Index3::x, &Extent3::x);
  const Extent3& e = stencil_.extent;
  auto* const row = reinterpret_cast<double*>(scratch);
  const std::int64_t at_once =
      std::max<std::int64_t>(StopMeter::kUnits / std::ssize(stencil_.weights), 1);
  visit_pixel_type(in.voxels.type(), [&](auto zero) {
    using T = decltype(zero);
    const HostView3<const T> voxels = in.voxels.as<T>();
    for (std::int64_t z = 0; z < tile.size.z; ++z)
      for (std::int64_t y = 0; y < tile.size.y; ++y) {
        for (std::int64_t first = 0; first < tile.size.x; first += at_once) {
          stop_point();
          const std::int64_t last = std::min(first + at_once, tile.size.x);
          for (std::int64_t x = first; x < last; ++x) {
            const auto at = [&](std::int64_t kz, std::int64_t ky, std::int64_t kx) {
              const std::int64_t iz = planes[static_cast<std::size_t>(z + kz)];
              const std::int64_t iy = lines[static_cast<std::size_t>(y + ky)];
              const std::int64_t ix = columns[static_cast<std::size_t>(x + kx)];
              const bool is_outside = iz == kOutside || iy == kOutside || ix == kOutside;
              return is_outside ? 0.0 : static_cast<double>(voxels(iz, iy, ix));
            };
            row[x] = correlated(at, stencil_.weights.data(), e.z, e.y, e.x);
          }
        }
        rows.store(z, y, row);
      }
  });
}

}  // namespace

std::unique_ptr<TiledOperation> make_plain_correlation(const NeighbourhoodSetting& setting,
                                                       Stencil stencil) {
  require_usable(stencil);
  return std::make_unique<PlainCorrelation>(setting, std::move(stencil));
}

}  // namespace synthoscope::kernels

// SPDX-License-Identifier: MIT
#include "core/stream/finite_source.hpp"
#include <cmath>
#include <vector>

namespace synthoscope {

std::int64_t count_non_finite(Source& source) {
  if (!is_floating(source.pixel_type())) return 0;
  return visit_pixel_type(source.pixel_type(), [&](auto zero) {
    using T = decltype(zero);
    const Extent3 extent = source.extent();
    std::vector<T> voxels(static_cast<std::size_t>(extent.y * extent.x));
    std::int64_t count = 0;
    for (std::int64_t z = 0; z < extent.z; ++z) {
      source.read(plane(extent, z), HostView3<T>{voxels.data(), {1, extent.y, extent.x}});
      for (const T v : voxels) count += std::isfinite(static_cast<double>(v)) ? 0 : 1;
    }
    return count;
  });
}

template <class T>
void FiniteSource::apply_rule(const Box3& box, HostView3<T> voxels) {
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (std::int64_t x = 0; x < box.size.x; ++x) {
        T& v = voxels(z, y, x);
        if (std::isfinite(v)) continue;
        met_any_ = true;
        if (rule_ == NonFinite::zero) {
          v = 0;
          continue;
        }
        const Index3 first{box.origin.z + z, box.origin.y + y, box.origin.x + x};
        throw InvalidInput(fmt::format(
            "read {}: {} of {} voxels are NaN or infinite, one of them at {}; repair the image, or "
            "choose --nan zero or --nan propagate",
            name_, count_non_finite(source_), volume(extent()), first));
      }
}

void FiniteSource::read(const Box3& box, VoxelView out) {
  source_.read(box, out);
  if (rule_ == NonFinite::propagate) return;
  if (out.type() == PixelType::float32) apply_rule(box, out.as<float>());
  if (out.type() == PixelType::float64) apply_rule(box, out.as<double>());
}

}  // namespace synthoscope

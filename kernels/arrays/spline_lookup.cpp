// SPDX-License-Identifier: MIT
#include "kernels/arrays/spline_lookup.hpp"
#include <algorithm>
#include <array>
#include "core/base/round_up.hpp"
#include "kernels/arrays/looked_up.hpp"
#include "kernels/splines/axis.hpp"

namespace synthoscope::kernels {
namespace {

// Voxels of a row that are looked up at once, and voxels of a task
constexpr std::int64_t kChunk = 256, kTaskVoxels = 4096;

/// Elements along an axis that count for one coordinate.
template <int kOrder>
struct CountedElements {
  static constexpr int kTaps = kOrder + 1;
  int count = 1;
  std::int64_t offsets[kTaps] = {};
  double weights[kTaps] = {1};

  SYNTHOSCOPE_INLINE bool find(const LookupAxis& axis, double c) {
    count = kTaps;
    return axis.find<kOrder>(c, offsets, weights);
  }
  SYNTHOSCOPE_INLINE void keep(const LookupAxis& axis, std::int64_t i) {
    offsets[0] = i * axis.stride;
  }
};

/// Adds a product for each element in scipy's order: weights such as 0.3 and whole numbers give
/// halves that must be rounded as scipy rounds them.
template <class T, int kOrder>
SYNTHOSCOPE_INLINE inline double sum_of_few(const T* voxels, const CountedElements<kOrder>& in_z,
                                            const CountedElements<kOrder>& in_y,
                                            const CountedElements<kOrder>& in_x, double fill) {
  double sum = 0;
  for (int i = 0; i < in_z.count; ++i)
    for (int j = 0; j < in_y.count; ++j)
      for (int k = 0; k < in_x.count; ++k) {
        const std::int64_t z = in_z.offsets[i], y = in_y.offsets[j], x = in_x.offsets[k];
        const double value = (z | y | x) >= 0 ? static_cast<double>(voxels[z + y + x]) : fill;
        sum += value * in_z.weights[i] * in_y.weights[j] * in_x.weights[k];
      }
  return sum;
}

/// Sums row by row and plane by plane, which needs fewer products.
template <class T, int kOrder>
SYNTHOSCOPE_INLINE inline double sum_of(const T* voxels, const CountedElements<kOrder>& in_z,
                                        const CountedElements<kOrder>& in_y,
                                        const CountedElements<kOrder>& in_x, double fill) {
  double sum = 0;
  for (int i = 0; i < in_z.count; ++i) {
    double of_plane = 0;
    for (int j = 0; j < in_y.count; ++j) {
      double of_row = 0;
      for (int k = 0; k < in_x.count; ++k) {
        const std::int64_t z = in_z.offsets[i], y = in_y.offsets[j], x = in_x.offsets[k];
        const bool is_held = (z | y | x) >= 0;
        of_row += in_x.weights[k] * (is_held ? static_cast<double>(voxels[z + y + x]) : fill);
      }
      of_plane += in_y.weights[j] * of_row;
    }
    sum += in_z.weights[i] * of_plane;
  }
  return sum;
}

/// Computes `count` results from `first` on along x, voxel by voxel.
template <class T, int kOrder>
void look_up_row(const SplineLookup& how, const LookedUp& looked, const CoordinateRow& at,
                 const Index3& first, std::int64_t count, double* results) {
  const T* const voxels = looked.voxels().as<T>().data();
  const LookupAxis along_z = looked.z(), along_y = looked.y(), along_x = looked.x();
  vectorised(how.level, [=, &how, &at, &first]() SYNTHOSCOPE_INLINE {
    const LookupAxis axis_z = along_z, axis_y = along_y, axis_x = along_x;
    const bool keeps_z = how.kept.z, keeps_y = how.kept.y, keeps_x = how.kept.x;
    const double fill = how.fill;
    CountedElements<kOrder> in_z, in_y, in_x;
    if (keeps_z) in_z.keep(axis_z, first.z);
    if (keeps_y) in_y.keep(axis_y, first.y);
    for (std::int64_t i = 0; i < count; ++i) {
      if (keeps_x) in_x.keep(axis_x, first.x + i);
      const bool is_inside = (keeps_z || in_z.find(axis_z, at.z[i])) &&
                             (keeps_y || in_y.find(axis_y, at.y[i])) &&
                             (keeps_x || in_x.find(axis_x, at.x[i]));
      if (!is_inside)
        results[i] = fill;
      else if constexpr (kOrder <= 1)
        results[i] = sum_of_few(voxels, in_z, in_y, in_x, fill);
      else
        results[i] = sum_of(voxels, in_z, in_y, in_x, fill);
    }
  });
}

/// Calls `body` with the type of the voxels and the order; from order 2 on, voxels are doubles.
template <class Body>
void visit_voxels_and_order(const LookedUp& looked, int order, const Body& body) {
  if (order >= 2)
    return visit_order(order, [&](auto is) {
      if constexpr (decltype(is)::value >= 2) body(double{}, is);
    });
  visit_pixel_type(looked.voxels().type(), [&](auto zero) {
    if (order == 0) return body(zero, OrderIs<0>{});
    body(zero, OrderIs<1>{});
  });
}

}  // namespace

void look_up(const SplineLookup& how, const ConstVoxelView& image, const CoordinateMap& at,
             const VoxelView& to, const RunContext& context) {
  require_look_up(how, image.extent(), to.extent());
  const LookedUp looked{how, image, context};
  const Extent3 e = to.extent();
  const std::int64_t chunks = parts_of(e.x, kChunk);
  const std::int64_t together = std::max<std::int64_t>(1, kTaskVoxels / std::min(e.x, kChunk));
  context.pool.for_ranges(e.z * e.y * chunks, together, [&](std::int64_t i, std::int64_t end) {
    context.stop.check();
    std::array<double, kChunk> z, y, x, results;
    const CoordinateRow row{z.data(), y.data(), x.data()};
    for (; i < end; ++i) {
      const Index3 first{i / chunks / e.y, i / chunks % e.y, i % chunks * kChunk};
      const std::int64_t count = std::min(kChunk, e.x - first.x);
      at.row(first.z, first.y, first.x, count, row);
      visit_voxels_and_order(looked, how.order, [&](auto zero, auto order) {
        look_up_row<decltype(zero), decltype(order)::value>(how, looked, row, first, count,
                                                            results.data());
      });
      store_looked_up(how, results.data(), first, count, to);
    }
  });
}

}  // namespace synthoscope::kernels

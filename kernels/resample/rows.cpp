// SPDX-License-Identifier: MIT
#include "kernels/resample/rows.hpp"
#include <array>
#include <bit>
#include <utility>
#include "core/base/names.hpp"
#include "kernels/body/interpolated_voxel.hpp"
#include "kernels/lanes/lanes.hpp"
#include "kernels/resample/tap_sums.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<Interpolation, 4> kInterpolationNames{{{Interpolation::nearest, "nearest"},
                                                           {Interpolation::linear, "linear"},
                                                           {Interpolation::cubic, "cubic"},
                                                           {Interpolation::lanczos, "lanczos"}}};

/// Two voxels, neighbours along x, for each of kLanes places.
template <int kLanes>
struct LanePairs {
  typename Lanes<kLanes>::Vector first, second;
  friend SYNTHOSCOPE_INLINE LanePairs operator*(const typename Lanes<kLanes>::Vector& w,
                                                const LanePairs& v) {
    return {w * v.first, w * v.second};
  }
  friend SYNTHOSCOPE_INLINE LanePairs operator+(const LanePairs& u, const LanePairs& v) {
    return {u.first + v.first, u.second + v.second};
  }
};

/// Loads pairs of floats in the order of memory, from the places first, first + 1, first + 4, ...
template <int kLanes, int... i>
SYNTHOSCOPE_INLINE inline auto bring_pairs(const float* from, const std::int32_t* at, int first,
                                           std::integer_sequence<int, i...>) {
  typedef double Both __attribute__((vector_size(4 * kLanes)));
  const auto pair = [=](int place) SYNTHOSCOPE_INLINE {
    double both;
    std::memcpy(&both, from + at[place], sizeof both);
    return both;
  };
  return std::bit_cast<typename Lanes<kLanes>::Vector>(Both{pair(first + i / 2 * 4 + i % 2)...});
}

/// Returns float number `kWhich` of the pairs 0 1 | 4 5 | ... and 2 3 | 6 7 | ..., in order.
template <int kWhich, class Vector, int... i>
SYNTHOSCOPE_INLINE inline Vector take_of_pairs(Vector a, Vector b,
                                               std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(
      a, b, (i / 4 * 4 + i % 2 * 2 + kWhich + (i % 4 < 2 ? 0 : int{sizeof...(i)}))...);
}

/// Returns the pairs that begin at each of kLanes places. No shuffle crosses parts of a register.
template <int kLanes>
SYNTHOSCOPE_INLINE inline LanePairs<kLanes> pairs_at(const float* from, const std::int32_t* at) {
  constexpr std::make_integer_sequence<int, kLanes / 2> half{};
  constexpr std::make_integer_sequence<int, kLanes> all{};
  const auto a = bring_pairs<kLanes>(from, at, 0, half), b = bring_pairs<kLanes>(from, at, 2, half);
  return {take_of_pairs<0>(a, b, all), take_of_pairs<1>(a, b, all)};
}

/// Returns sum_k w_k v_k along an axis for kLanes voxels from `i` on.
template <int kLanes, class Taps, int Count, class Values>
SYNTHOSCOPE_INLINE inline auto weighted_lanes(const TapWeights<Taps, Count>& weights, int i,
                                              const Values& v) {
  if constexpr (Count == 1) {
    return v(0);
  } else {
    auto sum = lanes_at<kLanes>(weights.w[0] + i) * v(0);
    for (int k = 1; k < Count; ++k) sum = sum + lanes_at<kLanes>(weights.w[k] + i) * v(k);
    return sum;
  }
}

template <int kLanes, class Taps, int InZ, int InY>
SYNTHOSCOPE_INLINE inline void interpolate(const CoordinateRow& at, int count,
                                           const FloatVoxels& voxels, float* out) {
  constexpr int kTaps = Taps::kTaps;
  TapWeights<Taps, InZ> in_z;
  TapWeights<Taps, InY> in_y;
  TapWeights<Taps, kTaps> in_x;
  std::int32_t z[kResampleRow], y[kResampleRow], x[kResampleRow];
  weigh_axis<kLanes>(at.z, count, voxels.origin.z, z, in_z);
  weigh_axis<kLanes>(at.y, count, voxels.origin.y, y, in_y);
  weigh_axis<kLanes>(at.x, count, voxels.origin.x, x, in_x);
  const auto plane = static_cast<std::int32_t>(voxels.plane);
  const auto pitch = static_cast<std::int32_t>(voxels.pitch);
  for (int i = 0; i < count; ++i) x[i] = z[i] * plane + (y[i] * pitch + x[i]);

  if constexpr (kTaps == 2) {
    // Two taps do not fill a vector: as many voxels as there are lanes are made at once
    for (int i = count; i % kLanes != 0; ++i) {
      x[i] = x[0];
      clear(in_z, i), clear(in_y, i), clear(in_x, i);
    }
    for (int i = 0; i < count; i += kLanes) {
      const auto pairs = weighted_lanes<kLanes>(in_y, i, [&](int j) SYNTHOSCOPE_INLINE {
        return weighted_lanes<kLanes>(in_z, i, [&](int k) SYNTHOSCOPE_INLINE {
          return pairs_at<kLanes>(voxels.data + (k * plane + j * pitch), x + i);
        });
      });
      const auto sum = lanes_at<kLanes>(in_x.w[0] + i) * pairs.first +
                       lanes_at<kLanes>(in_x.w[1] + i) * pairs.second;
      std::memcpy(out + i, &sum, sizeof sum);
    }
  } else {
    alignas(32) float values[kResampleRow * kTaps];
    using Values = typename InX<Taps>::Values;
    for (int i = 0; i < count; ++i) {
      const float* const first = voxels.data + x[i];
      const Values sum = weighted_sum(in_y, i, [&](int j) SYNTHOSCOPE_INLINE {
        return weighted_sum(in_z, i, [&](int k) SYNTHOSCOPE_INLINE {
          return load_as<Values>(first + (k * plane + j * pitch));
        });
      });
      std::memcpy(values + i * kTaps, &sum, sizeof(float) * kTaps);
    }
    sum_in_x(in_x, count, values, out);
  }
}

template <class Taps, int InZ, int InY>
void interpolate_at(VectorLevel level, const CoordinateRow& at, int count,
                    const FloatVoxels& voxels, float* out) {
  with_lanes(level, [&](auto lanes) SYNTHOSCOPE_INLINE {
    interpolate<decltype(lanes)::value, Taps, InZ, InY>(at, count, voxels, out);
  });
}

}  // namespace

std::string_view name_of(Interpolation interpolation) {
  return name_in(kInterpolationNames, interpolation);
}

std::optional<Interpolation> interpolation_named(std::string_view name) {
  return named_in(kInterpolationNames, name);
}

TapRange taps_of(Interpolation interpolation, bool is_whole_axis) {
  TapRange taps;
  if (interpolation != Interpolation::nearest && !is_whole_axis)
    visit_taps(interpolation, [&](auto kind) { taps = {kind.kFirst, kind.kTaps}; });
  return taps;
}

void interpolate_row(Interpolation how, const WholeAxes& whole, VectorLevel level,
                     const CoordinateRow& at, int count, const FloatVoxels& voxels, float* out) {
  visit_taps(how, [&](auto kind) {
    using Taps = decltype(kind);
    constexpr int kTaps = Taps::kTaps;
    if (whole.z && whole.y)
      interpolate_at<Taps, 1, 1>(level, at, count, voxels, out);
    else if (whole.z)
      interpolate_at<Taps, 1, kTaps>(level, at, count, voxels, out);
    else if (whole.y)
      interpolate_at<Taps, kTaps, 1>(level, at, count, voxels, out);
    else
      interpolate_at<Taps, kTaps, kTaps>(level, at, count, voxels, out);
  });
}

void interpolate_sparse_row(Interpolation how, const WholeAxes& whole, const CoordinateRow& at,
                            int count, const Window& window, Boundary boundary, const Index3& shift,
                            float fill, float* out) {
  const Extent3& image = window.image;
  const Box3& box = window.box;
  visit_taps(how, [&](auto kind) {
    using Taps = decltype(kind);
    visit_pixel_type(window.voxels.type(), [&](auto zero) {
      const auto held = window.voxels.as<decltype(zero)>();
      for (int i = 0; i < count; ++i) {
        const auto z = counted_taps<Taps>(whole.z, at.z[i], shift.z, boundary, image.z,
                                          box.origin.z, box.size.z);
        const auto y = counted_taps<Taps>(whole.y, at.y[i], shift.y, boundary, image.y,
                                          box.origin.y, box.size.y);
        const auto x = counted_taps<Taps>(false, at.x[i], shift.x, boundary, image.x, box.origin.x,
                                          box.size.x);
        out[i] = interpolated(z, y, x, fill, [&](std::int64_t k, std::int64_t j, std::int64_t l) {
          return static_cast<float>(held(k, j, l));
        });
      }
    });
  });
}

}  // namespace synthoscope::kernels

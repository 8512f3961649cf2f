// SPDX-License-Identifier: MIT
#include "kernels/resample_rows.hpp"
#include <array>
#include "core/names.hpp"
#include "kernels/tap_sums.hpp"

namespace synthoscope::kernels {
namespace {

constexpr NameTable<Interpolation, 4> kInterpolationNames{{{Interpolation::nearest, "nearest"},
                                                           {Interpolation::linear, "linear"},
                                                           {Interpolation::cubic, "cubic"},
                                                           {Interpolation::lanczos, "lanczos"}}};

template <class Taps, int InZ, int InY>
SYNTHOSCOPE_INLINE inline void interpolate(const CoordinateRow& at, int count,
                                           const FloatVoxels& voxels, float* out) {
  constexpr int kTaps = Taps::kTaps;
  TapWeights<Taps, InZ> in_z;
  TapWeights<Taps, InY> in_y;
  TapWeights<Taps, kTaps> in_x;
  std::int32_t z[kResampleRow], y[kResampleRow], x[kResampleRow];
  weigh_axis(at.z, count, voxels.origin.z, z, in_z);
  weigh_axis(at.y, count, voxels.origin.y, y, in_y);
  weigh_axis(at.x, count, voxels.origin.x, x, in_x);
  const auto plane = static_cast<std::int32_t>(voxels.plane);
  const auto pitch = static_cast<std::int32_t>(voxels.pitch);
  for (int i = 0; i < count; ++i) x[i] = z[i] * plane + (y[i] * pitch + x[i]);

  alignas(32) float values[kResampleRow * kTaps];
  if constexpr (kTaps == 2) {
    // Two are too few to add up by themselves: all are brought together first
    alignas(32) float pairs[InZ][InY][2 * kResampleRow];
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < InZ; ++k)
        for (int j = 0; j < InY; ++j)
          std::memcpy(pairs[k][j] + 2 * i, voxels.data + (x[i] + k * plane + j * pitch),
                      2 * sizeof(float));
    for (int i = 0; i < count; ++i)
      for (int l = 0; l < 2; ++l)
        values[2 * i + l] = weighted(in_y, i, [&](int j) SYNTHOSCOPE_INLINE {
          return weighted(in_z, i,
                          [&](int k) SYNTHOSCOPE_INLINE { return pairs[k][j][2 * i + l]; });
        });
  } else {
    using Values = typename InX<Taps>::Values;
    for (int i = 0; i < count; ++i) {
      const float* const first = voxels.data + x[i];
      const Values sum = weighted(in_y, i, [&](int j) SYNTHOSCOPE_INLINE {
        return weighted(in_z, i, [&](int k) SYNTHOSCOPE_INLINE {
          return load_as<Values>(first + (k * plane + j * pitch));
        });
      });
      std::memcpy(values + i * kTaps, &sum, sizeof(float) * kTaps);
    }
  }
  sum_in_x(in_x, count, values, out);
}

template <class Taps, int InZ, int InY>
void interpolate_at(VectorLevel level, const CoordinateRow& at, int count,
                    const FloatVoxels& voxels, float* out) {
  vectorised(level,
             [&]() SYNTHOSCOPE_INLINE { interpolate<Taps, InZ, InY>(at, count, voxels, out); });
}

/// For each tap of each coordinate of an axis the position in what is held, and the weights.
struct SparseAxis {
  int count;
  std::int64_t at[6][kResampleRow];
  float w[6][kResampleRow];

  template <class Taps>
  SparseAxis(const Taps&, bool is_whole, const double* c, int voxels, Boundary boundary,
             std::int64_t shift, std::int64_t n, std::int64_t origin, std::int64_t size)
      : count{is_whole ? 1 : Taps::kTaps} {
    for (int i = 0; i < voxels; ++i) {
      const double below = whole_below(c[i]);
      float weights[6] = {1.0F};
      if (!is_whole) Taps::weigh(static_cast<float>(c[i] - below), weights);
      const auto first = static_cast<std::int64_t>(below) + shift + (is_whole ? 0 : Taps::kFirst);
      for (int k = 0; k < count; ++k) {
        at[k][i] = held_index(boundary, first + k, n, origin, size);
        w[k][i] = weights[k];
      }
    }
  }
};

template <class Taps, class T>
void interpolate_sparse(const SparseAxis& in_z, const SparseAxis& in_y, const SparseAxis& in_x,
                        int count, HostView3<const T> voxels, float fill, float* out) {
  for (int i = 0; i < count; ++i) {
    float p[Taps::kTaps];
    for (int k = 0; k < Taps::kTaps; ++k) {
      float in_plane = 0;
      for (int j = 0; j < in_y.count; ++j) {
        float in_column = 0;
        for (int l = 0; l < in_z.count; ++l) {
          const std::int64_t z = in_z.at[l][i], y = in_y.at[j][i], x = in_x.at[k][i];
          const bool is_outside = z == kOutside || y == kOutside || x == kOutside;
          const float value = is_outside ? fill : static_cast<float>(voxels(z, y, x));
          const float counted = in_z.count == 1 ? value : in_z.w[l][i] * value;
          in_column = l == 0 ? counted : in_column + counted;
        }
        const float counted = in_y.count == 1 ? in_column : in_y.w[j][i] * in_column;
        in_plane = j == 0 ? counted : in_plane + counted;
      }
      p[k] = in_x.w[k][i] * in_plane;
    }
    out[i] = Taps::sum(p);
  }
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
  visit_taps(how, [&](auto kind) {
    const auto& [image, box, voxels] = window;
    const SparseAxis z{kind,    whole.z, at.z,         count,     boundary,
                       shift.z, image.z, box.origin.z, box.size.z};
    const SparseAxis y{kind,    whole.y, at.y,         count,     boundary,
                       shift.y, image.y, box.origin.y, box.size.y};
    const SparseAxis x{kind,    false,   at.x,         count,     boundary,
                       shift.x, image.x, box.origin.x, box.size.x};
    visit_pixel_type(voxels.type(), [&](auto zero) {
      interpolate_sparse<decltype(kind)>(z, y, x, count, window.voxels.as<decltype(zero)>(), fill,
                                         out);
    });
  });
}

}  // namespace synthoscope::kernels

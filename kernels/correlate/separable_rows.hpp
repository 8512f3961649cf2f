// SPDX-License-Identifier: MIT
// kernels/correlate/separable_rows.hpp — the inner loops of separable correlation: passes over rows
// of floats in cache, along them and across them.
#pragma once
#include "kernels/correlate/axis_weights.hpp"
#include "kernels/lanes/lanes.hpp"

namespace synthoscope::kernels {

/// Whether a pass sets its results or adds to them.
enum class Give { set, add };

template <int kLanes>
SYNTHOSCOPE_INLINE inline void give_lanes(Give give, typename Lanes<kLanes>::Vector value,
                                          float* at) {
  auto& there = *reinterpret_cast<typename Lanes<kLanes>::Unaligned*>(at);
  there = give == Give::add ? there + value : value;
}

/// sums[v] += the products of weights [first, end) along a row; `in` is the voxel under the first
/// weight.
template <int kLanes, int kVectors>
SYNTHOSCOPE_INLINE inline void add_along(const AxisWeights& weights, std::int64_t first,
                                         std::int64_t end, const float* in,
                                         typename Lanes<kLanes>::Vector (&sums)[kVectors]) {
  const float* const w = weights.values.data();
  const std::int64_t last = weights.size() - 1;
  if (weights.form == AxisForm::all) {
    for (std::int64_t k = first; k < end; ++k)
      for (int v = 0; v < kVectors; ++v) sums[v] += w[k] * lanes_at<kLanes>(in + k + v * kLanes);
  } else if (weights.form == AxisForm::symmetric) {
    for (std::int64_t k = first; k < end; ++k)
      for (int v = 0; v < kVectors; ++v)
        sums[v] += w[k] * (lanes_at<kLanes>(in + k + v * kLanes) +
                           lanes_at<kLanes>(in + last - k + v * kLanes));
  } else {
    for (std::int64_t k = first; k < end; ++k)
      for (int v = 0; v < kVectors; ++v)
        sums[v] += w[k] * (lanes_at<kLanes>(in + k + v * kLanes) -
                           lanes_at<kLanes>(in + last - k + v * kLanes));
  }
}

/// Sets total[v] to the sum of all products along a row, part by part.
template <int kLanes, int kVectors>
SYNTHOSCOPE_INLINE inline void sum_along(const AxisWeights& weights, const float* in,
                                         typename Lanes<kLanes>::Vector (&total)[kVectors]) {
  using Vector = typename Lanes<kLanes>::Vector;
  const std::int64_t* const cuts = weights.cuts.data();
  for (int v = 0; v < kVectors; ++v) total[v] = Vector{};
  add_along<kLanes>(weights, cuts[0], cuts[1], in, total);
  for (std::size_t part = 1; part + 1 < weights.cuts.size(); ++part) {
    Vector sums[kVectors] = {};
    add_along<kLanes>(weights, cuts[part], cuts[part + 1], in, sums);
    for (int v = 0; v < kVectors; ++v) total[v] += sums[v];
  }
  const std::int64_t middle = weights.size() / 2;
  if (weights.form == AxisForm::symmetric && weights.size() % 2 == 1)
    for (int v = 0; v < kVectors; ++v)
      total[v] += weights.values.data()[middle] * lanes_at<kLanes>(in + middle + v * kLanes);
}

/// Replaces a pass along a row if there is none.
template <int kLanes>
SYNTHOSCOPE_INLINE inline void pass_nowhere(Give give, const float* in, std::int64_t width,
                                            float* out) {
  for (std::int64_t x = 0; x < width; x += kLanes)
    give_lanes<kLanes>(give, lanes_at<kLanes>(in + x), out + x);
}

/// Makes a pass along a row by products: `width` results, rounded up to four vectors.
template <int kLanes>
SYNTHOSCOPE_INLINE inline void pass_along(const AxisWeights& weights, Give give, const float* in,
                                          std::int64_t width, float* out) {
  constexpr int kVectors = 4;
  for (std::int64_t x = 0; x < width; x += kVectors * kLanes) {
    typename Lanes<kLanes>::Vector total[kVectors];
    sum_along<kLanes>(weights, in + x, total);
    for (int v = 0; v < kVectors; ++v) give_lanes<kLanes>(give, total[v], out + x + v * kLanes);
  }
}

/// sums[r] += weight[-r] times `row`, kFirst <= r < kLast: weight[0] is the weight for result row
/// 0.
template <int kLanes, int kFirst, int kLast, int kRows, int kVectors>
SYNTHOSCOPE_INLINE inline void add_row(const float* row, const float* weight,
                                       typename Lanes<kLanes>::Vector (&sums)[kRows][kVectors]) {
  typename Lanes<kLanes>::Vector here[kVectors];
  for (int v = 0; v < kVectors; ++v) here[v] = lanes_at<kLanes>(row + v * kLanes);
  for (int r = kFirst; r < kLast; ++r)
    for (int v = 0; v < kVectors; ++v) sums[r][v] += *(weight - r) * here[v];
}

/// Makes a pass across rows: result row r is the sum of products of rows[r + k] with weight k.
/// Makes `width` results, rounded up to kVectors vectors, of each of kRows rows.
/// @param weights  in parts of at least kRows.
template <int kLanes, int kRows, int kVectors>
SYNTHOSCOPE_INLINE inline void pass_across(const AxisWeights& weights, Give give,
                                           const float* const* rows, std::int64_t width,
                                           float* const* out) {
  using Vector = typename Lanes<kLanes>::Vector;
  const float* const w = weights.values.data();
  for (std::int64_t x = 0; x < width; x += kVectors * kLanes) {
    const auto add_part = [&](std::int64_t first, std::int64_t end,
                              Vector(&sums)[kRows][kVectors]) SYNTHOSCOPE_INLINE {
      const auto add = [&]<int kFirst, int kLast>(std::int64_t k) SYNTHOSCOPE_INLINE {
        add_row<kLanes, kFirst, kLast>(rows[k] + x, w + k, sums);
      };
      static_assert(kRows <= 4);
      if constexpr (kRows > 1) add.template operator()<0, 1>(first);
      if constexpr (kRows > 2) add.template operator()<0, 2>(first + 1);
      if constexpr (kRows > 3) add.template operator()<0, 3>(first + 2);
      for (std::int64_t k = first + kRows - 1; k < end; ++k) add.template operator()<0, kRows>(k);
      if constexpr (kRows > 1) add.template operator()<1, kRows>(end);
      if constexpr (kRows > 2) add.template operator()<2, kRows>(end + 1);
      if constexpr (kRows > 3) add.template operator()<3, kRows>(end + 2);
    };
    Vector total[kRows][kVectors] = {};
    add_part(weights.cuts[0], weights.cuts[1], total);
    for (std::size_t part = 1; part + 1 < weights.cuts.size(); ++part) {
      Vector sums[kRows][kVectors] = {};
      add_part(weights.cuts[part], weights.cuts[part + 1], sums);
      for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < kVectors; ++v) total[r][v] += sums[r][v];
    }
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v)
        give_lanes<kLanes>(give, total[r][v], out[r] + x + v * kLanes);
  }
}

// A box is summed in two steps: sums of `length` voxels from each voxel on, then sums of `parts` of
// these sums and of the `rest`. No sum continues from voxel to voxel, so none depends on where a
// tile begins.

/// Makes a box along a row.
/// @param row   `width` + size - 1 voxels, and space for vectors beyond
/// @param sums  space for as many
template <int kLanes>
SYNTHOSCOPE_INLINE inline void box_along(const BoxParts& box, float scale, const float* row,
                                         std::int64_t width, float* sums, float* out) {
  using Vector = typename Lanes<kLanes>::Vector;
  constexpr int kVectors = 4;
  const auto add = [](const float* from, Vector(&sum)[kVectors]) SYNTHOSCOPE_INLINE {
    for (int v = 0; v < kVectors; ++v) sum[v] += lanes_at<kLanes>(from + v * kLanes);
  };
  if (box.length > 1)
    for (std::int64_t x = 0; x < width + (box.parts - 1) * box.length; x += kVectors * kLanes) {
      Vector sum[kVectors] = {};
      for (std::int64_t i = 0; i < box.length; ++i) add(row + x + i, sum);
      for (int v = 0; v < kVectors; ++v)
        give_lanes<kLanes>(Give::set, sum[v], sums + x + v * kLanes);
    }
  const float* const summed = box.length > 1 ? sums : row;
  for (std::int64_t x = 0; x < width; x += kVectors * kLanes) {
    Vector sum[kVectors] = {};
    for (std::int64_t i = 0; i < box.parts; ++i) add(summed + x + i * box.length, sum);
    for (std::int64_t i = 0; i < box.rest; ++i) add(row + x + box.parts * box.length + i, sum);
    for (int v = 0; v < kVectors; ++v)
      give_lanes<kLanes>(Give::set, scale * sum[v], out + x + v * kLanes);
  }
}

/// Columns that box_across sums at a time, in vectors and in floats.
inline constexpr int kBoxVectors = 2;
inline constexpr std::int64_t kBoxColumns = kBoxVectors * kMaxLanes;

/// Makes a box across rows `pitch` floats apart: `height` rows of `width` results, rounded up to
/// kBoxVectors vectors, which replace the first rows.
/// @param rows  height + size - 1 of them
/// @param sums  space for kBoxColumns floats of each
template <int kLanes>
SYNTHOSCOPE_INLINE inline void box_across(const BoxParts& box, float scale, float* rows,
                                          std::int64_t pitch, std::int64_t height,
                                          std::int64_t width, float* sums) {
  using Vector = typename Lanes<kLanes>::Vector;
  constexpr std::int64_t kColumns = kBoxVectors * kLanes;
  const auto add = [](const float* from, Vector(&sum)[kBoxVectors]) SYNTHOSCOPE_INLINE {
    for (int v = 0; v < kBoxVectors; ++v) sum[v] += lanes_at<kLanes>(from + v * kLanes);
  };
  for (std::int64_t x = 0; x < width; x += kColumns) {
    float* const from = rows + x;
    if (box.length > 1)
      for (std::int64_t y = 0; y < height + (box.parts - 1) * box.length; ++y) {
        Vector sum[kBoxVectors] = {};
        for (std::int64_t i = 0; i < box.length; ++i) add(from + (y + i) * pitch, sum);
        for (int v = 0; v < kBoxVectors; ++v)
          give_lanes<kLanes>(Give::set, sum[v], sums + y * kColumns + v * kLanes);
      }
    const float* const summed = box.length > 1 ? sums : from;
    const std::int64_t apart = box.length > 1 ? kColumns : pitch;
    for (std::int64_t y = 0; y < height; ++y) {
      Vector sum[kBoxVectors] = {};
      for (std::int64_t i = 0; i < box.parts; ++i) add(summed + (y + i * box.length) * apart, sum);
      for (std::int64_t i = 0; i < box.rest; ++i)
        add(from + (y + box.parts * box.length + i) * pitch, sum);
      for (int v = 0; v < kBoxVectors; ++v)
        give_lanes<kLanes>(Give::set, scale * sum[v], from + y * pitch + v * kLanes);
    }
  }
}

}  // namespace synthoscope::kernels

// SPDX-License-Identifier: MIT
#include "kernels/correlate/integer_box.hpp"
#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include "kernels/lanes/lanes.hpp"
#include "kernels/operation/copied_rows.hpp"

namespace synthoscope::kernels {
namespace {

constexpr std::int64_t kRowsAtOnce = 8;  // copied at a time
constexpr std::int64_t kLargestSum = std::numeric_limits<std::int32_t>::max();

/// Calls `body(T{})` for integers of at most 16 bits.
/// @returns whether the type is one of them.
template <class Body>
bool visit_small_integer(PixelType type, const Body& body) {
  return visit_pixel_type(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T> && sizeof(T) <= 2) {
      body(zero);
      return true;
    }
    return false;
  });
}

/// sums[x] += come[x] - gone[x]; nothing is subtracted if `gone` is null.
template <class T>
void slide(VectorLevel level, const T* come, const T* gone, std::int64_t count,
           std::int32_t* sums) {
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    const T* __restrict const in = come, * __restrict const out = gone;
    std::int32_t* __restrict const s = sums;
    const int n = static_cast<int>(count);
    if (out)
      for (int x = 0; x < n; ++x) s[x] += in[x] - out[x];
    else
      for (int x = 0; x < n; ++x) s[x] += in[x];
  });
}

/// Sums are modulo 2^32; differences of two sums are right nevertheless.
template <int kLanes>
struct SumLanes {
  typedef std::uint32_t Vector __attribute__((vector_size(4 * kLanes)));
};

/// Adds to each lane the lane `kBy` before it.
template <int kBy, int kLanes, std::size_t... kLane>
SYNTHOSCOPE_INLINE inline void add_before(typename SumLanes<kLanes>::Vector& v,
                                          std::index_sequence<kLane...>) {
  const typename SumLanes<kLanes>::Vector none{};
  v += __builtin_shufflevector(none, v, (kLanes - kBy + kLane)...);
}

/// Returns the last lane in all lanes.
template <int kLanes, std::size_t... kLane>
SYNTHOSCOPE_INLINE inline auto last_of(const typename SumLanes<kLanes>::Vector& v,
                                       std::index_sequence<kLane...>) {
  return __builtin_shufflevector(v, v, (kLane * 0 + kLanes - 1)...);
}

/// Computes ends[x] = columns[0] + ... + columns[x - 1] for x up to `count`, rounded up to a
/// vector.
template <int kLanes>
SYNTHOSCOPE_INLINE inline void add_up(const std::int32_t* columns, std::int64_t count,
                                      std::uint32_t* ends) {
  using Vector = typename SumLanes<kLanes>::Vector;
  constexpr auto kEach = std::make_index_sequence<kLanes>{};
  Vector before{};
  ends[0] = 0;
  for (std::int64_t x = 0; x < count; x += kLanes) {
    Vector sums;
    std::memcpy(&sums, columns + x, sizeof sums);
    add_before<1, kLanes>(sums, kEach);
    add_before<2, kLanes>(sums, kEach);
    if constexpr (kLanes > 4) add_before<4, kLanes>(sums, kEach);
    if constexpr (kLanes > 8) add_before<8, kLanes>(sums, kEach);
    const Vector all = last_of<kLanes>(sums, kEach);
    sums += before;
    before += all;
    std::memcpy(ends + 1 + x, &sums, sizeof sums);
  }
}

/// Computes weight times the sum of `size` columns that begin at each of the first `count`.
/// @param ends  space for the sums up to each column
void weigh_rows(VectorLevel level, const std::int32_t* columns, std::int64_t size, float weight,
                std::int64_t count, std::uint32_t* ends, float* to) {
  with_lanes(level, [=](auto lanes) SYNTHOSCOPE_INLINE {
    add_up<decltype(lanes)::value>(columns, count + size - 1, ends);
    const std::uint32_t* const first = ends;
    const std::uint32_t* const last = ends + size;
    float* __restrict const out = to;
    const float w = weight;
    for (int x = 0; x < static_cast<int>(count); ++x)
      out[x] = w * static_cast<float>(static_cast<std::int32_t>(last[x] - first[x]));
  });
}

template <class T>
void weigh_boxes_of(const Window& in, Boundary boundary, const IntegerBox& box,
                    const IntegerPlane& plane, VectorLevel level, const TakeIntegerBoxRow& take) {
  const std::int64_t width = plane.around.size.x, pitch = plane.pitch;
  T* const voxels = reinterpret_cast<T*>(plane.voxels);
  float* const made = plane.sums;
  auto* const columns = reinterpret_cast<std::int32_t*>(plane.sums + pitch);
  auto* const ends = reinterpret_cast<std::uint32_t*>(columns + pitch);
  const CopiedRows<T> copied{in, boundary, plane.around, voxels, pitch, 0};
  std::fill_n(columns, pitch, 0);
  for (std::int64_t y = 0; y < plane.around.size.y; ++y) {
    if (y % kRowsAtOnce == 0) copied.copy(0, y, std::min(y + kRowsAtOnce, plane.around.size.y), 0);
    const T* const gone = y < box.rows ? nullptr : voxels + (y - box.rows) * pitch;
    slide(level, voxels + y * pitch, gone, width, columns);
    if (y + 1 < box.rows) continue;
    weigh_rows(level, columns, box.columns, box.weight, width - box.columns + 1, ends, made);
    take(y + 1 - box.rows, made);
  }
}

}  // namespace

bool IntegerBox::is_exact(PixelType type) const {
  std::int64_t largest = 0;
  const bool is_small = visit_small_integer(type, [&](auto zero) {
    using T = decltype(zero);
    largest = std::max<std::int64_t>(std::numeric_limits<T>::max(),
                                     -std::int64_t{std::numeric_limits<T>::min()});
  });
  return is_small && rows <= kLargestSum / largest / columns;
}

void weigh_boxes(const Window& in, Boundary boundary, const IntegerBox& box,
                 const IntegerPlane& plane, VectorLevel level, const TakeIntegerBoxRow& take) {
  visit_small_integer(in.voxels.type(), [&](auto zero) {
    weigh_boxes_of<decltype(zero)>(in, boundary, box, plane, level, take);
  });
}

}  // namespace synthoscope::kernels

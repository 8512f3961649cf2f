// SPDX-License-Identifier: MIT
#include "kernels/integer_box.hpp"
#include <algorithm>
#include <limits>
#include <type_traits>
#include "kernels/copied_rows.hpp"

namespace synthoscope::kernels {
namespace {

constexpr std::int64_t kRowsAtOnce = 8;  // copied
constexpr std::int64_t kLargestSum = std::numeric_limits<std::int32_t>::max();

/// Calls `body(T{})` for integers of at most 16 bits. @returns whether it is one of them.
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

/// sums[x] += come[x] - gone[x]; nothing goes where `gone` is null.
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

/// weight times the sums of `size` columns from each on: those of 1, 2, 4, ... are made of each
/// other, and the size is some of these.
/// @param doubled, total  room for the columns
void weigh_rows(VectorLevel level, const std::int32_t* columns, std::int64_t size, float weight,
                std::int64_t count, std::int32_t* doubled, std::int32_t* total, float* to) {
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    const std::int32_t* from = columns;
    std::int32_t* __restrict const sum = total;
    std::int64_t done = 0;  // of the size
    for (std::int64_t length = 1; length <= size; length *= 2) {
      const int n = static_cast<int>(count + size - length);
      if (length > 1) {
        const std::int32_t* const half = from;
        std::int32_t* const both = doubled;
        const std::int64_t apart = length / 2;
        // In place it reads ahead of what it writes
#pragma GCC ivdep
        for (int x = 0; x < n; ++x) both[x] = half[x] + half[x + apart];
        from = doubled;
      }
      if ((size & length) == 0) continue;
      const std::int32_t* __restrict const part = from + done;
      if (done == 0)
        for (int x = 0; x < static_cast<int>(count); ++x) sum[x] = part[x];
      else
        for (int x = 0; x < static_cast<int>(count); ++x) sum[x] += part[x];
      done += length;
    }
    float* __restrict const out = to;
    const float w = weight;
    for (int x = 0; x < static_cast<int>(count); ++x) out[x] = w * static_cast<float>(sum[x]);
  });
}

template <class T>
void weigh_boxes_of(const Window& in, Boundary boundary, const IntegerBox& box,
                    const IntegerPlane& plane, VectorLevel level, const TakeIntegerBoxRow& take) {
  const std::int64_t width = plane.around.size.x, pitch = plane.pitch;
  T* const voxels = reinterpret_cast<T*>(plane.voxels);
  float* const made = plane.sums;
  auto* const columns = reinterpret_cast<std::int32_t*>(plane.sums + pitch);
  std::int32_t *const doubled = columns + pitch, *const total = doubled + pitch;
  const CopiedRows<T> copied{in, boundary, plane.around, voxels, pitch, 0};
  std::fill_n(columns, width, 0);
  for (std::int64_t y = 0; y < plane.around.size.y; ++y) {
    if (y % kRowsAtOnce == 0) copied.copy(0, y, std::min(y + kRowsAtOnce, plane.around.size.y), 0);
    const T* const gone = y < box.rows ? nullptr : voxels + (y - box.rows) * pitch;
    slide(level, voxels + y * pitch, gone, width, columns);
    if (y + 1 < box.rows) continue;
    weigh_rows(level, columns, box.columns, box.weight, width - box.columns + 1, doubled, total,
               made);
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

// SPDX-License-Identifier: MIT
// fftconv/device/code/columns.cuh — transforms across the rows or the planes of spectra, and sums
// along z for thin kernels.
#pragma once
#include "fftconv/device/code/arguments.hpp"
#include "fftconv/device/code/dft.cuh"
#include "fftconv/device/code/line.cuh"
#include "fftconv/lines/plane_room.hpp"

namespace synthoscope::fftconv::device {

/// C columns of 8-byte values in shared memory, interleaved by position. One position of 16 columns
/// uses all banks. For fewer columns, and where threads take a column of every class, the room of
/// PadBy columns is skipped after every PadEvery positions, so that positions that are taken
/// together use different banks.
template <int C, int PadEvery, int PadBy = C>
struct ColumnRoom {
  float2* column;
  __host__ __device__ static constexpr int row(int position) {
    return position * C + (PadEvery > 0 ? position / PadEvery * PadBy : 0);
  }
  __device__ __forceinline__ float2& at(int base, int offset) const {
    return column[row(base) + row(offset)];
  }
  __device__ __forceinline__ void wait() const { __syncthreads(); }
};

/// Columns of Classes classes of rows (planes.cuh): `C / Classes` neighbours of each. A thread puts
/// the same column of all classes together: by a butterfly across classes, at frequencies along z.
template <class Shape, int C, int Classes, class Room>
struct ColumnsOfClasses {
  static constexpr int kBeside = C / Classes;
  Room room;  ///< of column 0
  float2 turns[Classes];

  __device__ __forceinline__ ColumnsOfClasses(const Room& all, const float2* class_turns)
      : room(all) {
#pragma unroll
    for (int e = 0; e < Classes; ++e) turns[e] = __ldg(class_turns + e);
  }

  /// The last stage forward, `at_all(position, column, values)` on the values of all classes, and,
  /// if Returns, the first stage back.
  template <bool Returns, class AtAll>
  __device__ __forceinline__ void turn_around(int thread, AtAll&& at_all) const {
    constexpr int r = Shape::radix(Shape::kLast), items = Shape::kLength / r * kBeside;
    constexpr int T = Shape::kThreads * C, together = kRoundsTogether<r * Classes>;
#pragma unroll together
    for (int round = 0; round < (items + T - 1) / T; ++round) {
      const int i = thread + T * round;
      if (items % T != 0 && i >= items) break;
      const int x = i % kBeside, base = i / kBeside * r;
      float2 v[Classes][r];
#pragma unroll
      for (int e = 0; e < Classes; ++e) {
#pragma unroll
        for (int m = 0; m < r; ++m) v[e][m] = (&room.at(base, m))[e * kBeside + x];
        dft<1>(v[e]);
      }
#pragma unroll
      for (int m = 0; m < r; ++m) {
        float2 w[Classes];
#pragma unroll
        for (int e = 0; e < Classes; ++e) w[e] = e > 0 ? times(v[e][m], turns[e]) : v[e][m];
        dft<1>(w);
        at_all(base, m, x, w);
        if constexpr (Returns) {
          dft<-1>(w);
#pragma unroll
          for (int e = 0; e < Classes; ++e) v[e][m] = e > 0 ? times_conj(w[e], turns[e]) : w[e];
        }
      }
      if constexpr (Returns) {
#pragma unroll
        for (int e = 0; e < Classes; ++e) {
          dft<-1>(v[e]);
#pragma unroll
          for (int m = 0; m < r; ++m) (&room.at(base, m))[e * kBeside + x] = v[e][m];
        }
      }
    }
  }
};

/// C neighbouring columns, the first of them `at`, or as many of all classes. Loaded and
/// Stored say which elements there are, but of spectra: they have all. With `Add` the elements are
/// added to what is stored already.
template <class Shape, int C, int Classes, int PadEvery, Pass What, Choice Loaded, Choice Stored,
          bool Add>
__device__ __forceinline__ void column_tile(const Columns& a, Count at, float2* shared,
                                            int thread) {
  constexpr int kBeside = C / Classes;
  using Room = ColumnRoom<C, PadEvery, (Classes > 1 ? kBeside : C)>;
  const int c = thread % C, t = thread / C;
  const Room room{shared + c};
  const Count from = at + c;
  const float2* in = a.in + from;
  float2* out = a.out + from;
  // All threads have the same offset: its product with `apart` costs a thread no instruction
  const auto load = [&](int base, int offset) -> float2 {
    if constexpr (Loaded == Choice::listed) {
      const int slot = __ldg(a.loaded.slots + base + offset);
      return slot < 0 ? float2{0, 0} : in[slot * a.apart];
    } else {
      if (Loaded == Choice::front && base >= a.loaded.count - offset) return {0, 0};
      return in[base * a.apart + offset * a.apart];
    }
  };
  const auto store = [&](int base, int offset, float2 value) {
    float2* result = out + base * a.apart + offset * a.apart;
    if constexpr (Stored == Choice::listed) {
      const int slot = __ldg(a.stored.slots + base + offset);
      if (slot < 0) return;
      result = out + slot * a.apart;
    } else if (Stored == Choice::front && base >= a.stored.count - offset) {
      return;
    }
    *result = Add ? *result + value : value;
  };
  const auto load_spectrum = [&](int base, int offset) {
    return in[base * a.apart + offset * a.apart];
  };
  const auto store_spectrum = [&](int base, int offset, float2 value) {
    out[base * a.apart + offset * a.apart] = value;
  };
  if constexpr (Classes > 1) {
    static_assert(What != Pass::inverse && Shape::kStages > 1, "columns along z are long");
    const ColumnsOfClasses<Shape, C, Classes, Room> classes{Room{shared},
                                                            a.class_turns + at / a.row * Classes};
    // Spectra of kernels are read by these columns alone. A thread takes two classes at once, and
    // neighbouring threads contiguous pairs: with half of each 32 bytes written at once, kernels
    // take 1.3 to 1.4 times as long.
    const auto pair_at = [&](auto* spectrum, int base, int offset, int x, int e) {
      return spectrum + at + e * kBeside + x * 2 + base * a.apart + offset * a.apart;
    };
    forward_to_last<Shape>(a.factors, t, room, load);
    if constexpr (What == Pass::forward) {
      classes.template turn_around<false>(
          renewed(thread), [&](int base, int offset, int x, float2(&w)[Classes]) {
#pragma unroll
            for (int e = 0; e < Classes; e += 2)
              *reinterpret_cast<float4*>(pair_at(a.out, base, offset, x, e)) = {
                  w[e].x, w[e].y, w[e + 1].x, w[e + 1].y};
          });
    } else {
      classes.template turn_around<true>(
          renewed(thread), [&](int base, int offset, int x, float2(&w)[Classes]) {
            const auto multiplied = [](float2 value, float2 factor) {
              return What == Pass::correlate ? times_conj(value, factor) : times(value, factor);
            };
#pragma unroll
            for (int e = 0; e < Classes; e += 2) {
              const float4 pair =
                  *reinterpret_cast<const float4*>(pair_at(a.transfer, base, offset, x, e));
              w[e] = multiplied(w[e], {pair.x, pair.y});
              w[e + 1] = multiplied(w[e + 1], {pair.z, pair.w});
            }
          });
      room.wait();
      inverse<Shape, Shape::kLast - 1>(a.factors, renewed(t), room, InRoom<Shape, Room>{room},
                                       store);
    }
  } else if constexpr (What == Pass::forward) {
    forward<Shape>(a.factors, t, room, load, store_spectrum);
  } else if constexpr (What == Pass::inverse) {
    inverse<Shape>(a.factors, t, room, load_spectrum, store);
  } else {
    const float2* transfer = a.transfer + at + c;
    convolve<Shape>(
        a.factors, t, room, load,
        [&](int base, int offset, float2 value) {
          const float2 factor = transfer[base * a.apart + offset * a.apart];
          return What == Pass::correlate ? times_conj(value, factor) : times(value, factor);
        },
        store);
  }
}

template <class Shape, int C, int Classes, int PadEvery, Pass What, Choice Loaded, Choice Stored,
          bool Add, int Blocks>
__global__ void __launch_bounds__(Shape::kThreads* C, Blocks) columns(const Columns a) {
  extern __shared__ __align__(128) float2 shared[];
  column_tile<Shape, C, Classes, PadEvery, What, Loaded, Stored, Add>(
      a, blockIdx.x * static_cast<Count>(C) + blockIdx.y * a.batch_apart, shared, threadIdx.x);
}

/// A thread's column of all classes in a plane of sums.
template <int Classes>
struct ColumnOfPlane {
  Count at[Classes];
  float2 turns[Classes];
  bool exists;

  __device__ __forceinline__ explicit ColumnOfPlane(const PlaneSums& a) {
    constexpr int kTurn = ClassLayout{Classes}.turn();
    const Count index = blockIdx.x * static_cast<Count>(256) + threadIdx.x;
    exists = index < a.plane / Classes;
    if constexpr (Classes == 1) {
      at[0] = index;
    } else {
      const int row = static_cast<int>(index / a.row), x = static_cast<int>(index % a.row);
#pragma unroll
      for (int e = 0; e < Classes; ++e) {
        at[e] = row * (static_cast<Count>(a.row) * Classes) + x / kTurn * kColumnsTogether +
                e * kTurn + x % kTurn;
        turns[e] = exists ? __ldg(a.class_turns + row * Classes + e) : float2{1, 0};
      }
    }
  }
};

/// Kernel planes whose classes are put together, for sum_planes; a thread a column of all classes,
/// the grid's y is the plane.
template <int Classes>
__global__ void __launch_bounds__(256) join_classes(const PlaneSums a) {
  const ColumnOfPlane<Classes> column{a};
  if (!column.exists) return;
  float2* const values = a.result + blockIdx.y * a.plane;
  float2 w[Classes];
#pragma unroll
  for (int e = 0; e < Classes; ++e) w[e] = times(values[column.at[e]], column.turns[e]);
  dft<1>(w);
#pragma unroll
  for (int e = 0; e < Classes; ++e) values[column.at[e]] = w[e];
}

/// A thread a value of all classes; the grid's y is the result.
template <int Classes>
__global__ void __launch_bounds__(256) sum_planes(const PlaneSums a) {
  const ColumnOfPlane<Classes> column{a};
  if (!column.exists) return;
  const int* partners = a.partners + blockIdx.y * a.taps;
  float2 sums[Classes];
#pragma unroll
  for (int e = 0; e < Classes; ++e) sums[e] = {0, 0};
  for (int j = 0; j < a.taps; ++j) {
    const int slot = __ldg(partners + j);
    if (slot < 0) continue;
    const float2* const image = a.image + slot * a.plane;
    const float2* const kernel = a.kernel + j * a.plane;
    float2 w[Classes];
#pragma unroll
    for (int e = 0; e < Classes; ++e)
      w[e] = e > 0 ? times(image[column.at[e]], column.turns[e]) : image[column.at[e]];
    dft<1>(w);
#pragma unroll
    for (int e = 0; e < Classes; ++e) sums[e] = sums[e] + times(w[e], kernel[column.at[e]]);
  }
  dft<-1>(sums);
  float2* const results = a.result + blockIdx.y * a.plane;
#pragma unroll
  for (int e = 0; e < Classes; ++e) {
    const float2 sum = e > 0 ? times_conj(sums[e], column.turns[e]) : sums[e];
    float2& result = results[column.at[e]];
    result = a.adds ? result + sum : sum;
  }
}

}  // namespace synthoscope::fftconv::device

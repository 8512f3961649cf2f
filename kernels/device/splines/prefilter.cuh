// SPDX-License-Identifier: MIT
// kernels/device/splines/prefilter.cuh — coefficients of cubic B-splines: rows and columns of
// planes in one pass, columns along z in another.
#pragma once
#include <algorithm>
#include "kernels/device/code/window.cuh"
#include "kernels/device/splines/steps.cuh"

namespace synthoscope::kernels::device {

/// Four voxels of a row as they lie in memory.
template <class In>
struct __align__(4 * sizeof(In)) FourOf {
  In values[4];
};

/// The rows of a tile; a lane reads four adjacent voxels of each.
template <class In>
class TileRows {
 public:
  /// @param first  position of the lane's first voxel
  /// @param low, high  positions [low, high) of all that count: others may not be held
  TileRows(const SplinePlanesArguments& a, Count plane, Count first, Count low, Count high)
      : fill_{a.fill}, pitch_{static_cast<int>(a.in.x.size)} {
    const Boundary boundary = static_cast<Boundary>(a.boundary);
    const Count at_z = held_at(boundary, a.z + plane, a.in.z);
    is_there_ = at_z != kOutside;
    voxels_ = static_cast<const In*>(a.in.voxels) + (is_there_ ? at_z : 0) * a.in.y.size * pitch_;
    const Count at = first - a.in.x.origin;
    are_together_ = at >= 0 && at + 4 <= pitch_ && at % 4 == 0 && pitch_ % 4 == 0 &&
                    reinterpret_cast<unsigned long long>(voxels_) % (4 * sizeof(In)) == 0;
#pragma unroll 1
    for (int k = 0; k < 4; ++k) {
      const Count x = first + k;
      const int place = x < low || x >= high ? -1 : static_cast<int>(held_at(boundary, x, a.in.x));
      if (k == 0) place_[0] = place;
      if (k == 1) place_[1] = place;
      if (k == 2) place_[2] = place;
      if (k == 3) place_[3] = place;
    }
    if (are_together_) place_[0] = static_cast<int>(at);
  }

  /// Returns whether the four voxels can be read at once.
  [[nodiscard]] bool are_together() const {
    return are_together_;
  }

  /// @param place  index of the row among those held; negative: outside
  template <bool kTogether>
  FourOf<In> read(int place) const {
    FourOf<In> came{};
    const In* const row = voxels_ + static_cast<Count>(place) * pitch_;
    if constexpr (kTogether) {
      if (is_row(place)) came = *reinterpret_cast<const FourOf<In>*>(row + place_[0]);
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k)
        if (is_row(place) && place_[k] >= 0) came.values[k] = row[place_[k]];
    }
    return came;
  }

  template <bool kTogether>
  Four voxels(const FourOf<In>& came, int place) const {
    Four made;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      made[k] = is_row(place) && (kTogether || place_[k] >= 0) ? static_cast<float>(came.values[k])
                                                               : fill_;
    return made;
  }

 private:
  [[nodiscard]] bool is_row(int place) const {
    return is_there_ && place >= 0;
  }

  float fill_;
  int pitch_;
  bool is_there_, are_together_;
  int place_[4];  ///< negative: fill
  const In* voxels_;
};

/// Writes a warp's results of a row; only lanes 4 to 27 have some.
template <bool kTogether>
void write_row(const Four& made, float* row, Count columns, float* shared) {
  const int lane = threadIdx.x;
  if constexpr (kTogether) {
    const int x = 4 * lane - 16;
    if (x >= 0 && x < kSplineColumns && x < columns) *reinterpret_cast<Four*>(row + x) = made;
  } else {
    // Through shared memory, so that neighbouring lanes write neighbouring voxels
    __syncwarp();
    reinterpret_cast<Four*>(shared)[lane] = made;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < kSplineColumns; k += 32)
      if (k + lane < columns) row[k + lane] = shared[k + lane + 16];
  }
}

/// Writes where `steps` positions from `first` on are held, and returns the warp's list. Positions
/// after the first `count` are listed as outside: nothing is made from them.
/// @param places_of_warps  in shared memory, `steps` for each warp
inline const int* keep_places(int* places_of_warps, Boundary boundary, const HeldAxis& axis,
                              Count first, int count, int steps) {
  int* const places = places_of_warps + static_cast<int>(threadIdx.y) * steps;
  for (int i = threadIdx.x; i < steps; i += 32)
    places[i] = i < count ? static_cast<int>(held_at(boundary, first + i, axis)) : -1;
  __syncwarp();
  return places;
}

/// Where a warp writes the results of a strip.
struct StripOfRows {
  float* to;
  Count pitch, columns;  ///< of the box, from the tile's first column on
  int count;             ///< rows that are read
  float* shared;         ///< 128 floats of the warp
  Four* far;             ///< the lane's first value that columns look back at
};

/// Goes down a strip, with kAhead rows being loaded.
template <bool kTogether, bool kFitsColumns, int kAhead, class In>
void go_down(const TileRows<In>& rows, const int* places, StripOfRows strip) {
  constexpr int kBefore = kFitsColumns ? 2 * kAround : 0;
  FourOf<In> coming[kAhead];
#pragma unroll
  for (int i = 0; i < kAhead; ++i) coming[i] = rows.template read<kTogether>(places[i]);
  SlidingFit<Four, HeldInShared> columns{{strip.far}, {strip.far + 32 * 8}};
#pragma unroll 1
  for (int group = 0; group < strip.count; group += kSplineGroup) {
#pragma unroll
    for (int i = 0; i < kSplineGroup; ++i) {
      Four v = rows.template voxels<kTogether>(coming[i % kAhead], places[group + i]);
      coming[i % kAhead] = rows.template read<kTogether>(places[group + i + kAhead]);
      v = fitted_along_row<0>(v);
      v = fitted_along_row<1>(v);
      v = fitted_along_row<2>(v);
      v = fitted_along_row<3>(v);
      if constexpr (kFitsColumns) v = columns.next(i, v);
      if (group + i < kBefore || group + i >= strip.count) continue;
      write_row<kTogether>(v, strip.to, strip.columns, strip.shared);
      strip.to += strip.pitch;
    }
  }
}

/// Fits rows, then columns along y if kFitsColumns.
template <class In, bool kFitsColumns, int kAhead, int kBlocks>
__global__ void __launch_bounds__(32 * kSplineWarps, kBlocks)
    fit_planes(const SplinePlanesArguments a) {
  static_assert(kSplineGroup % kAhead == 0 && kAhead <= kSplineAhead);
  constexpr int kBeside = kFitsColumns ? kAround : 0;
  constexpr int kFar = kFitsColumns ? kSplineFar : 0;
  __shared__ __align__(16) float shared[kSplineWarps][128];
  extern __shared__ Four far_of_warps[];
  const int lane = threadIdx.x;
  const Count unit = static_cast<Count>(blockIdx.x) * kSplineWarps + threadIdx.y;
  const Count tile = unit % a.tiles, strip = unit / a.tiles % a.strips,
              plane = unit / a.tiles / a.strips;
  if (plane >= a.planes) return;
  const Count first = strip * a.strip, last = first + a.strip < a.rows ? first + a.strip : a.rows;
  const Count x = tile * kSplineColumns;
  const int count = static_cast<int>(last - first) + 2 * kBeside;
  const int* const places =
      keep_places(reinterpret_cast<int*>(far_of_warps + kSplineWarps * 32 * kFar),
                  static_cast<Boundary>(a.boundary), a.in.y, a.y + first - kBeside, count, a.steps);
  const TileRows<In> rows{a, plane, a.x + x - 16 + 4 * lane, a.x - kAround,
                          a.x + a.columns + kAround};
  const bool together = rows.are_together() && a.columns % 4 == 0 &&
                        reinterpret_cast<unsigned long long>(a.fitted) % 16 == 0;
  const StripOfRows made{a.fitted + (plane * a.rows + first) * a.columns + x,
                         a.columns,
                         a.columns - x,
                         count,
                         shared[threadIdx.y],
                         far_of_warps + 32 * kFar * static_cast<int>(threadIdx.y) + lane};
  if (__all_sync(kWarp, together))
    go_down<true, kFitsColumns, kAhead>(rows, places, made);
  else
    go_down<false, kFitsColumns, kAhead>(rows, places, made);
}

/// Fits columns along z, which are contiguous.
template <int kAhead, int kBlocks>
__global__ void __launch_bounds__(32 * kSplineWarps, kBlocks)
    fit_columns(const SplineColumnsArguments a) {
  static_assert(kSplineGroup % kAhead == 0 && kAhead <= kSplineAhead);
  const Count warps = (a.columns + 31) / 32;
  const Count unit = static_cast<Count>(blockIdx.x) * kSplineWarps + threadIdx.y;
  const Count first = unit / warps * a.strip;
  const int column = static_cast<int>(unit % warps * 32 + threadIdx.x);
  if (first >= a.planes) return;
  const Count last = first + a.strip < a.planes ? first + a.strip : a.planes;
  const bool makes = column < a.columns;
  const float* const from = a.fitted + (makes ? column : 0);
  const int count = static_cast<int>(last - first) + 2 * kAround;
  extern __shared__ int places_of_warps[];
  const int* const places = keep_places(places_of_warps, static_cast<Boundary>(a.boundary), a.in,
                                        a.z + first - kAround, count, a.steps);
  const auto read = [&](int place) {
    return place >= 0 ? from[static_cast<Count>(place) * a.columns] : a.fill;
  };
  float coming[kAhead];
#pragma unroll
  for (int i = 0; i < kAhead; ++i) coming[i] = read(places[i]);
  float* to = a.coefficients + first * a.columns + column;
  SlidingFit<float, HeldInRegisters> along;
  for (int group = 0; group < count; group += kSplineGroup) {
#pragma unroll
    for (int i = 0; i < kSplineGroup; ++i) {
      const float voxel = coming[i % kAhead];
      coming[i % kAhead] = read(places[group + i + kAhead]);
      const float made = along.next(i, voxel);
      if (group + i < 2 * kAround || group + i >= count) continue;
      if (makes) *to = made;
      to += a.columns;
    }
  }
}

}  // namespace synthoscope::kernels::device

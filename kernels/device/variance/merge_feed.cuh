// SPDX-License-Identifier: MIT
// kernels/device/variance/merge_feed.cuh — input and output of runs of merges along an axis.
#pragma once
#include "kernels/device/code/packed_voxels.cuh"
#include "kernels/device/variance/merge_run.hpp"
#include "kernels/device/variance/window_results.cuh"

namespace synthoscope::kernels::device {

/// Offset and variance side by side: one access to shared memory.
struct __align__(8) MergedPart {
  float offset, variance;
};

/// What a run makes from an element: the signal, results or both.
template <class Results>
class RunResults {
 public:
  explicit RunResults(const RunArguments& a) : a_{a} {}

  /// Stores what is made from an element.
  /// @param at         index in signals
  /// @param result     index in results
  /// @param is_result  whether the element is a result
  void store(const Part& part, Count at, Count result, bool is_result) {
    if (a_.made.offset != nullptr) {
      a_.made.offset[at] = part.offset;
      a_.made.variance[at] = part.variance;
    }
    if (is_result) results_.store(a_.window, result, part);
  }
  /// Called once by each thread, at its end.
  void finish() const { results_.finish(a_.counts); }

 private:
  const RunArguments& a_;
  Results results_;
};

/// Position in the results of an element of a run's box.
struct ResultPlace {
  Count planes, rows, columns;  ///< of results
  Count z, y, x;                ///< of the element, from the first result on

  ResultPlace(const RunArguments& a, Count box_z, Count box_y, Count box_x)
      : planes{a.box.planes - 2 * a.around_z},
        rows{a.box.rows - 2 * a.around_y},
        columns{a.box.columns - 2 * a.around_x},
        z{box_z - a.around_z},
        y{box_y - a.around_y},
        x{box_x - a.around_x} {}

  [[nodiscard]] bool is_in_column() const { return x >= 0 && x < columns; }
  [[nodiscard]] bool is_in_row() const { return y >= 0 && y < rows; }
  [[nodiscard]] bool is_in_plane() const { return z >= 0 && z < planes; }
  [[nodiscard]] Count index() const { return (z * rows + y) * columns + x; }
};

/// A piece of a row with its margin: blockIdx.x is the row, blockIdx.y the piece.
struct LinePiece {
  Count y, z, x;  ///< in the box; x of the piece's first element
  Count row;      ///< index in signals of the row's first element in the box

  LinePiece(const RunArguments& a, int made, int around)
      : y{blockIdx.x % a.box.rows},
        z{blockIdx.x / a.box.rows},
        x{static_cast<Count>(blockIdx.y) * made - around},
        row{(a.box.z + z) * a.box.plane + (a.box.y + y) * a.box.row + a.box.x} {}
};

/// Loads `count` elements of a piece, and calls `take(i, k, voxel)` for number i, which is the
/// thread's k-th. Voxels that no result of the box needs may not be held.
template <class In, class Take>
void bring_line(const RunArguments& a, const LinePiece& piece, int count, int around, Take&& take) {
  const Boundary boundary = static_cast<Boundary>(a.boundary);
  const Count at_z = held_at(boundary, a.z + a.box.z + piece.z, a.in.z),
              at_y = held_at(boundary, a.y + a.box.y + piece.y, a.in.y);
  const bool is_there = at_z != kOutside && at_y != kOutside;
  const In* const voxels = static_cast<const In*>(a.in.voxels) +
                           (is_there ? (at_z * a.in.y.size + at_y) * a.in.x.size : 0);
  const Count first = a.x + a.box.x + piece.x;
  const bool is_inside =
      is_there && first >= a.in.x.origin && first + count <= a.in.x.origin + a.in.x.size;
#pragma unroll
  for (int k = 0; k < ceil_div(count, kLineThreads); ++k) {
    const int i = static_cast<int>(threadIdx.x) + k * kLineThreads;
    if (i >= count) break;
    float voxel = 0;
    if (is_inside) {
      voxel = static_cast<float>(voxels[first - a.in.x.origin + i]);
    } else if (is_there && piece.x + i >= -around && piece.x + i < a.box.columns + around) {
      const Count at_x = held_at(boundary, first + i, a.in.x);
      if (at_x != kOutside) voxel = static_cast<float>(voxels[at_x]);
    }
    take(i, k, voxel);
  }
}

/// The input of a thread's column, element by element: blockIdx.x counts strips of all planes or
/// rows, blockIdx.y groups of kMarchColumns columns.
template <class In, class Results, bool kOfImage, bool kAlongZ>
class ColumnFeed {
 public:
  struct Came {
    AsRead<In> voxel;
    MergedPart part;
    [[nodiscard]] Part as_part() const {
      return {static_cast<float>(voxel), part.offset, part.variance};
    }
  };

  /// @param places  shared memory for the indices of all elements
  ColumnFeed(const RunArguments& a, int reach, int* places)
      : places_{places}, from_{a.from}, results_{a} {
    const int column = static_cast<int>(threadIdx.x);
    const Count x = static_cast<Count>(blockIdx.y) * kMarchColumns + column,
                other = blockIdx.x / a.strips, first = blockIdx.x % a.strips * a.strip;
    const Count along = kAlongZ ? a.box.planes : a.box.rows;
    reach_ = reach;
    steps_ = static_cast<int>(along - first < a.strip ? along - first : a.strip) + 2 * reach;
    const Boundary boundary = static_cast<Boundary>(a.boundary);
    const Count from = (kAlongZ ? a.z + a.box.z : a.y + a.box.y) + first - reach;
    for (int i = column; i < steps_; i += kMarchColumns)
      places_[i] = static_cast<int>(held_at(boundary, from + i, kAlongZ ? a.in.z : a.in.y));
    __syncthreads();
    makes_ = x < a.box.columns;
    if (!makes_) return;
    const Count at_x = held_at(boundary, a.x + a.box.x + x, a.in.x),
                at_other = kAlongZ ? held_at(boundary, a.y + a.box.y + other, a.in.y)
                                   : held_at(boundary, a.z + a.box.z + other, a.in.z);
    is_there_ = at_x != kOutside && at_other != kOutside;
    const Count plane = a.in.y.size * a.in.x.size;
    image_ = static_cast<const In*>(a.in.voxels) +
             (is_there_ ? at_other * (kAlongZ ? a.in.x.size : plane) + at_x : 0);
    image_apart_ = static_cast<int>(kAlongZ ? plane : a.in.x.size);
    const Count z = kAlongZ ? first : other, y = kAlongZ ? other : first;
    apart_ = kAlongZ ? a.box.plane : a.box.row;
    at_ = (a.box.z + z) * a.box.plane + (a.box.y + y) * a.box.row + a.box.x + x;
    const ResultPlace place{a, z, y, x};
    result_ = place.index();
    result_apart_ = kAlongZ ? place.rows * place.columns : place.columns;
    const bool has_results =
        place.is_in_column() && (kAlongZ ? place.is_in_row() : place.is_in_plane());
    first_result_ = static_cast<int>(kAlongZ ? -place.z : -place.y);
    past_result_ = has_results
                       ? first_result_ + static_cast<int>(kAlongZ ? place.planes : place.rows)
                       : first_result_;
  }

  [[nodiscard]] bool makes() const { return makes_; }
  [[nodiscard]] int steps() const { return steps_; }

  /// Reads element `i`; element 0 lies `reach` before the first that is made.
  [[nodiscard]] Came read(int i) const {
    Came came{};
    const int place = places_[i];
    if (is_there_ && place >= 0) came.voxel = image_[static_cast<Count>(place) * image_apart_];
    if constexpr (!kOfImage) {
      const Count element = at_ + (i - reach_) * apart_;
      came.part = {from_.offset[element], from_.variance[element]};
    }
    return came;
  }
  /// Stores number `i` of the elements that are made.
  void store(int i, const Part& part) {
    results_.store(part, at_ + i * apart_, result_ + i * result_apart_,
                   i >= first_result_ && i < past_result_);
  }
  void finish() const { results_.finish(); }

 private:
  int* places_;
  const PartsSignal& from_;
  RunResults<Results> results_;
  int reach_, steps_, image_apart_ = 0, first_result_ = 0, past_result_ = 0;
  bool makes_, is_there_ = false;
  const In* image_ = nullptr;
  Count at_ = 0, result_ = 0, apart_ = 0, result_apart_ = 0;
};

}  // namespace synthoscope::kernels::device

// SPDX-License-Identifier: MIT
// fftconv/device/code/class_layout.cuh — where the classes of a plane's spectrum (planes.cuh) are.
//
// Columns along z want what they put together beside each other, planes want whole rows: two
// classes take turns within a row, 16 / D values of each, and pairs of classes follow each other.
#pragma once

namespace synthoscope::fftconv::device {

inline constexpr int kColumnsTogether = 16;

template <int D>
struct ClassLayout {
  static constexpr int kPair = D == 1 ? 1 : 2;        ///< classes that take turns
  static constexpr int kTurn = kColumnsTogether / D;  ///< values of a class in a turn
  static constexpr int kBeside = kPair * kTurn;       ///< contiguous values of a pair
  static constexpr int kPairs = D / kPair;

  /// From the begin of a row of pairs to value x of class `e`, of which the pair begins there.
  static __device__ __forceinline__ int in_row(int e, int x) {
    return D == 1 ? x : x / kTurn * kBeside + e % kPair * kTurn + x % kTurn;
  }
};

}  // namespace synthoscope::fftconv::device

// SPDX-License-Identifier: MIT
// fftconv/device/code/class_layout.cuh — the order of the classes in a plane's spectrum
// (planes.cuh).
//
// A row has 16 / D values of one class, as many of another, and so on. The next pair of classes
// comes after all rows of this one. So columns along z find the values of a pair beside each other,
// and rows stay long.
#pragma once

namespace synthoscope::fftconv::device {

inline constexpr int kColumnsTogether = 16;

/// Rows that are copied at once, of all.
constexpr int copied_rows(int rows) {
  constexpr int kMost = 256;
  int parts = (rows + kMost - 1) / kMost;
  while (rows % parts != 0) ++parts;
  return rows / parts;
}

template <int D>
struct ClassLayout {
  static constexpr int kPair = D == 1 ? 1 : 2;        ///< classes that take turns
  static constexpr int kTurn = kColumnsTogether / D;  ///< values of a class in a turn
  static constexpr int kBeside = kPair * kTurn;       ///< contiguous values of a pair
  static constexpr int kPairs = D / kPair;
  static constexpr int kUnit = D == 1 ? 4 : kTurn;  ///< blocks take whole 32 bytes, or turns

  /// Returns the offset of value x of class `e` in the row of its pair.
  static __device__ __forceinline__ int in_row(int e, int x) {
    return D == 1 ? x : x / kTurn * kBeside + e % kPair * kTurn + x % kTurn;
  }
};

}  // namespace synthoscope::fftconv::device

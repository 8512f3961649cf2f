// SPDX-License-Identifier: MIT
// fftconv/lines/plane_room.hpp — how a block of a cluster divides its shared memory, and what it
// exchanges with the others (planes.cuh). Host and device compile this file.
#pragma once

namespace synthoscope::fftconv::device {

inline constexpr int kColumnsTogether = 16;  ///< that columns along z transform, of all classes

/// The order of the classes in a plane's spectrum. A row has 16 / D values of each of its D
/// classes, then the next 16 / D of each. So columns along z find the values of all classes in one
/// line of memory. A turn is what a class has between two others.
struct ClassLayout {
  int classes;
  [[nodiscard]] constexpr int turn() const { return kColumnsTogether / classes; }
  /// A block takes whole pieces of 32 bytes, or turns.
  [[nodiscard]] constexpr int unit() const { return classes == 1 ? 4 : turn(); }
};

/// Blocks of a cluster take `columns()` columns each, of `length` positions from every block.
struct PlaneRoom {
  int row;      ///< values of a row
  int length;   ///< of a block's columns: rows of a block
  int cluster;  ///< blocks
  int classes;
  int threads;
  int apart;  ///< points of a butterfly in the first stage of rows

  /// Odd: rows of a warp are in different banks.
  [[nodiscard]] constexpr int pitch() const { return (row + 1) | 1; }
  [[nodiscard]] constexpr int columns() const {
    const int unit = ClassLayout{classes}.unit(), of_all = cluster * unit;
    return (row + of_all - 1) / of_all * unit;
  }
  /// Values that a block takes from every block.
  [[nodiscard]] constexpr int each() const { return length * columns(); }
  [[nodiscard]] constexpr int values() const {
    const int rows = length * pitch() + length * pitch() % 2, taken = cluster * each();
    return rows > taken ? rows : taken;
  }

  /// Threads take values in rounds. On the way back the values of a round are contiguous if each
  /// round has whole positions. Then half of the values can come as soon as half of the rows of the
  /// last class are read.
  [[nodiscard]] constexpr bool comes_by_halves() const {
    return threads % columns() == 0 && length % (2 * (threads / columns())) == 0 &&
           apart * length % (2 * threads) == 0 && cluster * columns() <= pitch();
  }
  [[nodiscard]] constexpr int halves() const { return comes_by_halves() ? 2 : 1; }
  /// Positions that come together.
  [[nodiscard]] constexpr int together() const {
    return comes_by_halves() ? threads / columns() : length;
  }
};

}  // namespace synthoscope::fftconv::device

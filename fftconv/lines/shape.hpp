// SPDX-License-Identifier: MIT
// fftconv/lines/shape.hpp — what lines of a transform are, and how threads of a device share the
// transform of one line.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace synthoscope::fftconv {

/// Rows are real, of half as many complex values. Columns along z are transformed forward,
/// multiplied and transformed back.
enum class LineKind { row, column, along_z };

}  // namespace synthoscope::fftconv

namespace synthoscope::fftconv::device {

inline constexpr std::int64_t kValueBytes = 8;  ///< of a complex value in single precision

/// Stages of a line in device code (line.cuh), largest radices first: early stages have the most
/// factors. Rows whose voxels are changed have a small one first (changing_row_shape).
struct LineShape {
  int length = 1;
  int threads = 1;              ///< of one line
  std::vector<int> radices{1};  ///< multiply to the length
  friend bool operator==(const LineShape&, const LineShape&) = default;
};

/// Points of a block of `stage`, and from one point of a butterfly to the next.
int block_of(const LineShape& line, int stage);
int apart_of(const LineShape& line, int stage);

/// exp(-2 pi i j m / n) for m = 1 .. radix - 1 and j < apart of every stage, re and im, computed
/// in double.
std::vector<float> factors_of(const LineShape& line);

/// exp(-i pi m / (2 half)) for m < half, re and im.
std::vector<float> half_shift_of(int half);

/// What a block of threads may have.
struct BlockLimits {
  std::int64_t shared_bytes = 48 << 10;
  int threads = 1024;
  int registers = 65536;  ///< of a multiprocessor
  bool clusters = false;  ///< has_clusters
  friend auto operator<=>(const BlockLimits&, const BlockLimits&) = default;
};

/// Whether blocks of a device of this capability can share their memory.
constexpr bool has_clusters(int capability) {
  return capability >= 90;
}

/// Lines that a block of threads transforms at once.
struct BlockShape {
  LineShape line;
  int lines = 1;      ///< columns beside each other, or rows
  int pad_every = 0;  ///< one position is left free after this many; 0: none
  int blocks = 1;     ///< of a multiprocessor at once, at least
  int classes = 1;    ///< of rows in a plane's spectrum (PlaneShape)
  std::int64_t shared_bytes = 0;
  [[nodiscard]] int threads() const { return line.threads * lines; }
  friend bool operator==(const BlockShape&, const BlockShape&) = default;
};

/// Shape for columns; planes of one row need no transform along y.
inline bool is_one_row(const BlockShape& columns_y) {
  return columns_y.line.length == 1;
}

/// Returns BlockShape::pad_every for `lines` neighbouring columns, 1 for rows. Positions must stay
/// sums of a thread's number and compile-time constants; so it is the distance of some stage:
/// shorter distances stay within it, longer ones are multiples of it.
int padding_for(const LineShape& line, int lines);

/// True where transforms of `length` can be run: a product of 2, 3, 5 and 7 that shared memory
/// holds.
bool is_device_length(std::int64_t length, const BlockLimits& limits);

/// Returns how many neighbouring columns a block transforms: sixteen (128 bytes) if shared memory
/// holds them, otherwise fewer.
int columns_per_block(std::int64_t length, const BlockLimits& limits);

/// Returns the shape for columns across rows or planes: columns_per_block of them. Lines that were
/// measured (tuned_lines.hpp) have their best shape; a model of the measurements gives the others.
/// @throws InvalidSpec  no device length.
BlockShape column_shape(std::int64_t length, const BlockLimits& limits, LineKind kind);

/// The same along z, of planes that were transformed in `classes` (PlaneShape). A thread holds
/// values of all classes, so that the last radix is small. None where shared memory does not hold
/// kTunedColumnsPerBlock columns, or the length is a radix.
std::optional<BlockShape> columns_of_classes_shape(std::int64_t length, const BlockLimits& limits,
                                                   int classes);

/// Along rows of `length` complex values.
/// @throws InvalidSpec  no device length.
BlockShape row_shape(std::int64_t length, const BlockLimits& limits);

/// The same for kernels that change voxels between two transforms (device/code/change.cuh). Their
/// first radix is small: a thread holds its butterfly's values, and what changes them, in
/// registers.
/// @throws InvalidSpec  no device length.
BlockShape changing_row_shape(std::int64_t length, const BlockLimits& limits);

/// "Line<512, 32, 16, 16, 2>", as device code names the type.
std::string type_name(const LineShape& line);

}  // namespace synthoscope::fftconv::device

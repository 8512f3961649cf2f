// SPDX-License-Identifier: MIT
// fftconv/lines/tuned_lines.hpp — how lines of good lengths are shared best among threads, and how
// fast that is, as measured.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include "fftconv/lines/shape.hpp"

namespace synthoscope::fftconv::device {

/// What tuned columns have beside them.
inline constexpr int kTunedColumnsPerBlock = 16;

/// How a line is transformed fastest: in blocks of kTunedColumnsPerBlock columns, or in blocks of
/// rows with about 512 threads.
/// @source bench/gpu/gpu_lines_bench on an H200, about ten shapes of each (docs/benchmarks/gpu.md).
struct TunedLine {
  std::int16_t length, threads;         ///< of one line
  std::array<std::uint8_t, 4> radices;  ///< largest first; 0: no more
  std::int8_t blocks;                   ///< of a multiprocessor at once, at least
  std::int8_t percent;  ///< bytes moved, in percent of a copy's in the same time; for rows the mean
                        ///< of both directions
};

/// For rows whose voxels are changed between two transforms (device/code/change.cuh).
/// @source some 250 shapes of each, timed in an iteration of Richardson and Lucy on an H200
struct TunedChangingLine {
  std::int16_t length, threads;         ///< of one row
  std::array<std::uint8_t, 4> radices;  ///< 0: no more
  std::int8_t lines, blocks;            ///< rows of a block, blocks of a multiprocessor
};

/// Null where `length` was not measured.
const TunedChangingLine* tuned_changing_line(std::int64_t length);

/// The same for columns along z that put 2 or 4 classes of rows together (PlaneShape); 16 columns
/// of all classes are a block's. Null where they were not measured.
const TunedLine* tuned_line_of_classes(std::int64_t length, int classes);

/// Ascending in length.
std::span<const TunedLine> tuned_lines(LineKind kind);

/// Null where `length` was not measured.
const TunedLine* tuned_line(std::int64_t length, LineKind kind);

/// Returns whether plans prefer a device length. They prefer measured lengths, and those shorter
/// than any measured one. Columns were measured in blocks of 16: where a block has fewer, plans
/// prefer every length. Packages have code for preferred lengths (packaged_kernels.hpp).
bool is_preferred(std::int64_t length, LineKind kind, const BlockLimits& limits);

/// Returns the longest measured length of any kind.
std::int64_t longest_measured_line();

}  // namespace synthoscope::fftconv::device

// SPDX-License-Identifier: MIT
// fftconv/plan/gpu/pieces.hpp — the pieces in which the host copies batches of planes to a device
// and back.
#pragma once
#include <cstdint>

namespace synthoscope::fftconv::device {

/// Bytes of a piece, and the most pieces that one direction of one device has. The pieces of two
/// devices fit into the last cache of a server, where the link reads what the host wrote, and the
/// host what the link wrote: voxels cross the memory bus once instead of three times. With whole
/// batches of 64 MiB instead, one H200 took 1.2 to 1.5 times as long, and two 1.3 to 1.4 times
/// (docs/benchmarks/many-gpus.md).
inline constexpr std::int64_t kPieceBytes = std::int64_t{2} << 20;
inline constexpr std::int64_t kPieces = 32;

/// Returns the bytes and the number of the pieces for batches of at most `batch_bytes`: no more
/// memory than all batches in flight.
std::int64_t piece_bytes(std::int64_t batch_bytes);
std::int64_t piece_count(std::int64_t batch_bytes);

/// How a batch of planes is cut into pieces: whole planes together, or rows of one plane.
class PieceCut {
 public:
  PieceCut() = default;
  /// @param row_bytes  of everything that travels with a row, at most kPieceBytes: lines that a
  ///                   device transforms are shorter
  PieceCut(std::int64_t planes, std::int64_t rows, std::int64_t row_bytes);

  struct Piece {
    std::int64_t plane = 0, planes = 0;  ///< of the batch
    std::int64_t row = 0, rows = 0;      ///< of each of these planes
  };
  [[nodiscard]] std::int64_t count() const { return groups_ * parts_; }
  [[nodiscard]] Piece operator[](std::int64_t number) const;

 private:
  std::int64_t planes_ = 0, rows_ = 0;
  std::int64_t planes_each_ = 1, rows_each_ = 1, groups_ = 0, parts_ = 0;
};

}  // namespace synthoscope::fftconv::device

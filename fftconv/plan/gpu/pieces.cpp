// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/pieces.hpp"
#include <algorithm>
#include "core/base/assert.hpp"
#include "core/base/round_up.hpp"
#include "core/volume/batches.hpp"
#include "fftconv/plan/gpu/layout.hpp"

namespace synthoscope::fftconv::device {

std::int64_t piece_bytes(std::int64_t batch_bytes) {
  return round_up(std::min(kPieceBytes, batch_bytes), kSlotAlignment);
}

std::int64_t piece_count(std::int64_t batch_bytes) {
  if (batch_bytes == 0) return 0;
  return std::clamp<std::int64_t>(kBatches * batch_bytes / piece_bytes(batch_bytes), 1, kPieces);
}

PieceCut::PieceCut(std::int64_t planes, std::int64_t rows, std::int64_t row_bytes)
    : planes_{planes}, rows_{rows} {
  SYNTHOSCOPE_ASSERT(row_bytes, <=, kPieceBytes);
  if (planes == 0 || rows == 0) return;
  const std::int64_t plane_bytes = std::max<std::int64_t>(1, rows * row_bytes);
  if (plane_bytes <= kPieceBytes) {
    planes_each_ = std::min(planes, kPieceBytes / plane_bytes);
    rows_each_ = rows;
  } else {
    // Equal pieces: threads end together
    rows_each_ = parts_of(rows, parts_of(rows, kPieceBytes / row_bytes));
  }
  groups_ = parts_of(planes, planes_each_);
  parts_ = parts_of(rows, rows_each_);
}

PieceCut::Piece PieceCut::operator[](std::int64_t number) const {
  const std::int64_t plane = number / parts_ * planes_each_, row = number % parts_ * rows_each_;
  return {plane, std::min(planes_each_, planes_ - plane), row, std::min(rows_each_, rows_ - row)};
}

}  // namespace synthoscope::fftconv::device

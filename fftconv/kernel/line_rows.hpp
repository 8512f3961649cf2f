// SPDX-License-Identifier: MIT
// fftconv/kernel/line_rows.hpp — signals convolved as a plane: pieces of their lines become rows,
// so that there is a line for every vector lane, and none is longer than it must be.
#pragma once
#include <cstdint>
#include <optional>
#include "core/stream/stream.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// How image, kernel and result become planes. With rows of L results and kernel rows of M <= L
/// voxels, several of them if the kernel is longer than L,
///      h[first + r L + l] = sum_{s, m} g[s M + m] f[first + (r - s) L + l - m]
/// where s counts only with M = L: a convolution of rows that overlap by M - 1 voxels, `valid`
/// along both axes. If the kernel is no longer than L, several lines follow each other.
/// @source Agarwal & Burrus, Fast one-dimensional digital convolution by multidimensional
///         techniques, IEEE Trans. ASSP 22 (1974): there rows of results overlap and are added.
struct LineRows {
  Problem problem;               ///< of the planes
  std::int64_t image_first = 0;  ///< position of a line's first row in it
  std::int64_t row = 0;          ///< L
  std::int64_t rows_of_line = 0;
};

/// None where the kernel is no line along x, or lines are too short to gain by it; nor with another
/// boundary than zero, correlation, several terms, a part of the result, or a sink that wants
/// planes in order.
std::optional<LineRows> line_rows(const Problem& problem);

/// Pieces of lines as rows of a plane; zeros beyond their ends.
class RowsOfLines final : public Source {
 public:
  /// Row r of a line begins at its position `first` + r * `step`. `lines` outlives this.
  RowsOfLines(Source& lines, const Extent3& rows, std::int64_t rows_of_line, std::int64_t first,
              std::int64_t step)
      : lines_{lines}, rows_{rows}, rows_of_line_{rows_of_line}, first_{first}, step_{step} {}
  [[nodiscard]] Extent3 extent() const override { return rows_; }
  [[nodiscard]] PixelType pixel_type() const override { return lines_.pixel_type(); }
  void read(const Box3& box, VoxelView out) override;

 private:
  Source& lines_;
  Extent3 rows_;
  std::int64_t rows_of_line_, first_, step_;
};

/// Writes the rows of a plane as contiguous lines; what passes the end of a line is dropped.
class LinesOfRows final : public Sink {
 public:
  /// `lines` accepts any order and outlives this.
  LinesOfRows(Sink& lines, const Extent3& rows, std::int64_t rows_of_line)
      : lines_{lines}, rows_{rows}, rows_of_line_{rows_of_line} {}
  [[nodiscard]] Extent3 extent() const override { return rows_; }
  [[nodiscard]] PixelType pixel_type() const override { return lines_.pixel_type(); }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override { lines_.close(); }

 private:
  Sink& lines_;
  Extent3 rows_;
  std::int64_t rows_of_line_;
};

}  // namespace synthoscope::fftconv

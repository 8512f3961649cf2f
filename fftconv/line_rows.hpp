// SPDX-License-Identifier: MIT
// fftconv/line_rows.hpp — a signal convolved as a plane: pieces of its only line play rows, so that
// there is a line for every vector lane.
#pragma once
#include <cstdint>
#include <optional>
#include "core/stream.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// How image, kernel and result of one line each become planes. With rows of L results and kernel
/// rows of M <= L voxels, of which there are several where the kernel is longer than L,
///
///     h[first + r L + l] = sum_{s, m} g[s M + m] f[first + (r - s) L + l - m]
///
/// where s counts only with M = L: a convolution of rows that overlap by M - 1 voxels, `valid`
/// along both axes.
/// @source Agarwal & Burrus, Fast one-dimensional digital convolution by multidimensional
///         techniques, IEEE Trans. ASSP 22 (1974): there rows of results overlap and are added.
struct LineRows {
  Problem problem;               ///< of the planes
  std::int64_t image_first = 0;  ///< position of the image plane's first voxel in its line
  std::int64_t row = 0;          ///< L
};

/// None where image or kernel are no lines along x, or too short to gain by it; nor with another
/// boundary than zero, correlation, several terms, or a sink that wants planes in order.
std::optional<LineRows> line_rows(const Problem& problem);

/// Pieces of a line as rows of a plane; zeros beyond its ends.
class RowsOfLine final : public Source {
 public:
  /// Row r begins at position `first` + r * `step`. `line` outlives this.
  RowsOfLine(Source& line, const Extent3& rows, std::int64_t first, std::int64_t step)
      : line_{line}, rows_{rows}, first_{first}, step_{step} {}
  [[nodiscard]] Extent3 extent() const override { return rows_; }
  [[nodiscard]] PixelType pixel_type() const override { return line_.pixel_type(); }
  void read(const Box3& box, VoxelView out) override;

 private:
  Source& line_;
  Extent3 rows_;
  std::int64_t first_, step_;
};

/// Rows of a plane, one behind the other as a line; what passes its end is dropped.
class LineOfRows final : public Sink {
 public:
  /// `line` accepts any order and outlives this.
  LineOfRows(Sink& line, const Extent3& rows) : line_{line}, rows_{rows} {}
  [[nodiscard]] Extent3 extent() const override { return rows_; }
  [[nodiscard]] PixelType pixel_type() const override { return line_.pixel_type(); }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override { line_.close(); }

 private:
  Sink& line_;
  Extent3 rows_;
};

}  // namespace synthoscope::fftconv

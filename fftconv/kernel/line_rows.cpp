// SPDX-License-Identifier: MIT
#include "fftconv/kernel/line_rows.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace synthoscope::fftconv {
namespace {

/// Shorter results have no rows for all lanes.
constexpr std::int64_t kShortest = 256;
/// Rows that keep the lanes busy.
constexpr std::int64_t kFewRows = 32;
/// Voxels of a row for each voxel of a short kernel: what a row reads twice then costs less than
/// longer lines would.
constexpr std::int64_t kRowOfKernel = 4;
constexpr std::int64_t kShortestRow = 128;

std::int64_t pieces(std::int64_t whole, std::int64_t piece) {
  return (whole + piece - 1) / piece;
}

/// Results of a row: short kernels lie within one, long ones are cut as a single line is. None
/// where rows would be little shorter than lines.
std::optional<std::int64_t> row_for(std::int64_t lines, std::int64_t results, std::int64_t kernel) {
  const std::int64_t row = std::max(kShortestRow, kRowOfKernel * kernel);
  if (lines > 1) return 2 * row <= results ? std::optional{row} : std::nullopt;
  if (results >= kFewRows * row) return row;
  return static_cast<std::int64_t>(std::sqrt(static_cast<double>(results + kernel)));
}

/// Position in its line of the first result.
std::int64_t first_result(const Problem& p) {
  if (p.shape == Shape::full) return 0;
  return p.shape == Shape::valid ? p.kernel.x - 1 : p.center.x;
}

std::size_t bytes_of(std::int64_t voxels, PixelType type) {
  return static_cast<std::size_t>(voxels * size_of(type));
}

/// `count` voxels of a line of a volume, from position `x` on.
Box3 piece_of_line(const Extent3& volume, std::int64_t line, std::int64_t x, std::int64_t count) {
  return {{line / volume.y, line % volume.y, x}, {1, 1, count}};
}

}  // namespace

std::optional<LineRows> line_rows(const Problem& p) {
  const bool is_line = p.kernel.z * p.kernel.y == 1;
  const bool is_plain = p.boundary == Boundary::zero && !p.correlate && !p.remove_mean &&
                        p.terms == 1 && p.order == BoxOrder::any && p.part == Box3{};
  const std::int64_t lines = p.image.z * p.image.y, results = output_extent(p).x;
  if (!is_line || !is_plain || results < kShortest) return {};
  const auto row = row_for(lines, results, p.kernel.x);
  if (!row) return {};

  LineRows cut{p, 0, *row, pieces(results, *row)};
  const std::int64_t kernel_row = std::min(*row, p.kernel.x);
  const std::int64_t kernel_rows = pieces(p.kernel.x, kernel_row);
  cut.problem.shape = Shape::valid;
  cut.problem.kernel = {1, kernel_rows, kernel_row};
  cut.problem.image = {1, lines * cut.rows_of_line + kernel_rows - 1, *row + kernel_row - 1};
  cut.problem.center = {0, 0, 0};
  cut.problem.may_sum = cut.problem.is_product = false;
  cut.image_first = first_result(p) - (kernel_rows - 1) * *row - (kernel_row - 1);
  return cut;
}

void RowsOfLines::read(const Box3& box, VoxelView out) {
  const PixelType type = pixel_type();
  const std::int64_t count = box.size.x, length = lines_.extent().x;
  for (std::int64_t i = 0; i < box.size.y; ++i) {
    std::byte* const row = out.data() + bytes_of(i * out.pitch(), type);
    const std::int64_t r = box.origin.y + i;
    const std::int64_t at = first_ + r % rows_of_line_ * step_ + box.origin.x;
    const std::int64_t begin = std::clamp<std::int64_t>(-at, 0, count);
    const std::int64_t end = std::clamp<std::int64_t>(length - at, begin, count);
    std::memset(row, 0, bytes_of(begin, type));
    std::memset(row + bytes_of(end, type), 0, bytes_of(count - end, type));
    if (end > begin)
      lines_.read(piece_of_line(lines_.extent(), r / rows_of_line_, at + begin, end - begin),
                  {row + bytes_of(begin, type), type, {1, 1, end - begin}});
  }
}

void LinesOfRows::write(const Box3& box, ConstVoxelView voxels) {
  const PixelType type = pixel_type();
  for (std::int64_t i = 0; i < box.size.y; ++i) {
    const std::int64_t r = box.origin.y + i;
    const std::int64_t at = r % rows_of_line_ * rows_.x + box.origin.x;
    const std::int64_t kept = std::min(box.size.x, lines_.extent().x - at);
    if (kept > 0)
      lines_.write(piece_of_line(lines_.extent(), r / rows_of_line_, at, kept),
                   {voxels.data() + bytes_of(i * voxels.pitch(), type), type, {1, 1, kept}});
  }
}

}  // namespace synthoscope::fftconv

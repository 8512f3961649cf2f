// SPDX-License-Identifier: MIT
#include "fftconv/line_rows.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace synthoscope::fftconv {
namespace {

/// Shorter results have no rows for all lanes.
constexpr std::int64_t kShortest = 256;
/// Rows that keep the lanes busy.
constexpr std::int64_t kFewRows = 32;
/// Voxels of a row, of those of the kernel, where the kernel is short: what a row reads twice costs
/// less then than longer lines would.
constexpr std::int64_t kRowOfKernel = 4;
constexpr std::int64_t kShortestRow = 128;

std::int64_t pieces(std::int64_t whole, std::int64_t piece) {
  return (whole + piece - 1) / piece;
}

/// Results of a row: short kernels lie within one, long ones are cut as the image is.
std::int64_t row_for(std::int64_t results, std::int64_t kernel) {
  const std::int64_t row = std::max(kShortestRow, kRowOfKernel * kernel);
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

}  // namespace

std::optional<LineRows> line_rows(const Problem& p) {
  const bool is_line = p.image.z * p.image.y * p.kernel.z * p.kernel.y == 1;
  const bool is_plain = p.boundary == Boundary::zero && !p.correlate && !p.remove_mean &&
                        p.terms == 1 && p.order == BoxOrder::any;
  const std::int64_t results = output_extent(p).x;
  if (!is_line || !is_plain || results < kShortest) return {};

  LineRows cut{p, 0, row_for(results, p.kernel.x)};
  const std::int64_t row = cut.row, kernel_row = std::min(row, p.kernel.x);
  const std::int64_t kernel_rows = pieces(p.kernel.x, kernel_row);
  cut.problem.shape = Shape::valid;
  cut.problem.kernel = {1, kernel_rows, kernel_row};
  cut.problem.image = {1, pieces(results, row) + kernel_rows - 1, row + kernel_row - 1};
  cut.problem.center = {0, 0, 0};
  cut.problem.may_sum = cut.problem.is_product = false;
  cut.image_first = first_result(p) - (kernel_rows - 1) * row - (kernel_row - 1);
  return cut;
}

void RowsOfLine::read(const Box3& box, VoxelView out) {
  const PixelType type = pixel_type();
  const std::int64_t count = box.size.x, length = line_.extent().x;
  for (std::int64_t r = 0; r < box.size.y; ++r) {
    std::byte* const row = out.data() + bytes_of(r * out.pitch(), type);
    const std::int64_t at = first_ + (box.origin.y + r) * step_ + box.origin.x;
    const std::int64_t begin = std::clamp<std::int64_t>(-at, 0, count);
    const std::int64_t end = std::clamp<std::int64_t>(length - at, begin, count);
    std::memset(row, 0, bytes_of(begin, type));
    std::memset(row + bytes_of(end, type), 0, bytes_of(count - end, type));
    if (const Extent3 there{1, 1, end - begin}; there.x > 0)
      line_.read({{0, 0, at + begin}, there}, {row + bytes_of(begin, type), type, there});
  }
}

void LineOfRows::write(const Box3& box, ConstVoxelView voxels) {
  const PixelType type = pixel_type();
  const std::int64_t length = line_.extent().x;
  for (std::int64_t r = 0; r < box.size.y; ++r) {
    const std::int64_t at = (box.origin.y + r) * rows_.x + box.origin.x;
    const Extent3 kept{1, 1, std::min(box.size.x, length - at)};
    if (kept.x > 0)
      line_.write({{0, 0, at}, kept},
                  {voxels.data() + bytes_of(r * voxels.pitch(), type), type, kept});
  }
}

}  // namespace synthoscope::fftconv

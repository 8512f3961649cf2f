// SPDX-License-Identifier: MIT
#include "kernels/correlate/factoring.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include "core/run/stop.hpp"

namespace synthoscope::kernels {
namespace {

constexpr int kMaxSweeps = 60;

using Line = std::vector<double>;

/// A product of a column and a row: a part of a matrix.
struct RankOne {
  Line column, row;
};

double dot(const Line& a, const Line& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double sum_of_magnitudes(const Line& line) {
  return std::accumulate(line.begin(), line.end(), 0.0,
                         [](double sum, double value) { return sum + std::abs(value); });
}

/// Turns two lines in their plane by an angle.
void rotate(double cosine, double sine, Line& a, Line& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double from_a = a[i], from_b = b[i];
    a[i] = cosine * from_a - sine * from_b;
    b[i] = sine * from_a + cosine * from_b;
  }
}

/// Makes two rows orthogonal, and rotates the lines of `basis` with them.
/// @returns false if they were orthogonal already.
bool part(Line& a, Line& b, Line& basis_a, Line& basis_b) {
  const double aa = dot(a, a), bb = dot(b, b), ab = dot(a, b);
  if (std::abs(ab) <= std::numeric_limits<double>::epsilon() * std::sqrt(aa * bb)) return false;
  const double slope = (bb - aa) / (2 * ab);
  const double tangent = std::copysign(1.0, slope) / (std::abs(slope) + std::hypot(1.0, slope));
  const double cosine = 1 / std::hypot(1.0, tangent);
  rotate(cosine, cosine * tangent, a, b);
  rotate(cosine, cosine * tangent, basis_a, basis_b);
  return true;
}

/// Returns the singular value decomposition, largest first; rows are multiplied by singular values.
std::vector<RankOne> singular_parts(std::vector<Line> rows) {
  const std::size_t count = rows.size();
  std::vector<Line> basis(count, Line(count));
  for (std::size_t i = 0; i < count; ++i) basis[i][i] = 1;
  StopMeter meter;
  bool turns = true;
  for (int sweep = 0; sweep < kMaxSweeps && turns; ++sweep) {
    turns = false;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count; ++j) {
        meter.work(static_cast<std::int64_t>(3 * (rows[i].size() + count)));
        turns |= part(rows[i], rows[j], basis[i], basis[j]);
      }
  }
  std::vector<RankOne> parts;
  for (std::size_t i = 0; i < count; ++i)
    parts.push_back({std::move(basis[i]), std::move(rows[i])});
  std::ranges::stable_sort(parts, [](const RankOne& a, const RankOne& b) {
    return dot(a.row, a.row) > dot(b.row, b.row);
  });
  return parts;
}

/// How the lines of a matrix change when their order is reversed: not, in sign, or otherwise (0).
enum class Mirror { negated = -1, none = 0, same = 1 };

/// Folds a matrix whose rows mirror each other. Its singular parts are those of half of the rows,
/// each row times sqrt(2) except one in the middle.
class FoldedLines {
 public:
  explicit FoldedLines(const std::vector<Line>& rows)
      : size_{rows.size()}, mirror_{mirror_of(rows)} {}

  [[nodiscard]] std::vector<Line> fold(std::vector<Line> rows) const {
    if (mirror_ == Mirror::none) return rows;
    const double sign = static_cast<double>(mirror_);
    for (std::size_t y = 0; y < size_ / 2; ++y)
      for (std::size_t x = 0; x < rows[y].size(); ++x)
        rows[y][x] = std::numbers::sqrt2 / 2 * (rows[y][x] + sign * rows[size_ - 1 - y][x]);
    rows.resize(size_ / 2 + (mirror_ == Mirror::same ? size_ % 2 : 0));
    return rows;
  }

  /// Returns the values of all rows from those of the folded rows.
  [[nodiscard]] Line unfold(const Line& folded) const {
    if (mirror_ == Mirror::none) return folded;
    Line line(size_);
    for (std::size_t y = 0; y < folded.size(); ++y) {
      const bool is_middle = 2 * y + 1 == size_;
      line[y] = is_middle ? folded[y] : std::numbers::sqrt2 / 2 * folded[y];
      line[size_ - 1 - y] = is_middle ? line[y] : static_cast<double>(mirror_) * line[y];
    }
    return line;
  }

 private:
  static Mirror mirror_of(const std::vector<Line>& rows) {
    double largest = 0;
    for (const Line& row : rows)
      for (const double value : row) largest = std::max(largest, std::abs(value));
    for (const Mirror mirror : {Mirror::same, Mirror::negated}) {
      double apart = 0;
      for (std::size_t y = 0; y < rows.size(); ++y)
        for (std::size_t x = 0; x < rows[y].size(); ++x)
          apart = std::max(apart, std::abs(rows[y][x] - static_cast<double>(mirror) *
                                                            rows[rows.size() - 1 - y][x]));
      // Formulae round differently on the two sides
      if (rows.size() > 1 && apart <= 16 * std::numeric_limits<double>::epsilon() * largest)
        return mirror;
    }
    return Mirror::none;
  }

  std::size_t size_;
  Mirror mirror_;
};

std::vector<Line> transposed(const std::vector<Line>& rows) {
  std::vector<Line> columns(rows[0].size(), Line(rows.size()));
  for (std::size_t y = 0; y < rows.size(); ++y)
    for (std::size_t x = 0; x < rows[0].size(); ++x) columns[x][y] = rows[y][x];
  return columns;
}

/// Returns the singular value decomposition of any matrix, largest first; rows are multiplied by
/// singular values.
std::vector<RankOne> parts_of_matrix(const std::vector<Line>& rows) {
  const FoldedLines across{rows}, along{transposed(rows)};
  std::vector<Line> columns = along.fold(transposed(across.fold(rows)));
  // Many short rows take long; the transposed matrix has few
  const bool is_turned = columns.size() > columns[0].size();
  std::vector<RankOne> parts = singular_parts(is_turned ? transposed(columns) : std::move(columns));
  for (RankOne& part : parts) {
    if (!is_turned) std::swap(part.column, part.row);
    part.column = across.unfold(part.column);
    part.row = along.unfold(part.row);
  }
  return parts;
}

/// Returns the fewest parts of a matrix, at least one, such that the magnitudes of the rest add up
/// to at most `left`.
/// @param matrix  row by row
std::vector<RankOne> few_parts(const Line& matrix, std::size_t rows, double left) {
  const std::size_t columns = matrix.size() / rows;
  std::vector<Line> lines;
  for (std::size_t y = 0; y < rows; ++y) {
    const auto row = matrix.begin() + static_cast<std::ptrdiff_t>(y * columns);
    lines.emplace_back(row, row + static_cast<std::ptrdiff_t>(columns));
  }
  const std::vector<RankOne> parts = parts_of_matrix(lines);

  Line rest = matrix;
  std::size_t taken = 0;
  do {
    const RankOne& next = parts[taken++];
    stop_point();
    for (std::size_t y = 0; y < rows; ++y)
      for (std::size_t x = 0; x < columns; ++x)
        rest[y * columns + x] -= next.column[y] * next.row[x];
  } while (taken < parts.size() && sum_of_magnitudes(rest) > left);
  return {parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(taken)};
}

}  // namespace

void require_tolerance(double tolerance) {
  if (!(tolerance >= 0 && tolerance < 1))
    throw InvalidSpec(fmt::format(
        "factor the kernel: it may leave out {} of its weights; give a share of at least 0 and "
        "less than 1, such as {}",
        tolerance, kFactorTolerance));
}

SeparableStencil as_sum_of_products(const Stencil& stencil, double tolerance) {
  require_usable(stencil);
  require_tolerance(tolerance);
  const Extent3& e = stencil.extent;
  // Half of what may be left out along z, the other half in the planes
  const double left = 0.5 * tolerance * sum_of_magnitudes(stencil.weights);
  SeparableStencil factored{e, {}, stencil.centre};
  const auto along_z = few_parts(stencil.weights, static_cast<std::size_t>(e.z), left);
  const double of_each = left / static_cast<double>(along_z.size());
  for (const RankOne& part : along_z) {
    const double magnitude = std::max(sum_of_magnitudes(part.column), 1e-300);
    SeparableStencil::Term term{part.column, {}};
    for (RankOne& plane : few_parts(part.row, static_cast<std::size_t>(e.y), of_each / magnitude))
      term.planes.push_back({std::move(plane.column), std::move(plane.row)});
    factored.terms.push_back(std::move(term));
  }
  return factored;
}

}  // namespace synthoscope::kernels

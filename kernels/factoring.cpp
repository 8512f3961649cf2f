// SPDX-License-Identifier: MIT
#include "kernels/factoring.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace synthoscope::kernels {
namespace {

constexpr int kMostSweeps = 60;

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

/// Makes two rows orthogonal, and turns the lines of `basis` along. @returns false if they were.
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

/// The singular value decomposition, largest first, singular values in the rows.
std::vector<RankOne> singular_parts(std::vector<Line> rows) {
  const std::size_t count = rows.size();
  std::vector<Line> basis(count, Line(count));
  for (std::size_t i = 0; i < count; ++i) basis[i][i] = 1;
  bool turns = true;
  for (int sweep = 0; sweep < kMostSweeps && turns; ++sweep) {
    turns = false;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i + 1; j < count; ++j)
        turns |= part(rows[i], rows[j], basis[i], basis[j]);
  }
  std::vector<RankOne> parts;
  for (std::size_t i = 0; i < count; ++i)
    parts.push_back({std::move(basis[i]), std::move(rows[i])});
  std::ranges::stable_sort(parts, [](const RankOne& a, const RankOne& b) {
    return dot(a.row, a.row) > dot(b.row, b.row);
  });
  return parts;
}

/// Makes a line that mirrors itself, or its negative, but for `noise`, do so exactly: sums fold it.
void mirror(Line& line, double noise) {
  for (const double sign : {1.0, -1.0}) {
    Line mirrored = line;
    double apart = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const double other = sign * line[line.size() - 1 - i];
      mirrored[i] = 0.5 * (line[i] + other);
      apart = std::max(apart, std::abs(line[i] - other));
    }
    if (apart <= noise) {
      line = std::move(mirrored);
      return;
    }
  }
}

/// The fewest parts of a matrix that leave no more of it than `left`, at least one.
/// @param matrix  row by row
std::vector<RankOne> few_parts(const Line& matrix, std::size_t rows, double left) {
  const std::size_t columns = matrix.size() / rows;
  // Short rows, many of them, take long: the other way round they are few
  const bool is_turned = rows > columns;
  std::vector<Line> lines(is_turned ? columns : rows, Line(is_turned ? rows : columns));
  for (std::size_t y = 0; y < rows; ++y)
    for (std::size_t x = 0; x < columns; ++x)
      (is_turned ? lines[x][y] : lines[y][x]) = matrix[y * columns + x];
  std::vector<RankOne> parts = singular_parts(std::move(lines));
  // A matrix that mirrors itself has parts that do, but for what rounding makes of small ones
  const double noise =
      64 * std::numeric_limits<double>::epsilon() * std::sqrt(dot(parts[0].row, parts[0].row));
  for (RankOne& part : parts) {
    mirror(part.row, noise);
    mirror(part.column, noise / std::max(std::sqrt(dot(part.row, part.row)), 1e-300));
    if (is_turned) std::swap(part.column, part.row);
  }

  Line rest = matrix;
  std::size_t taken = 0;
  do {
    const RankOne& next = parts[taken++];
    for (std::size_t y = 0; y < rows; ++y)
      for (std::size_t x = 0; x < columns; ++x)
        rest[y * columns + x] -= next.column[y] * next.row[x];
  } while (taken < parts.size() && sum_of_magnitudes(rest) > left);
  parts.resize(taken);
  return parts;
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

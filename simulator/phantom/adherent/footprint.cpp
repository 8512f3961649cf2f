// SPDX-License-Identifier: MIT
#include "simulator/phantom/adherent/footprint.hpp"
#include <algorithm>
#include <cmath>
#include "simulator/phantom/texture/texture.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kBandUm = 1.2;  // where distances from the polygon are exact

/// Returns the distance of a point from a segment.
double from_segment(const Point2& p, const Point2& a, const Point2& b) {
  const double y = b[0] - a[0], x = b[1] - a[1], square = y * y + x * x;
  double t = square > 0 ? ((p[0] - a[0]) * y + (p[1] - a[1]) * x) / square : 0;
  t = std::min(1.0, std::max(0.0, t));
  const double dy = p[0] - a[0] - t * y, dx = p[1] - a[1] - t * x;
  return std::sqrt(dy * dy + dx * dx);
}

/// Returns for each node of a row how often the polygon winds around it.
void wind_row(const std::vector<Point2>& polygon, const PlaneField& field, int row,
              std::vector<int>& turns) {
  std::fill(turns.begin(), turns.end(), 0);
  const double y = field.place(row, 0)[0];
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point2 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    if ((a[0] <= y) == (b[0] <= y)) continue;
    const double x = a[1] + (y - a[0]) / (b[0] - a[0]) * (b[1] - a[1]);
    const double first = std::ceil((x - field.x_um) / kLatticeUm);
    const int begin = static_cast<int>(std::max(0.0, first));
    if (begin < field.columns) turns[static_cast<std::size_t>(begin)] += a[0] < b[0] ? 1 : -1;
  }
  for (std::size_t i = 1; i < turns.size(); ++i) turns[i] += turns[i - 1];
}

/// Squared distances, in steps, along one line: the lower envelope of parabolas.
/// @source Felzenszwalb, Huttenlocher, Theory Comput. 8 (2012) 415,
///         doi:10.4086/toc.2012.v008a019.
void lower_envelope(std::vector<double>& line, std::vector<double>& scratch,
                    std::vector<int>& vertex, std::vector<double>& from) {
  const int count = static_cast<int>(line.size());
  vertex.resize(line.size());
  from.resize(line.size() + 1);
  scratch = line;
  const auto at = [&](int i) { return scratch[static_cast<std::size_t>(i)]; };
  int last = 0;
  vertex[0] = 0;
  from[0] = -1e300;
  from[1] = 1e300;
  for (int q = 1; q < count; ++q) {
    double s = 0;
    for (;;) {
      const int v = vertex[static_cast<std::size_t>(last)];
      s = ((at(q) + double(q) * q) - (at(v) + double(v) * v)) / (2.0 * (q - v));
      if (s > from[static_cast<std::size_t>(last)] || last == 0) break;
      --last;
    }
    if (s <= from[static_cast<std::size_t>(last)]) {  // the first parabola lies above this one
      vertex[0] = q;
      from[1] = 1e300;
      last = 0;
      continue;
    }
    ++last;
    vertex[static_cast<std::size_t>(last)] = q;
    from[static_cast<std::size_t>(last)] = s;
    from[static_cast<std::size_t>(last) + 1] = 1e300;
  }
  int k = 0;
  for (int q = 0; q < count; ++q) {
    while (from[static_cast<std::size_t>(k) + 1] < q) ++k;
    const double d = q - vertex[static_cast<std::size_t>(k)];
    line[static_cast<std::size_t>(q)] = d * d + at(vertex[static_cast<std::size_t>(k)]);
  }
}

/// Returns the distance of each node from the nearest one for which `holds(i)` is true, um.
template <class Holds>
std::vector<float> distances_to(const PlaneField& field, Holds&& holds) {
  constexpr double kFar = 1e12;
  const auto rows = static_cast<std::size_t>(field.rows),
             columns = static_cast<std::size_t>(field.columns);
  std::vector<double> squares(rows * columns), line, scratch, from;
  std::vector<int> vertex;
  for (std::size_t i = 0; i < squares.size(); ++i) squares[i] = holds(i) ? 0 : kFar;
  line.resize(rows);
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) line[row] = squares[row * columns + column];
    lower_envelope(line, scratch, vertex, from);
    for (std::size_t row = 0; row < rows; ++row) squares[row * columns + column] = line[row];
  }
  line.resize(columns);
  std::vector<float> distances(squares.size());
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy_n(squares.begin() + static_cast<std::ptrdiff_t>(row * columns), columns,
                line.begin());
    lower_envelope(line, scratch, vertex, from);
    for (std::size_t column = 0; column < columns; ++column)
      distances[row * columns + column] =
          static_cast<float>(kLatticeUm * std::sqrt(std::min(line[column], kFar)));
  }
  return distances;
}

/// Returns which nodes with `holds(i)` are connected with the one nearest to `middle`, along rows
/// and columns.
template <class Holds>
std::vector<bool> connected(const PlaneField& field, const Point2& middle, Holds&& holds) {
  std::vector<bool> is_in(field.values.size());
  std::size_t start = field.values.size();
  double nearest = 1e300;
  for (int row = 0; row < field.rows; ++row)
    for (int column = 0; column < field.columns; ++column) {
      const std::size_t i = field.index(row, column);
      if (!holds(i)) continue;
      const Point2 p = field.place(row, column);
      const double y = p[0] - middle[0], x = p[1] - middle[1], square = y * y + x * x;
      if (square >= nearest) continue;
      nearest = square;
      start = i;
    }
  if (start == field.values.size()) return is_in;
  const auto columns = static_cast<std::size_t>(field.columns);
  std::vector<std::size_t> open{start};
  is_in[start] = true;
  const auto reach = [&](std::size_t i) {
    if (is_in[i] || !holds(i)) return;
    is_in[i] = true;
    open.push_back(i);
  };
  while (!open.empty()) {
    const std::size_t i = open.back();
    open.pop_back();
    const std::size_t column = i % columns;
    if (column > 0) reach(i - 1);
    if (column + 1 < columns) reach(i + 1);
    if (i >= columns) reach(i - columns);
    if (i + columns < is_in.size()) reach(i + columns);
  }
  return is_in;
}

}  // namespace

PlaneField PlaneField::over(const Point2& low, const Point2& high) {
  PlaneField field;
  // On whole steps, so that a shift by whole steps moves nodes onto nodes
  const double row = std::floor(low[0] / kLatticeUm), column = std::floor(low[1] / kLatticeUm);
  field.y_um = row * kLatticeUm;
  field.x_um = column * kLatticeUm;
  field.rows = static_cast<int>(std::ceil(high[0] / kLatticeUm) - row) + 1;
  field.columns = static_cast<int>(std::ceil(high[1] / kLatticeUm) - column) + 1;
  field.values.resize(static_cast<std::size_t>(field.rows) *
                      static_cast<std::size_t>(field.columns));
  return field;
}

PlaneField footprint_of(const CellOutline& outline) {
  Point2 low{1e300, 1e300}, high{-1e300, -1e300};
  for (const Point2& p : outline.points)
    for (std::size_t axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], p[axis] - 2);
      high[axis] = std::max(high[axis], p[axis] + 2);
    }
  PlaneField field = PlaneField::over(low, high);
  std::fill(field.values.begin(), field.values.end(), static_cast<float>(kBandUm));

  // Distances within a band around each piece of the polygon, then their signs
  const auto range = [&](double a, double b, double origin, int count) {
    const double begin = std::floor((std::min(a, b) - kBandUm - origin) / kLatticeUm);
    const double end = std::ceil((std::max(a, b) + kBandUm - origin) / kLatticeUm);
    return std::array<int, 2>{static_cast<int>(std::max(0.0, begin)),
                              static_cast<int>(std::min<double>(count - 1, end))};
  };
  for (std::size_t i = 0; i < outline.points.size(); ++i) {
    const Point2 &a = outline.points[i], &b = outline.points[(i + 1) % outline.points.size()];
    const auto rows = range(a[0], b[0], field.y_um, field.rows);
    const auto columns = range(a[1], b[1], field.x_um, field.columns);
    for (int row = rows[0]; row <= rows[1]; ++row)
      for (int column = columns[0]; column <= columns[1]; ++column) {
        float& value = field.node(row, column);
        value = std::min(value, static_cast<float>(from_segment(field.place(row, column), a, b)));
      }
  }
  std::vector<int> turns(static_cast<std::size_t>(field.columns));
  for (int row = 0; row < field.rows; ++row) {
    wind_row(outline.points, field, row, turns);
    for (int column = 0; column < field.columns; ++column)
      if (turns[static_cast<std::size_t>(column)] == 0)
        field.node(row, column) = -field.node(row, column);
  }

  // Bands from the origin to the adhesions
  for (const Adhesion& adhesion : outline.adhesions) {
    const double tip = std::min(1.3, 0.45 * adhesion.width_um);
    const double y = adhesion.at[0], x = adhesion.at[1], square = y * y + x * x;
    for (int row = 0; row < field.rows; ++row)
      for (int column = 0; column < field.columns; ++column) {
        const Point2 p = field.place(row, column);
        const double t =
            square > 0 ? std::min(0.97, std::max(0.0, (p[0] * y + p[1] * x) / square)) : 0;
        const double dy = p[0] - t * y, dx = p[1] - t * x;
        const double away = dy * dy + dx * dx, half = 2.2 + t * (tip - 2.2);
        if (away > (half + kBandUm) * (half + kBandUm)) continue;
        float& value = field.node(row, column);
        value = std::max(value, static_cast<float>(half - std::sqrt(away)));
      }
  }
  return field;
}

void roughen(PlaneField& distances, std::uint64_t seed) {
  Texture noise{seed, 3.0, 3};
  for (int row = 0; row < distances.rows; ++row)
    for (int column = 0; column < distances.columns; ++column) {
      float& value = distances.node(row, column);
      if (std::abs(value) > 1) continue;
      const Point2 p = distances.place(row, column);
      value += static_cast<float>(0.22 * noise({0, p[0], p[1]}));
    }
}

void keep_one_piece(PlaneField& distances, double radius_um, const Point2& middle) {
  measure_far(distances, 0.9 * kBandUm);
  const auto& all = distances.values;
  const auto radius = static_cast<float>(radius_um);
  const std::vector<bool> core =
      connected(distances, middle, [&](std::size_t i) { return all[i] > radius; });
  const std::vector<float> away = distances_to(distances, [&](std::size_t i) { return core[i]; });
  // Half a step more, so that what is wide enough stays as it was
  const auto wide = static_cast<float>(radius_um + kLatticeUm / 2);
  for (std::size_t i = 0; i < away.size(); ++i)
    distances.values[i] = std::min(distances.values[i], wide - away[i]);
  const std::vector<bool> kept =
      connected(distances, middle, [&](std::size_t i) { return all[i] > 0; });
  for (std::size_t i = 0; i < away.size(); ++i)
    if (!kept[i]) distances.values[i] = std::min(distances.values[i], -0.02F);
  measure_far(distances, 0.5);
}

void measure_far(PlaneField& distances, double near_um) {
  const std::vector<float> before = distances.values;
  const auto out = distances_to(distances, [&](std::size_t i) { return before[i] <= 0; });
  const auto in = distances_to(distances, [&](std::size_t i) { return before[i] > 0; });
  const auto half = static_cast<float>(kLatticeUm / 2), near = static_cast<float>(near_um);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const float found = before[i] > 0 ? out[i] - half : half - in[i];
    if (std::abs(found) >= near) distances.values[i] = found;
  }
}

}  // namespace synthoscope::simulator

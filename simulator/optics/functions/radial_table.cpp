// SPDX-License-Identifier: MIT
#include "simulator/optics/functions/radial_table.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include "simulator/optics/functions/gauss_legendre.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kBefore = 2;  // radii below the nearest lower one

/// Returns Lagrange's weights for the points -2 ... 3 at 0 <= t < 1.
std::array<double, 6> lagrange6(double t) {
  const double m2 = t + 2, m1 = t + 1, p1 = t - 1, p2 = t - 2, p3 = t - 3;
  return {-m1 * t * p1 * p2 * p3 / 120, m2 * t * p1 * p2 * p3 / 24,  -m2 * m1 * p1 * p2 * p3 / 12,
          m2 * m1 * t * p2 * p3 / 12,   -m2 * m1 * t * p1 * p3 / 24, m2 * m1 * t * p1 * p2 / 120};
}

/// A pixel as a weighted sum of consecutive radii: one row of a sparse matrix.
struct PixelRow {
  std::int64_t first = 0;
  std::vector<double> weights;
};

/// Collects the quadrature points of the pixel whose middle lies (y, x) pixels from the axis.
void gather(const RadialTable& table, const PixelRule& rule, const Quadrature& side, double y,
            double x, PixelRow& row) {
  const double low_y = std::max(0.0, std::abs(y) - 0.5) * rule.y_um;
  const double low_x = std::max(0.0, std::abs(x) - 0.5) * rule.x_um;
  const double high = std::hypot((std::abs(y) + 0.5) * rule.y_um, (std::abs(x) + 0.5) * rule.x_um);
  row.first = std::max<std::int64_t>(
      0, static_cast<std::int64_t>(std::hypot(low_y, low_x) / table.step_um) - kBefore - 1);
  const auto last = static_cast<std::int64_t>(high / table.step_um) + kRadiiAfter + 1;
  row.weights.assign(static_cast<std::size_t>(last + 1 - row.first), 0);
  for (std::size_t i = 0; i < side.nodes.size(); ++i)
    for (std::size_t j = 0; j < side.nodes.size(); ++j) {
      const double dy = (y + side.nodes[i]) * rule.y_um;
      const double dx = (x + side.nodes[j]) * rule.x_um;
      const RadialWeights near = weights_at(std::sqrt(dy * dy + dx * dx) / table.step_um);
      for (std::size_t k = 0; k < near.weight.size(); ++k)
        row.weights[static_cast<std::size_t>(near.radius(k) - row.first)] +=
            side.weights[i] * side.weights[j] * near.weight[k];
    }
}

Quadrature unit_side(int nodes) {
  return nodes == 1 ? Quadrature{{0.0}, {1.0}} : gauss_legendre(nodes, -0.5, 0.5);
}

/// Computes one line of pixels, y pixels from the axis, the first at x: line[i * planes + p],
/// summed over radii in ascending order.
void fill_line(const RadialTable& table, const PixelRule& rule, const Quadrature& side, double y,
               double x, std::int64_t width, double* line) {
  PixelRow pixel;
  for (std::int64_t i = 0; i < width; ++i) {
    gather(table, rule, side, y, x + static_cast<double>(i), pixel);
    double* const out = line + i * table.planes;
    std::fill(out, out + table.planes, 0.0);
    for (std::size_t k = 0; k < pixel.weights.size(); ++k) {
      const double weight = pixel.weights[k];
      if (weight == 0) continue;
      const double* const in = table.row(pixel.first + static_cast<std::int64_t>(k));
      for (std::int64_t p = 0; p < table.planes; ++p) out[p] += weight * in[p];
    }
  }
}

/// Copies a line of the first quadrant into both mirrored rows of every plane.
template <class T>
void mirror_line(const double* line, std::int64_t planes, std::int64_t y, double scale,
                 HostView3<T> out) {
  const std::int64_t cy = out.extent().y / 2, cx = out.extent().x / 2;
  for (std::int64_t p = 0; p < planes; ++p) {
    T* const row = out.row(p, cy + y);
    for (std::int64_t x = 0; x <= cx; ++x) {
      const T value = static_cast<T>(scale * line[x * planes + p]);
      row[cx + x] = value;
      row[cx - x] = value;
    }
    if (y > 0) std::copy(row, row + out.extent().x, out.row(p, cy - y));
  }
}

/// Writes a line into its row of every plane.
template <class T>
void store_line(const double* line, std::int64_t planes, std::int64_t y, double scale,
                HostView3<T> out) {
  for (std::int64_t p = 0; p < planes; ++p)
    for (std::int64_t x = 0; x < out.extent().x; ++x)
      out(p, y, x) = static_cast<T>(scale * line[x * planes + p]);
}

}  // namespace

RadialWeights weights_at(double position) {
  const auto below = static_cast<std::int64_t>(position);
  return {below - kBefore, lagrange6(position - static_cast<double>(below))};
}

RadialTable interpolated(const RadialTable& light, double step_um, std::int64_t radii,
                         TaskPool& pool) {
  RadialTable finer{step_um, radii, light.planes, {}};
  finer.intensity.resize(static_cast<std::size_t>(radii * light.planes));
  pool.for_each(radii, [&](std::int64_t j) {
    const RadialWeights near = weights_at(step_um * static_cast<double>(j) / light.step_um);
    const double* in[6];
    for (std::size_t k = 0; k < 6; ++k) in[k] = light.row(near.radius(k));
    const auto& w = near.weight;
    double* const out = finer.intensity.data() + j * light.planes;
    for (std::int64_t p = 0; p < light.planes; ++p)
      out[p] = w[0] * in[0][p] + w[1] * in[1][p] + w[2] * in[2][p] + w[3] * in[3][p] +
               w[4] * in[4][p] + w[5] * in[5][p];
  });
  return finer;
}

std::int64_t radii_needed(const PixelRule& rule, const Extent3& size, double step_um) {
  const double reach = 0.5 * std::hypot(static_cast<double>(size.y) * rule.y_um,
                                        static_cast<double>(size.x) * rule.x_um) +
                       std::hypot(rule.shift_y_um, rule.shift_x_um);
  return static_cast<std::int64_t>(reach / step_um) + kRadiiAfter + 3;
}

Extent3 spread_lines(const PixelRule& rule, const Extent3& size) {
  return rule.is_centred() ? Extent3{size.z, size.y / 2 + 1, size.x / 2 + 1} : size;
}

template <class T>
std::vector<double> spread_over_pixels(const RadialTable& table, const PixelRule& rule,
                                       double scale, HostView3<T> out, TaskPool& pool) {
  const bool is_mirrored = rule.is_centred();
  const auto [depth, height, width] = spread_lines(rule, out.extent());
  const auto from_axis = [&](std::int64_t pixels, double pitch_um, double shift_um) {
    return is_mirrored ? 0.0 : -static_cast<double>(pixels / 2) - shift_um / pitch_um;
  };
  const double first_y = from_axis(height, rule.y_um, rule.shift_y_um);
  const double first_x = from_axis(width, rule.x_um, rule.shift_x_um);
  const auto planes = static_cast<std::size_t>(table.planes);
  const Quadrature side = unit_side(rule.nodes);
  std::vector<double> line_sums(static_cast<std::size_t>(height) * planes);
  pool.for_each(height, [&, width = width](std::int64_t y) {
    std::vector<double> line(static_cast<std::size_t>(width) * planes);
    fill_line(table, rule, side, first_y + static_cast<double>(y), first_x, width, line.data());
    if (is_mirrored)
      mirror_line(line.data(), table.planes, y, scale, out);
    else
      store_line(line.data(), table.planes, y, scale, out);
    double* const sums = line_sums.data() + static_cast<std::size_t>(y) * planes;
    for (std::int64_t x = 0; x < width; ++x) {
      const double copies = is_mirrored ? (y > 0 ? 2.0 : 1.0) * (x > 0 ? 2.0 : 1.0) : 1.0;
      for (std::size_t p = 0; p < planes; ++p)
        sums[p] += copies * line[static_cast<std::size_t>(x) * planes + p];
    }
  });
  std::vector<double> totals(planes);
  for (std::size_t i = 0; i < line_sums.size(); ++i) totals[i % planes] += line_sums[i];
  return totals;
}

template std::vector<double> spread_over_pixels(const RadialTable&, const PixelRule&, double,
                                                HostView3<float>, TaskPool&);
template std::vector<double> spread_over_pixels(const RadialTable&, const PixelRule&, double,
                                                HostView3<double>, TaskPool&);

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "simulator/optics/models/pinhole.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include "simulator/optics/functions/gauss_legendre.hpp"

namespace synthoscope::simulator {
namespace {

/// Quadrature nodes in the upper half of a disc, weighted for the whole disc.
struct DiscNodes {
  std::vector<double> along_um, squared_um2, weight;
};

DiscNodes nodes_of(double disc_um, double lateral) {
  // Radii by Gauss-Legendre, angles by the midpoint rule: both exact to the last digits for light
  // of this band
  const double phase = 2 * lateral * disc_um;
  const Quadrature radii = gauss_legendre(static_cast<std::int64_t>(0.6 * phase) + 10, 0, disc_um);
  const auto angles = static_cast<std::int64_t>(0.7 * phase) + 12;
  DiscNodes disc;
  for (std::size_t i = 0; i < radii.nodes.size(); ++i)
    for (std::int64_t j = 0; j < angles; ++j) {
      const double rho = radii.nodes[i];
      const double angle =
          std::numbers::pi * (static_cast<double>(j) + 0.5) / static_cast<double>(angles);
      disc.along_um.push_back(rho * std::cos(angle));
      disc.squared_um2.push_back(rho * rho);
      disc.weight.push_back(radii.weights[i] * rho * 2 * std::numbers::pi /
                            static_cast<double>(angles));
    }
  return disc;
}

}  // namespace

RadialGrid grid_about_disc(const RadialGrid& grid, double disc_um, double step_um) {
  const double reach = grid.reach_um() + disc_um;
  return {step_um, static_cast<std::int64_t>(reach / step_um) + kRadiiAfter + 2, grid.z_um};
}

RadialTable through_pinhole(const RadialTable& light, double disc_um, double lateral,
                            double step_um, std::int64_t radii, TaskPool& pool) {
  const DiscNodes disc = nodes_of(disc_um, lateral);
  RadialTable seen{step_um, radii, light.planes, {}};
  seen.intensity.resize(static_cast<std::size_t>(radii * light.planes));
  pool.for_each(radii, [&](std::int64_t j) {
    // The disc around this radius as a weighted sum of radii
    const double r = step_um * static_cast<double>(j);
    std::vector<double> weights(static_cast<std::size_t>(light.radii));
    for (std::size_t i = 0; i < disc.weight.size(); ++i) {
      const double squared = r * r + disc.squared_um2[i] + 2 * r * disc.along_um[i];
      const RadialWeights near = weights_at(std::sqrt(std::max(0.0, squared)) / light.step_um);
      for (std::size_t k = 0; k < near.weight.size(); ++k)
        weights[static_cast<std::size_t>(near.radius(k))] += disc.weight[i] * near.weight[k];
    }
    double* const out = seen.intensity.data() + j * light.planes;
    for (std::int64_t i = 0; i < light.radii; ++i) {
      const double weight = weights[static_cast<std::size_t>(i)];
      if (weight == 0) continue;
      const double* const in = light.row(i);
      for (std::int64_t p = 0; p < light.planes; ++p) out[p] += weight * in[p];
    }
  });
  return seen;
}

}  // namespace synthoscope::simulator

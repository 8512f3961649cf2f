// SPDX-License-Identifier: MIT
#include "simulator/optics/pupil/symmetric_pupil.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>
#include "core/base/error.hpp"
#include "core/run/stop.hpp"
#include "simulator/optics/functions/bessel.hpp"
#include "simulator/optics/functions/gauss_legendre.hpp"
#include "simulator/optics/functions/radial_product.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMaxNodes = 6000;  // of a zone

/// Returns the columns for real and imaginary parts of all planes, in whole tiles.
constexpr std::int64_t columns_of(std::int64_t planes) {
  return (2 * planes + kTileColumns - 1) / kTileColumns * kTileColumns;
}

/// Returns the weight of |I_m|^2 in the PSF.
constexpr double share_of(int order) {
  return order == 1 ? 2 : 1;
}

double radius_in(const PupilZone& zone, double sine) {
  return zone.from == 0 ? zone.to * sine
                        : std::sqrt(zone.from * zone.from +
                                    (zone.to - zone.from) * (zone.to + zone.from) * sine * sine);
}

}  // namespace

void PupilNodes::add(const PupilZone& zone, std::int64_t nodes) {
  const Quadrature rule = gauss_legendre(nodes, 0, std::numbers::pi / 2);
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    const double s = std::sin(rule.nodes[i]);
    rho.push_back(radius_in(zone, s));
    weight.push_back(rule.weights[i] * (zone.to * zone.to - zone.from * zone.from) * s *
                     std::cos(rule.nodes[i]));
  }
}

SymmetricPupil::SymmetricPupil(double na, double wavelength_um, double pupil_radius, int charge)
    : wavenumber_{2 * std::numbers::pi / wavelength_um},
      lateral_wavenumber_{wavenumber_ * na},
      pupil_radius_{pupil_radius},
      charge_{charge} {}

double SymmetricPupil::plane_energy_um2() const {
  constexpr std::int64_t kNodes = 200;  // amplitudes are smooth over a zone
  PupilNodes pupil;
  for (const PupilZone& zone : zones()) pupil.add(zone, kNodes);
  double energy = 0;
  for (std::size_t i = 0; i < pupil.rho.size(); ++i) {
    const Amplitudes a = amplitudes(pupil.rho[i]);
    for (int m = 0; m < orders(); ++m)
      energy += pupil.weight[i] * share_of(m) * std::norm(a[static_cast<std::size_t>(m)]);
  }
  return 2 * std::numbers::pi * energy / (lateral_wavenumber_ * lateral_wavenumber_);
}

/// Returns how fast the phase of a plane turns relative to the density of the nodes, as the swing
/// of a phase that turns evenly. Aberrations that cancel between the middle and the rim have no
/// swing, yet turn in between.
double SymmetricPupil::even_swing_um(const PupilZone& zone, double z_um) const {
  constexpr int kSamples = 512;
  const auto path = [&](int i) {
    return path_difference_um(radius_in(zone, std::sin(std::numbers::pi / 2 * i / kSamples)), z_um);
  };
  double least = path(0), most = least, turn = 0, last = least;
  for (int i = 1; i <= kSamples; ++i) {
    const double here = path(i), x = (2.0 * i - 1) / kSamples - 1;
    turn = std::max(turn, std::abs(here - last) * kSamples * std::sqrt(1 - x * x));
    least = std::min(least, here);
    most = std::max(most, here);
    last = here;
  }
  return std::max(turn, most - least);
}

PupilNodes SymmetricPupil::nodes_for(double r_max_um, std::span<const double> z_um,
                                     double closeness) const {
  PupilNodes pupil;
  for (const PupilZone& zone : zones()) {
    double swing = 0;
    for (const double z : z_um) swing = std::max(swing, even_swing_um(zone, z));
    const double radians =
        wavenumber_ * swing + lateral_wavenumber_ * (zone.to - zone.from) * r_max_um;
    const double nodes = std::ceil(0.6 * radians + 20);
    if (!(nodes <= kMaxNodes))
      throw InvalidSpec(
          fmt::format("psf: the phases change as fast as {:.0f} waves that are spread evenly over "
                      "the pupil and the PSF, at most {} are computed; check thicknesses, indices, "
                      "depth and the size of the PSF",
                      radians / (2 * std::numbers::pi),
                      static_cast<std::int64_t>(kMaxNodes / 0.6 / (2 * std::numbers::pi))));
    pupil.add(zone, static_cast<std::int64_t>(std::ceil(closeness * nodes)));
  }
  return pupil;
}

std::int64_t SymmetricPupil::table_working_bytes(std::int64_t planes, std::int64_t nodes,
                                                 int threads) const {
  const std::int64_t columns = columns_of(planes);
  return (orders() * nodes * columns + threads * kTileRows * (orders() * nodes + columns)) *
         std::int64_t{sizeof(double)};
}

std::vector<double> SymmetricPupil::weighted_phases(const PupilNodes& pupil,
                                                    std::span<const double> z_um,
                                                    TaskPool& pool) const {
  const std::int64_t nodes = pupil.count();
  const auto planes = static_cast<std::int64_t>(z_um.size());
  const std::int64_t of_order = nodes * columns_of(planes);
  std::vector<double> phases(static_cast<std::size_t>(orders() * of_order));
  pool.for_each(nodes, [&](std::int64_t n) {
    const double rho = pupil.rho[static_cast<std::size_t>(n)];
    const Amplitudes amplitude = amplitudes(rho);
    for (std::int64_t p = 0; p < planes; ++p) {
      const double z = z_um[static_cast<std::size_t>(p)];
      const double angle = wavenumber_ * (path_difference_um(rho, z) - path_difference_um(0, z));
      const std::complex<double> phase = pupil.weight[static_cast<std::size_t>(n)] *
                                         std::complex<double>{std::cos(angle), std::sin(angle)};
      const std::int64_t tile = 2 * p / kTileColumns, column = 2 * p % kTileColumns;
      double* at = phases.data() + (tile * nodes + n) * kTileColumns + column;
      for (int order = 0; order < orders(); ++order, at += of_order) {
        const std::complex<double> value = phase * amplitude[static_cast<std::size_t>(order)];
        at[0] = value.real();
        at[1] = value.imag();
      }
    }
  });
  return phases;
}

std::vector<double> SymmetricPupil::bessel_tile(const PupilNodes& pupil, double step_um,
                                                std::int64_t begin, std::int64_t end) const {
  const std::int64_t nodes = pupil.count();
  std::vector<double> tile(static_cast<std::size_t>(orders() * nodes * kTileRows));
  for (std::int64_t n = 0; n < nodes; ++n) {
    stop_point();
    for (std::int64_t j = begin; j < end; ++j) {
      const auto bessel = bessel_j0_to_j3(lateral_wavenumber_ * step_um * static_cast<double>(j) *
                                          pupil.rho[static_cast<std::size_t>(n)]);
      for (int order = 0; order < orders(); ++order)
        tile[static_cast<std::size_t>((order * nodes + n) * kTileRows + j - begin)] =
            bessel[static_cast<std::size_t>(order + charge_)];
    }
  }
  return tile;
}

RadialTable SymmetricPupil::radial_table(double step_um, std::int64_t radii,
                                         std::span<const double> z_um, const PupilNodes& pupil,
                                         TaskPool& pool) const {
  const std::int64_t nodes = pupil.count();
  const auto planes = static_cast<std::int64_t>(z_um.size());
  const std::int64_t columns = columns_of(planes);
  const std::vector<double> phases = weighted_phases(pupil, z_um, pool);
  RadialTable table{step_um, radii, planes, {}};
  table.intensity.resize(static_cast<std::size_t>(radii * planes));

  // Bessel table times phases, a tile of radii and planes at a time
  pool.for_ranges(radii, kTileRows, [&](std::int64_t begin, std::int64_t end) {
    const std::vector<double> bessel = bessel_tile(pupil, step_um, begin, end);
    std::vector<double> sums(static_cast<std::size_t>(columns * kTileRows));
    for (int order = 0; order < orders(); ++order) {
      for (std::int64_t column = 0; column < columns; column += kTileColumns) {
        stop_point();
        multiply_tile(bessel.data() + order * nodes * kTileRows,
                      phases.data() + (order * columns + column) * nodes, nodes,
                      sums.data() + column, columns);
      }
      for (std::int64_t j = begin; j < end; ++j)
        for (std::int64_t p = 0; p < planes; ++p) {
          const double* const amplitude = sums.data() + (j - begin) * columns + 2 * p;
          table.intensity[static_cast<std::size_t>(j * planes + p)] +=
              share_of(order) * (amplitude[0] * amplitude[0] + amplitude[1] * amplitude[1]);
        }
    }
  });
  return table;
}

}  // namespace synthoscope::simulator

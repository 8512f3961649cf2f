// SPDX-License-Identifier: MIT
#include "simulator/optics/round_pupil.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>
#include "core/error.hpp"
#include "simulator/optics/bessel.hpp"
#include "simulator/optics/gauss_legendre.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMostNodes = 6000;
constexpr std::int64_t kRadiiPerBlock = 4;  // radii that share one pass over the phases

/// acc[r][q] += J[r] * phase[q] over all nodes, for a block of radii; q runs over the real and
/// imaginary parts of all planes.
void multiply_block(const double* bessel, const double* phases, std::int64_t nodes,
                    std::int64_t columns, double* acc) {
  double* const acc0 = acc;
  double* const acc1 = acc + columns;
  double* const acc2 = acc + 2 * columns;
  double* const acc3 = acc + 3 * columns;
  for (std::int64_t n = 0; n < nodes; ++n) {
    const double* const phase = phases + n * columns;
    const double* const j = bessel + n * kRadiiPerBlock;
    const double j0 = j[0], j1 = j[1], j2 = j[2], j3 = j[3];
#pragma GCC ivdep
    for (std::int64_t q = 0; q < columns; ++q) {
      const double value = phase[q];
      acc0[q] += j0 * value;
      acc1[q] += j1 * value;
      acc2[q] += j2 * value;
      acc3[q] += j3 * value;
    }
  }
}

/// How often |I_m|^2 counts: those of both signs of m that differ in their angle alone.
constexpr double share_of(int order) {
  return order == 1 ? 2 : 1;
}

double radius_in(const PupilZone& zone, double sine) {
  return zone.from == 0 ? zone.to * sine
                        : std::sqrt(zone.from * zone.from +
                                    (zone.to - zone.from) * (zone.to + zone.from) * sine * sine);
}

}  // namespace

PupilNodes pupil_nodes(const PupilZone& zone, std::int64_t nodes) {
  const Quadrature rule = gauss_legendre(nodes, 0, std::numbers::pi / 2);
  PupilNodes pupil;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    const double s = std::sin(rule.nodes[i]);
    pupil.rho.push_back(radius_in(zone, s));
    pupil.weight.push_back(rule.weights[i] * (zone.to * zone.to - zone.from * zone.from) * s *
                           std::cos(rule.nodes[i]));
  }
  return pupil;
}

RoundPupil::RoundPupil(double na, double wavelength_um, double pupil_radius, int charge)
    : wavenumber_{2 * std::numbers::pi / wavelength_um},
      lateral_wavenumber_{wavenumber_ * na},
      pupil_radius_{pupil_radius},
      charge_{charge} {}

PupilNodes RoundPupil::all_nodes(std::int64_t nodes) const {
  PupilNodes all;
  for (const PupilZone& zone : zones()) {
    const PupilNodes of_zone = pupil_nodes(zone, nodes);
    all.rho.insert(all.rho.end(), of_zone.rho.begin(), of_zone.rho.end());
    all.weight.insert(all.weight.end(), of_zone.weight.begin(), of_zone.weight.end());
  }
  return all;
}

double RoundPupil::plane_energy_um2() const {
  constexpr std::int64_t kNodes = 200;  // amplitudes are smooth over a zone
  const PupilNodes pupil = all_nodes(kNodes);
  double energy = 0;
  for (std::size_t i = 0; i < pupil.rho.size(); ++i) {
    const Amplitudes a = amplitudes(pupil.rho[i]);
    for (int m = 0; m < orders(); ++m)
      energy += pupil.weight[i] * share_of(m) * std::norm(a[static_cast<std::size_t>(m)]);
  }
  return 2 * std::numbers::pi * energy / (lateral_wavenumber_ * lateral_wavenumber_);
}

/// How fast the phase of a plane turns against the density of the nodes, as the swing of a phase
/// that turns evenly. Aberrations that cancel between the middle and the rim have no swing, yet
/// turn in between.
double RoundPupil::even_swing_um(const PupilZone& zone, double z_um) const {
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

std::int64_t RoundPupil::nodes_for(double r_max_um, std::span<const double> z_um) const {
  double swing = 0;
  for (const PupilZone& zone : zones())
    for (const double z : z_um) swing = std::max(swing, even_swing_um(zone, z));
  const double radians = wavenumber_ * swing + lateral_wavenumber_ * pupil_radius_ * r_max_um;
  const double nodes = std::ceil(0.6 * radians + 20);
  if (!(nodes <= kMostNodes))
    throw InvalidSpec(fmt::format(
        "psf: phases turn as fast as {:.0f} waves would that turn evenly over pupil and window, at "
        "most {} are computed; check thicknesses, indices, depth and window",
        radians / (2 * std::numbers::pi),
        static_cast<std::int64_t>(kMostNodes / 0.6 / (2 * std::numbers::pi))));
  return static_cast<std::int64_t>(nodes);
}

std::int64_t RoundPupil::table_working_bytes(std::int64_t planes, std::int64_t nodes,
                                             int threads) const {
  const std::int64_t all = nodes * static_cast<std::int64_t>(zones().size());
  return (2 * all * planes + threads * kRadiiPerBlock * (all + 2 * planes)) *
         std::int64_t{sizeof(double)};
}

RadialTable RoundPupil::radial_table(double step_um, std::int64_t radii,
                                     std::span<const double> z_um, std::int64_t nodes_of_zone,
                                     TaskPool& pool) const {
  const PupilNodes pupil = all_nodes(nodes_of_zone);
  const auto nodes = static_cast<std::int64_t>(pupil.rho.size());
  const auto planes = static_cast<std::int64_t>(z_um.size());
  const std::int64_t columns = 2 * planes;
  std::vector<double> phases(static_cast<std::size_t>(nodes * columns));
  RadialTable table{step_um, radii, planes, {}};
  table.intensity.resize(static_cast<std::size_t>(radii * planes));

  for (int order = 0; order < orders(); ++order) {
    // Weighted phases, node by node: real parts of all planes, then imaginary parts
    pool.for_each(nodes, [&](std::int64_t n) {
      const double rho = pupil.rho[static_cast<std::size_t>(n)];
      const std::complex<double> amplitude = pupil.weight[static_cast<std::size_t>(n)] *
                                             amplitudes(rho)[static_cast<std::size_t>(order)];
      double* const row = phases.data() + n * columns;
      for (std::int64_t p = 0; p < planes; ++p) {
        const double z = z_um[static_cast<std::size_t>(p)];
        const double angle = wavenumber_ * (path_difference_um(rho, z) - path_difference_um(0, z));
        const double c = std::cos(angle), s = std::sin(angle);
        row[p] = amplitude.real() * c - amplitude.imag() * s;
        row[planes + p] = amplitude.real() * s + amplitude.imag() * c;
      }
    });

    // Bessel table times phases, a block of radii at a time
    pool.for_ranges(radii, kRadiiPerBlock, [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> bessel(static_cast<std::size_t>(nodes * kRadiiPerBlock));
      std::vector<double> sums(static_cast<std::size_t>(columns * kRadiiPerBlock));
      for (std::int64_t n = 0; n < nodes; ++n)
        for (std::int64_t j = begin; j < end; ++j)
          bessel[static_cast<std::size_t>(n * kRadiiPerBlock + j - begin)] =
              bessel_j(order + charge_, lateral_wavenumber_ * step_um * static_cast<double>(j) *
                                            pupil.rho[static_cast<std::size_t>(n)]);
      multiply_block(bessel.data(), phases.data(), nodes, columns, sums.data());
      for (std::int64_t j = begin; j < end; ++j)
        for (std::int64_t p = 0; p < planes; ++p) {
          const double* const row = sums.data() + (j - begin) * columns;
          const double re = row[p], im = row[planes + p];
          table.intensity[static_cast<std::size_t>(j * planes + p)] +=
              share_of(order) * (re * re + im * im);
        }
    });
  }
  return table;
}

}  // namespace synthoscope::simulator

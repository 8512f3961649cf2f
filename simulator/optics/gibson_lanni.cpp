// SPDX-License-Identifier: MIT
#include "simulator/optics/gibson_lanni.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>
#include "simulator/optics/bessel_j0.hpp"
#include "simulator/optics/gauss_legendre.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr std::int64_t kMostNodes = 6000;
constexpr std::int64_t kRadiiPerBlock = 4;  // radii that share one pass over the phases

/// sqrt(n^2 - NA^2 rho^2); rounding may take the argument below zero at the rim.
double axial_index(double n, double na_rho) {
  return std::sqrt(std::max(0.0, (n - na_rho) * (n + na_rho)));
}

struct Pupil {
  std::vector<double> rho, weight;  // of int_0^a ... rho d rho
};

Pupil make_pupil(double a, std::int64_t nodes) {
  const Quadrature rule = gauss_legendre(nodes, 0, kPi / 2);
  Pupil pupil;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    const double s = std::sin(rule.nodes[i]);
    pupil.rho.push_back(a * s);
    pupil.weight.push_back(rule.weights[i] * a * a * s * std::cos(rule.nodes[i]));
  }
  return pupil;
}

/// Amplitude on the axis, and its derivative along z, at one z.
class AxialAmplitude {
 public:
  AxialAmplitude(const GibsonLanni& model, const OpticsSpec& spec, double k, std::int64_t nodes)
      : pupil_{make_pupil(model.pupil_radius(), nodes)} {
    for (const double rho : pupil_.rho) {
      phase_.push_back(k * (model.path_difference_um(rho, 0) - model.path_difference_um(0, 0)));
      slope_.push_back(k *
                       (axial_index(spec.immersion_index, spec.na * rho) - spec.immersion_index));
    }
  }

  [[nodiscard]] double intensity(double z_um) const { return std::norm(sums(z_um).first); }

  /// Sign of d|A|^2/dz.
  [[nodiscard]] double slope(double z_um) const {
    const auto [a, da] = sums(z_um);
    return (std::conj(a) * da).real();
  }

 private:
  [[nodiscard]] std::pair<std::complex<double>, std::complex<double>> sums(double z_um) const {
    std::complex<double> a, da;
    for (std::size_t i = 0; i < phase_.size(); ++i) {
      const double angle = phase_[i] + slope_[i] * z_um;
      const std::complex<double> term =
          pupil_.weight[i] * std::complex<double>{std::cos(angle), std::sin(angle)};
      a += term;
      da += std::complex<double>{0, slope_[i]} * term;
    }
    return {a, da};
  }

  Pupil pupil_;
  std::vector<double> phase_, slope_;
};

/// acc[r][q] += J0[r] * phase[q] over all nodes, for a block of radii; q runs over the real and
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

}  // namespace

GibsonLanni::GibsonLanni(const OpticsSpec& spec)
    : spec_{spec},
      design_immersion_index_{spec.design_immersion_index.value_or(spec.immersion_index)},
      design_coverslip_index_{spec.design_coverslip_index.value_or(spec.coverslip_index)},
      design_coverslip_um_{spec.design_coverslip_um.value_or(spec.coverslip_um)},
      wavenumber_{2 * kPi / (spec.wavelength_nm * 1e-3)},
      pupil_radius_{
          std::min({spec.na, spec.sample_index, spec.immersion_index, spec.coverslip_index,
                    design_immersion_index_, design_coverslip_index_}) /
          spec.na} {}

double GibsonLanni::path_difference_um(double rho, double z_um) const {
  const double s = spec_.na * rho;
  return (z_um + spec_.working_distance_um) * axial_index(spec_.immersion_index, s) +
         spec_.depth_um * axial_index(spec_.sample_index, s) -
         spec_.working_distance_um * axial_index(design_immersion_index_, s) +
         spec_.coverslip_um * axial_index(spec_.coverslip_index, s) -
         design_coverslip_um_ * axial_index(design_coverslip_index_, s);
}

double GibsonLanni::plane_energy_um2() const {
  const double ratio = pupil_radius_ / lateral_wavenumber();
  return kPi * ratio * ratio;
}

/// Where the rays of one zone of the pupil meet: d OPD / d rho^2 = 0.
double GibsonLanni::zone_focus_um(double rho) const {
  const double s = spec_.na * rho;
  return axial_index(spec_.immersion_index, s) *
             (spec_.working_distance_um / axial_index(design_immersion_index_, s) -
              spec_.depth_um / axial_index(spec_.sample_index, s) -
              spec_.coverslip_um / axial_index(spec_.coverslip_index, s) +
              design_coverslip_um_ / axial_index(design_coverslip_index_, s)) -
         spec_.working_distance_um;
}

double GibsonLanni::focus_um() const {
  // The brightest plane lies among the foci of the zones, give or take the depth of field.
  const double edge = axial_index(spec_.immersion_index, spec_.na * pupil_radius_);
  const double period = 2 * kPi / (wavenumber_ * (spec_.immersion_index - edge));
  double low = zone_focus_um(0), high = low;
  for (int i = 1; i <= 64; ++i) {
    const double zone = zone_focus_um(0.97 * pupil_radius_ * i / 64);
    low = std::min(low, zone);
    high = std::max(high, zone);
  }
  low -= period;
  high += period;

  const double ends[] = {low, high};
  const AxialAmplitude axis{*this, spec_, wavenumber_, nodes_for(0, ends)};
  const auto steps = static_cast<std::int64_t>(std::ceil((high - low) / (period / 16)));
  const double step = (high - low) / static_cast<double>(steps);
  double best = low, most = 0;
  for (std::int64_t i = 0; i <= steps; ++i) {
    const double z = low + step * static_cast<double>(i), intensity = axis.intensity(z);
    if (intensity > most) {
      most = intensity;
      best = z;
    }
  }

  // Bisect the derivative, which changes sign once within a step of the largest sample.
  double left = best - step, right = best + step;
  while (right - left > 1e-10) {
    const double middle = 0.5 * (left + right);
    (axis.slope(middle) > 0 ? left : right) = middle;
  }
  return 0.5 * (left + right);
}

/// How fast the phase of a plane turns against the density of the nodes, as the swing of a phase
/// that turns evenly. Aberrations that cancel between the middle and the rim have no swing, yet
/// turn in between.
double GibsonLanni::even_swing_um(double z_um) const {
  constexpr int kSamples = 512;
  const auto path = [&](int i) {
    return path_difference_um(pupil_radius_ * std::sin(kPi / 2 * i / kSamples), z_um);
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

std::int64_t GibsonLanni::nodes_for(double r_max_um, std::span<const double> z_um) const {
  double swing = 0;
  for (const double z : z_um) swing = std::max(swing, even_swing_um(z));
  const double radians = wavenumber_ * swing + lateral_wavenumber() * pupil_radius_ * r_max_um;
  const double nodes = std::ceil(0.6 * radians + 20);
  if (!(nodes <= kMostNodes))
    throw InvalidSpec(fmt::format(
        "psf: light paths differ by {:.0f} waves between the middle and the rim of the pupil or "
        "the window, at most {} are computed; check thicknesses, indices, depth and window",
        radians / (2 * kPi), static_cast<std::int64_t>(kMostNodes / 0.6 / (2 * kPi))));
  return static_cast<std::int64_t>(nodes);
}

RadialTable GibsonLanni::radial_table(double step_um, std::int64_t radii,
                                      std::span<const double> z_um, std::int64_t nodes,
                                      TaskPool& pool) const {
  const Pupil pupil = make_pupil(pupil_radius_, nodes);
  const auto planes = static_cast<std::int64_t>(z_um.size());
  const std::int64_t columns = 2 * planes;

  // Weighted phases, node by node: real parts of all planes, then imaginary parts
  std::vector<double> phases(static_cast<std::size_t>(nodes * columns));
  pool.for_each(nodes, [&](std::int64_t n) {
    const double rho = pupil.rho[static_cast<std::size_t>(n)];
    const double weight = pupil.weight[static_cast<std::size_t>(n)];
    double* const row = phases.data() + n * columns;
    for (std::int64_t p = 0; p < planes; ++p) {
      const double z = z_um[static_cast<std::size_t>(p)];
      const double angle = wavenumber_ * (path_difference_um(rho, z) - path_difference_um(0, z));
      row[p] = weight * std::cos(angle);
      row[planes + p] = weight * std::sin(angle);
    }
  });

  // Bessel table times phases, a block of radii at a time
  RadialTable table{step_um, radii, planes, {}};
  table.intensity.resize(static_cast<std::size_t>(radii * planes));
  pool.for_ranges(radii, kRadiiPerBlock, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> bessel(static_cast<std::size_t>(nodes * kRadiiPerBlock));
    std::vector<double> sums(static_cast<std::size_t>(columns * kRadiiPerBlock));
    for (std::int64_t n = 0; n < nodes; ++n)
      for (std::int64_t j = begin; j < end; ++j)
        bessel[static_cast<std::size_t>(n * kRadiiPerBlock + j - begin)] =
            bessel_j0(lateral_wavenumber() * step_um * static_cast<double>(j) *
                      pupil.rho[static_cast<std::size_t>(n)]);
    multiply_block(bessel.data(), phases.data(), nodes, columns, sums.data());
    for (std::int64_t j = begin; j < end; ++j)
      for (std::int64_t p = 0; p < planes; ++p) {
        const double* const row = sums.data() + (j - begin) * columns;
        const double re = row[p], im = row[planes + p];
        table.intensity[static_cast<std::size_t>(j * planes + p)] = re * re + im * im;
      }
  });
  return table;
}

}  // namespace synthoscope::simulator

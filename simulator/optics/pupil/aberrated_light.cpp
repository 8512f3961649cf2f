// SPDX-License-Identifier: MIT
#include "simulator/optics/pupil/aberrated_light.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/base/error.hpp"
#include "core/run/stop.hpp"
#include "simulator/optics/functions/bessel.hpp"
#include "simulator/optics/functions/radial_product.hpp"

namespace synthoscope::simulator {
namespace {

using Complex = std::complex<double>;

constexpr double kFaint = 1e-9;      // of the field; fainter harmonics are left out
constexpr double kMaxRadians = 200;  // of phase per radian around the pupil
constexpr std::int64_t kGroupColumns = 2 * kGroupPlanes;  // real parts, imaginary parts
constexpr std::int64_t kColumns = 2 * kSlabPlanes;        // real parts, imaginary parts
constexpr double kAmplitudeStep = 2 * kRadialStep;        // half the band of an intensity
static_assert(kGroupPlanes == kTileColumns && kSlabPlanes % kGroupPlanes == 0);

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Returns a bound of how fast the phase changes with the angle, radians per radian.
double turning(const ZernikeTerms& terms) {
  double sum = 0;
  for (const ZernikeTerm& term : terms) {
    const auto [n, turns] = order_of(term.noll);
    sum += std::abs(term.waves * turns) * std::sqrt(2.0 * (n + 1));
  }
  return 2 * std::numbers::pi * sum;
}

/// Returns the coefficients g_n of exp(2 pi i W) = sum of g_n exp(i n theta) at each node, by the
/// midpoint rule, exact apart from faint harmonics: series[n + most][node], n = -most ... most.
std::vector<std::vector<Complex>> series_of(const ZernikeTerms& terms, const PupilNodes& nodes,
                                            int most) {
  const int angles = 4 * most;
  std::vector<Complex> circle;
  for (int a = 0; a < angles; ++a)
    circle.push_back(std::polar(1.0, 2 * std::numbers::pi * a / angles));
  std::vector<std::vector<Complex>> series(at(2 * most + 1));
  for (auto& harmonic : series) harmonic.resize(nodes.rho.size());
  std::vector<double> along(terms.size());
  for (std::size_t i = 0; i < nodes.rho.size(); ++i) {
    for (std::size_t t = 0; t < terms.size(); ++t)
      along[t] = terms[t].waves * zernike_along(terms[t].noll, nodes.rho[i]);
    std::vector<Complex> ring;
    for (int a = 0; a < angles; ++a) {
      double waves = 0;
      for (std::size_t t = 0; t < terms.size(); ++t) {
        const int turns = order_of(terms[t].noll).turns;
        const Complex angle = circle[at(std::abs(turns) * a % angles)];
        waves += along[t] * (turns >= 0 ? angle.real() : angle.imag());
      }
      ring.push_back(std::polar(1.0 / angles, 2 * std::numbers::pi * waves));
    }
    for (int n = -most; n <= most; ++n)
      for (int a = 0; a < angles; ++a)
        series[at(n + most)][i] +=
            ring[at(a)] * std::conj(circle[at(((n * a) % angles + angles) % angles)]);
  }
  return series;
}

/// Returns (-i)^n.
Complex quarter_turns(int n) {
  constexpr Complex kTurned[] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
  return kTurned[at((n % 4 + 4) % 4)];
}

}  // namespace

double ray_reach_um(const ZernikeTerms& terms, double lateral_wavenumber) {
  // The slope of R_n^m is largest at the rim, (n (n + 2) - m^2) / 2
  double slope = 0;
  for (const ZernikeTerm& term : terms) {
    const auto [n, m] = order_of(term.noll);
    slope += std::abs(term.waves) * std::sqrt((m == 0 ? 1.0 : 2.0) * (n + 1)) *
             std::max(0.5 * (n * (n + 2) - m * m), static_cast<double>(std::abs(m)));
  }
  return 2 * std::numbers::pi * slope / lateral_wavenumber;
}

AberratedLight::AberratedLight(const SymmetricPupil& pupil, const ZernikeTerms& terms,
                               double r_max_um, std::span<const double> z_um)
    : pupil_{pupil},
      step_um_{kAmplitudeStep / pupil.lateral_wavenumber()},
      radii_{static_cast<std::int64_t>(r_max_um / step_um_) + kRadiiAfter + 3} {
  const double radians = turning(terms);
  if (!(radians <= kMaxRadians))
    throw InvalidSpec(
        fmt::format("psf: the wavefront changes by up to {:.0f} radians per radian around the "
                    "pupil, and at most {} can be computed; give smaller Zernike terms",
                    radians, kMaxRadians));
  // The phase of rays that land farther away also changes faster along the radius
  nodes_ = pupil.nodes_for(r_max_um + ray_reach_um(terms, pupil.lateral_wavenumber()), z_um);
  const int most = static_cast<int>(std::ceil(radians + 6 * std::cbrt(radians))) + 4;
  const auto series = series_of(terms, nodes_, most);
  add_field(0, false, 1, series);
  if (pupil.orders() == 1) return;
  for (const bool is_sine : {false, true}) {
    add_field(1, is_sine, 2, series);
    add_field(2, is_sine, 1, series);
  }
}

void AberratedLight::add_field(int order, bool is_sine, double share,
                               const std::vector<std::vector<Complex>>& series) {
  const int most = static_cast<int>(series.size() / 2);
  // Coefficient of exp(i n theta) in the wavefront times the cosine or sine of `order` turns
  const auto turning = [&](int n, std::size_t node) -> Complex {
    const auto of_wavefront = [&](int m) {
      return std::abs(m) > most ? Complex{} : series[at(m + most)][node];
    };
    if (order == 0) return of_wavefront(n);
    const Complex below = of_wavefront(n - order), above = of_wavefront(n + order);
    return is_sine ? (below - above) / Complex{0, 2} : (below + above) / 2.0;
  };
  std::vector<Complex> weight;
  for (std::size_t i = 0; i < nodes_.rho.size(); ++i)
    weight.push_back(nodes_.weight[i] * pupil_.amplitudes(nodes_.rho[i])[at(order)]);
  Field field{share, {}};
  for (int parity = 0; parity < kParities; ++parity)
    for (int n = 0; n <= most + order; ++n) {
      Harmonic harmonic{n, parity >= 2, {}};
      if (parity_of(n, harmonic.is_sine) != parity || (n == 0 && harmonic.is_sine)) continue;
      double largest = 0;
      for (std::size_t i = 0; i < nodes_.rho.size(); ++i) {
        const Complex up = turning(n, i), down = turning(-n, i);
        const Complex series_term = n == 0             ? up
                                    : harmonic.is_sine ? Complex{0, 1} * (up - down)
                                                       : up + down;
        largest = std::max(largest, std::norm(series_term));
        harmonic.amplitude.push_back(weight[i] * quarter_turns(n) * series_term);
      }
      if (largest <= kFaint * kFaint) continue;
      ++field.counts[at(parity)];
      most_turns_ = std::max(most_turns_, n);
      harmonics_.push_back(std::move(harmonic));
    }
  fields_.push_back(field);
}

std::int64_t AberratedLight::bytes() const {
  const auto harmonics = static_cast<std::int64_t>(harmonics_.size());
  return harmonics * (nodes_.count() * (kColumns + 2) + radii_ * kColumns) *
         std::int64_t{sizeof(double)};
}

std::int64_t AberratedLight::bytes_per_thread() const {
  return (std::max(most_turns_, 1) + 1) * (nodes_.count() + 1) * kTileRows *
         std::int64_t{sizeof(double)};
}

void AberratedLight::compute(std::span<const double> z_um, TaskPool& pool) {
  const std::int64_t nodes = nodes_.count();
  const auto harmonics = static_cast<std::int64_t>(harmonics_.size());
  phases_.resize(at(harmonics * nodes * kColumns));
  table_.resize(at(harmonics * radii_ * kColumns));

  // Amplitudes times exp(i k OPD)
  pool.for_each(nodes, [&](std::int64_t n) {
    const double rho = nodes_.rho[at(n)];
    for (std::int64_t p = 0; p < static_cast<std::int64_t>(z_um.size()); ++p) {
      const double angle = pupil_.wavenumber() * (pupil_.path_difference_um(rho, z_um[at(p)]) -
                                                  pupil_.path_difference_um(0, z_um[at(p)]));
      const Complex turned = std::polar(1.0, angle);
      const auto place = [&](std::int64_t h, std::int64_t column) -> double& {
        return phases_[at(((h * kColumns + column) / kTileColumns * nodes + n) * kTileColumns +
                          column % kTileColumns)];
      };
      for (std::int64_t h = 0; h < harmonics; ++h) {
        const Complex value = harmonics_[at(h)].amplitude[at(n)] * turned;
        const std::int64_t column = p / kGroupPlanes * kGroupColumns + p % kGroupPlanes;
        place(h, column) = value.real();
        place(h, column + kGroupPlanes) = value.imag();
      }
    }
  });

  // Bessel functions times these, a tile of radii at a time
  pool.for_ranges(radii_, kTileRows, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t orders = std::max(most_turns_, 1) + 1;
    std::vector<double> bessel(at(orders * nodes * kTileRows)), values(at(orders));
    for (std::int64_t n = 0; n < nodes; ++n) {
      stop_point();
      for (std::int64_t j = begin; j < end; ++j) {
        bessel_orders(
            pupil_.lateral_wavenumber() * step_um_ * static_cast<double>(j) * nodes_.rho[at(n)],
            values);
        for (std::int64_t m = 0; m < orders; ++m)
          bessel[at((m * nodes + n) * kTileRows + j - begin)] = values[at(m)];
      }
    }
    for (std::int64_t h = 0; h < harmonics; ++h) {
      stop_point();
      double tile[kTileRows * kColumns];
      for (std::int64_t column = 0; column < kColumns; column += kTileColumns)
        multiply_tile(bessel.data() + harmonics_[at(h)].turns * nodes * kTileRows,
                      phases_.data() + (h * kColumns + column) * nodes, nodes, tile + column,
                      kColumns);
      for (std::int64_t j = begin; j < end; ++j)
        for (std::int64_t c = 0; c < kColumns; ++c)
          table_[at(((c / kGroupColumns * harmonics + h) * radii_ + j) * kGroupColumns +
                    c % kGroupColumns)] = tile[(j - begin) * kColumns + c];
    }
  });
}

void AberratedLight::intensity(double y_um, double x_um, std::int64_t group, double* out) const {
  const double r = std::sqrt(y_um * y_um + x_um * x_um);
  const RadialWeights near = weights_at(r / step_um_);
  SixRows rows[2];  // on the other side of the axis odd harmonics change their sign
  for (std::size_t k = 0; k < 6; ++k) {
    const bool is_beyond = near.first + static_cast<std::int64_t>(k) < 0;
    rows[0].offset[k] = rows[1].offset[k] = near.radius(k) * kGroupColumns;
    rows[0].weight[k] = near.weight[k];
    rows[1].weight[k] = is_beyond ? -near.weight[k] : near.weight[k];
  }
  thread_local std::vector<double> angles, factors;  // cosines and sines of every turn
  angles.assign(at(2 * most_turns_ + 2), 0);
  const double cosine = r > 0 ? x_um / r : 1, sine = r > 0 ? y_um / r : 0;
  angles[0] = 1;
  for (std::size_t n = 2; n < angles.size(); n += 2) {
    angles[n] = angles[n - 2] * cosine - angles[n - 1] * sine;
    angles[n + 1] = angles[n - 2] * sine + angles[n - 1] * cosine;
  }
  factors.clear();
  for (const Harmonic& harmonic : harmonics_)
    factors.push_back(angles[at(2 * harmonic.turns + harmonic.is_sine)]);

  // Add up the harmonics of each field, then the intensities of the fields
  std::fill(out, out + kMirrored * kGroupPlanes, 0.0);
  const std::int64_t stride = radii_ * kGroupColumns;
  const double* table = table_.data() + group * std::ssize(harmonics_) * stride;
  const double* factor = factors.data();
  for (const Field& field : fields_) {
    double sums[kParities][kGroupColumns];  // real parts, imaginary parts
    for (int parity = 0; parity < kParities; ++parity) {
      const std::int64_t count = field.counts[at(parity)];
      sum_rows(table, stride, rows[parity % 2], factor, count, sums[parity]);
      table += count * stride;
      factor += count;
    }
    for (std::int64_t p = 0; p < kGroupPlanes; ++p)
      for (const std::int64_t part : {p, kGroupPlanes + p}) {
        // At -x odd cosines and even sines change sign, at -y all sines do
        const double even = sums[0][part] + sums[3][part], odd = sums[1][part] + sums[2][part];
        const double even_y = sums[0][part] - sums[3][part], odd_y = sums[1][part] - sums[2][part];
        const double fields[kMirrored] = {even + odd, even - odd, even_y + odd_y, even_y - odd_y};
        for (std::int64_t point = 0; point < kMirrored; ++point)
          out[point * kGroupPlanes + p] += field.share * (fields[point] * fields[point]);
      }
  }
}

}  // namespace synthoscope::simulator

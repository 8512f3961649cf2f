// SPDX-License-Identifier: MIT
#include "simulator/optics/aberrated_light.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/error.hpp"
#include "simulator/optics/bessel_orders.hpp"
#include "simulator/optics/radial_product.hpp"

namespace synthoscope::simulator {
namespace {

using Complex = std::complex<double>;

constexpr double kFaint = 1e-9;       // of the field: harmonics that are left out
constexpr double kMostRadians = 200;  // of the wavefront's turns
constexpr std::int64_t kGroupColumns = 2 * kGroupPlanes;  // real parts, imaginary parts
constexpr std::int64_t kColumns = 2 * kSlabPlanes;        // real parts, imaginary parts
constexpr double kAmplitudeStep = 2 * kRadialStep;        // half the band of an intensity
static_assert(kGroupPlanes == kTileColumns && kSlabPlanes % kGroupPlanes == 0);

std::size_t at(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// The fastest that the phase turns with the angle, radians a radian.
double turning(const ZernikeTerms& terms) {
  double sum = 0;
  for (const ZernikeTerm& term : terms) {
    const auto [n, turns] = order_of(term.noll);
    sum += std::abs(term.waves * turns) * std::sqrt(2.0 * (n + 1));
  }
  return 2 * std::numbers::pi * sum;
}

/// g_n of each node by the midpoint rule, which is exact but for harmonics that are faint:
/// series[n + most][node], n = -most ... most.
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

/// (-i)^n.
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

AberratedLight::AberratedLight(const RoundPupil& pupil, const ZernikeTerms& terms, double r_max_um,
                               std::span<const double> z_um)
    : pupil_{pupil},
      step_um_{kAmplitudeStep / pupil.lateral_wavenumber()},
      radii_{static_cast<std::int64_t>(r_max_um / step_um_) + kRadiiAfter + 3} {
  const double radians = turning(terms);
  if (!(radians <= kMostRadians))
    throw InvalidSpec(fmt::format(
        "psf: the wavefront turns as fast as {:.0f} radians a radian around the pupil, at most {} "
        "are computed; give smaller Zernike terms",
        radians, kMostRadians));
  // Rays that land farther away are phases that turn faster along the radius, too
  nodes_ = pupil.nodes_for(r_max_um + ray_reach_um(terms, pupil.lateral_wavenumber()), z_um);
  const int most = static_cast<int>(std::ceil(radians + 6 * std::cbrt(radians))) + 4;
  const auto series = series_of(terms, nodes_, most);
  std::vector<int> kept;
  for (int n = -most; n <= most; ++n)
    if (std::any_of(series[at(n + most)].begin(), series[at(n + most)].end(),
                    [](const Complex& g) { return std::norm(g) > kFaint * kFaint; }))
      kept.push_back(n);
  add_field(0, 0, 1, kept, series);
  if (pupil.orders() == 1) return;
  for (const int sign : {1, -1}) {
    add_field(1, sign, 1, kept, series);
    add_field(2, 2 * sign, 0.5, kept, series);
  }
}

void AberratedLight::add_field(int order, int turns, double share, const std::vector<int>& kept,
                               const std::vector<std::vector<Complex>>& series) {
  const int most = static_cast<int>(series.size() / 2);
  for (const int n : kept) {
    Harmonic harmonic{n + turns, {}};
    for (std::size_t i = 0; i < nodes_.rho.size(); ++i)
      harmonic.amplitude.push_back(nodes_.weight[i] * quarter_turns(harmonic.turns) *
                                   series[at(n + most)][i] *
                                   pupil_.amplitudes(nodes_.rho[i])[at(order)]);
    most_turns_ = std::max(most_turns_, std::abs(harmonic.turns));
    harmonics_.push_back(std::move(harmonic));
  }
  shares_.push_back(share);
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
    for (std::int64_t n = 0; n < nodes; ++n)
      for (std::int64_t j = begin; j < end; ++j) {
        bessel_orders(
            pupil_.lateral_wavenumber() * step_um_ * static_cast<double>(j) * nodes_.rho[at(n)],
            values);
        for (std::int64_t m = 0; m < orders; ++m)
          bessel[at((m * nodes + n) * kTileRows + j - begin)] = values[at(m)];
      }
    for (std::int64_t h = 0; h < harmonics; ++h) {
      const int turns = harmonics_[at(h)].turns;
      double tile[kTileRows * kColumns];
      for (std::int64_t column = 0; column < kColumns; column += kTileColumns)
        multiply_tile(bessel.data() + std::abs(turns) * nodes * kTileRows,
                      phases_.data() + (h * kColumns + column) * nodes, nodes, tile + column,
                      kColumns);
      const double sign = turns < 0 && turns % 2 != 0 ? -1 : 1;  // J_-n = (-1)^n J_n
      for (std::int64_t j = begin; j < end; ++j)
        for (std::int64_t c = 0; c < kColumns; ++c)
          table_[at(((c / kGroupColumns * harmonics + h) * radii_ + j) * kGroupColumns +
                    c % kGroupColumns)] = sign * tile[(j - begin) * kColumns + c];
    }
  });
}

void AberratedLight::intensity(double y_um, double x_um, std::int64_t group, double* out) const {
  const double r = std::sqrt(y_um * y_um + x_um * x_um);
  const RadialWeights near = weights_at(r / step_um_);
  SixRows point;
  for (std::size_t k = 0; k < 6; ++k) {
    point.offset[k] = near.radius(k) * kGroupColumns;
    point.even[k] = near.weight[k];
    point.odd[k] = near.first + static_cast<std::int64_t>(k) < 0 ? -near.weight[k] : near.weight[k];
  }
  const Complex turn = r > 0 ? Complex{x_um / r, y_um / r} : Complex{1, 0};
  thread_local std::vector<Complex> powers;  // exp(i n phi)
  thread_local std::vector<TurnedRows> turned;
  powers.assign(at(most_turns_ + 1), 1);
  for (std::size_t n = 1; n < powers.size(); ++n) powers[n] = powers[n - 1] * turn;
  turned.clear();
  for (const Harmonic& harmonic : harmonics_) {
    const Complex by = powers[at(std::abs(harmonic.turns))];
    turned.push_back({by.real(), harmonic.turns < 0 ? -by.imag() : by.imag(),
                      harmonic.turns % 2 == 0 ? point.even : point.odd});
  }

  // Harmonics of a field add up, intensities of fields do
  const auto fields = static_cast<std::int64_t>(shares_.size());
  const auto of_field = static_cast<std::int64_t>(harmonics_.size()) / fields;
  const std::int64_t stride = radii_ * kGroupColumns;
  const double* const table = table_.data() + group * fields * of_field * stride;
  std::fill(out, out + kGroupPlanes, 0.0);
  for (std::int64_t f = 0; f < fields; ++f) {
    double sum[kGroupColumns];  // real parts, imaginary parts
    sum_turned_rows(table + f * of_field * stride, stride, point, turned.data() + f * of_field,
                    of_field, sum);
    for (std::int64_t p = 0; p < kGroupPlanes; ++p)
      out[p] += shares_[at(f)] * (sum[p] * sum[p] + sum[kGroupPlanes + p] * sum[kGroupPlanes + p]);
  }
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "simulator/measurement/lens_pattern.hpp"
#include <cmath>
#include "simulator/optics/functions/bessel.hpp"
#include "simulator/optics/functions/gauss_legendre.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kFarthestAcross = 11, kFarthestAlong = 38;  // optical units
constexpr double kStepOfSquare = 0.04, kStepAlong = 0.02;

/// Returns the phase of defocus at each node of the squared radius t. The mean of the phases is 0,
/// and their variance is 1 / 48, the variance of t / 2.
std::vector<double> phases_of_defocus(const Quadrature& pupil) {
  std::vector<double> phases;
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < pupil.nodes.size(); ++i) {
    phases.push_back(-std::sqrt(1 - LensPattern::kSteepness * pupil.nodes[i]));
    mean += pupil.weights[i] * phases[i];
  }
  for (std::size_t i = 0; i < phases.size(); ++i) {
    phases[i] -= mean;
    square += pupil.weights[i] * phases[i] * phases[i];
  }
  for (double& phase : phases) phase *= std::sqrt(1.0 / 48 / square);
  return phases;
}

}  // namespace

LensPattern::LensPattern() {
  const Quadrature pupil = gauss_legendre(kNodes, 0, 1);
  const std::vector<double> phases = phases_of_defocus(pupil);
  for (double square = 0; square < kFarthestAcross * kFarthestAcross + 2 * kStepOfSquare;
       square += kStepOfSquare) {
    Row& row = bessel_.emplace_back();
    for (std::size_t i = 0; i < kNodes; ++i)
      row[i] = pupil.weights[i] * bessel_j0_to_j3(std::sqrt(square * pupil.nodes[i]))[0];
  }
  for (double u = 0; u < kFarthestAlong + 2 * kStepAlong; u += kStepAlong) {
    Row &cosines = cosine_.emplace_back(), &sines = sine_.emplace_back();
    for (std::size_t i = 0; i < kNodes; ++i) {
      cosines[i] = std::cos(u * phases[i]);
      sines[i] = std::sin(u * phases[i]);
    }
  }
}

double LensPattern::light(double square_u, double square_v) const {
  const double u = std::sqrt(square_u);
  if (!(u < kFarthestAlong && square_v < kFarthestAcross * kFarthestAcross)) return 0;
  const double along = u / kStepAlong, across = square_v / kStepOfSquare;
  const auto i = static_cast<std::size_t>(along), j = static_cast<std::size_t>(across);
  const double a = along - static_cast<double>(i), b = across - static_cast<double>(j);
  double real = 0, imaginary = 0;
  for (std::size_t node = 0; node < kNodes; ++node) {
    const double bessel = (1 - b) * bessel_[j][node] + b * bessel_[j + 1][node];
    real += bessel * ((1 - a) * cosine_[i][node] + a * cosine_[i + 1][node]);
    imaginary += bessel * ((1 - a) * sine_[i][node] + a * sine_[i + 1][node]);
  }
  return real * real + imaginary * imaginary;
}

}  // namespace synthoscope::simulator

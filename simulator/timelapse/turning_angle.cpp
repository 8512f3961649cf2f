// SPDX-License-Identifier: MIT
#include "simulator/timelapse/turning_angle.hpp"
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/phantom/geometry/draws.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kAngles = 1024;

/// Returns (2 l + 1) exp(-l (l + 1) t) until it is negligible.
std::vector<double> weights_of(double t) {
  constexpr double kNothing = 1e-17;
  std::vector<double> weights;
  for (double l = 0;; ++l) {
    const double weight = (2 * l + 1) * portable::exp_negative(-l * (l + 1) * t);
    if (weight < kNothing) return weights;
    weights.push_back(weight);
  }
}

double chance_below(double angle, const std::vector<double>& weights) {
  const auto [cosine, sine] = portable::cosine_and_sine(angle / (2 * kPi));
  double sum = 0, term = angle;
  double before = 0, now = sine;  // sin(l w) and sin((l + 1) w)
  for (std::size_t l = 0; l < weights.size(); ++l) {
    const double next_term = now / static_cast<double>(l + 1);
    sum += weights[l] * (term - next_term);
    term = next_term;
    const double next = 2 * cosine * now - before;
    before = now;
    now = next;
  }
  return sum / kPi;
}

}  // namespace

TurningAngle::TurningAngle(double deviation) : step_{std::min(kPi, 8 * deviation) / kAngles} {
  const auto weights = weights_of(deviation * deviation / 2);
  for (int i = 1; i <= kAngles; ++i)
    below_.push_back(std::max(below_.back(), chance_below(i * step_, weights)));
}

double TurningAngle::at(double uniform) const {
  const auto above = std::upper_bound(below_.begin(), below_.end(), uniform);
  if (above == below_.end()) return kAngles * step_;
  const double low = *(above - 1), high = *above;
  return step_ * (static_cast<double>(above - below_.begin() - 1) + (uniform - low) / (high - low));
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "simulator/timelapse/wandering.hpp"
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "core/math/random.hpp"
#include "simulator/base/normal_quantile.hpp"
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

constexpr int kChangeDraw = 0, kBesideDraw = 1, kBrownianDraw = 2, kRotationDraw = 3,
              kFirstDraw = 4;

/// Returns 2 x - 3 + 4 exp(-x) - exp(-2 x): for small x by its series, whose terms do not cancel.
double way_variance(double x) {
  if (x > 0.1) {
    const double a = portable::exp_negative(-x);
    return 2 * x - 3 + 4 * a - a * a;
  }
  // Term n is (-1)^n (4 - 2^n) x^n / n!
  double sum = 0, power = x * x / 2, doubled = 4;
  for (int n = 3; n <= 12; ++n) {
    power *= -x / n;
    doubled *= 2;
    sum += (4 - doubled) * power;
  }
  return sum;
}

Vector3 normals_of(const PhiloxBlock& words) {
  Vector3 z{};
  for (std::size_t axis = 0; axis < 3; ++axis) z[axis] = normal_quantile(uniform32(words[axis]));
  return z;
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

Wandering::Wandering(const TimeSpec& time, bool in_plane, const RandomStream& stream)
    : stream_{stream}, in_plane_{in_plane} {
  const double axes = in_plane_ ? 2 : 3;
  const double dt = *time.interval_seconds, persistence = time.persistence_seconds;
  speed_ = time.speed_um_per_second / std::sqrt(axes);
  brownian_ = std::sqrt(2 * time.diffusion_um2_per_second * dt);
  turning_ = std::sqrt(2 * time.turning_rad2_per_second * dt);

  // Velocity and position after an interval are normal with these deviations and covariance
  kept_ = portable::exp_negative(-dt / persistence);
  new_velocity_ = speed_ * std::sqrt((1 - kept_) * (1 + kept_));
  carried_ = persistence * (1 - kept_);
  const double covariance = speed_ * speed_ * persistence * (1 - kept_) * (1 - kept_);
  const double variance =
      speed_ * speed_ * persistence * persistence * way_variance(dt / persistence);
  with_new_ = new_velocity_ > 0 ? covariance / new_velocity_ : 0;
  beside_new_ = std::sqrt(std::max(0.0, variance - with_new_ * with_new_));
  const double carried = speed_ * carried_;
  step_um_ = std::sqrt(brownian_ * brownian_ + carried * carried + variance);
  if (!in_plane_ && turning_ >= TurningAngle::kMinDeviation) angle_.emplace(turning_);
}

PhiloxBlock Wandering::words(std::int64_t number, std::int64_t frame, int draw) const {
  return stream_.block(static_cast<std::uint64_t>(number), static_cast<std::uint16_t>(draw),
                       static_cast<std::uint32_t>(frame));
}

Vector3 Wandering::normals(std::int64_t number, std::int64_t frame, int draw) const {
  return normals_of(words(number, frame, draw));
}

Vector3 Wandering::first_velocity(std::int64_t number, std::int64_t frame) const {
  Vector3 velocity = speed_ * normals(number, frame, kFirstDraw);
  if (in_plane_) velocity[0] = 0;
  return velocity;
}

Vector3 Wandering::step(std::int64_t number, std::int64_t frame, Vector3& velocity) const {
  const Vector3 change = normals(number, frame, kChangeDraw);
  Vector3 way = carried_ * velocity + with_new_ * change +
                beside_new_ * normals(number, frame, kBesideDraw) +
                brownian_ * normals(number, frame, kBrownianDraw);
  velocity = kept_ * velocity + new_velocity_ * change;
  if (in_plane_) way[0] = velocity[0] = 0;
  return way;
}

Matrix3 Wandering::turn(std::int64_t number, std::int64_t frame) const {
  const auto drawn = words(number, frame, kRotationDraw);
  Vector3 about = turning_ * normals_of(drawn);
  if (in_plane_) about[1] = about[2] = 0;
  const double length = std::sqrt(dot(about, about));
  if (length == 0) return rotation_of(1, {});
  const double angle = angle_ ? angle_->at(uniform32(drawn[3])) : length;
  const auto [cosine, sine] = portable::cosine_and_sine(angle / (4 * kPi));
  return rotation_of(cosine, (sine / length) * about);
}

}  // namespace synthoscope::simulator

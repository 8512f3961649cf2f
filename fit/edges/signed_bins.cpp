// SPDX-License-Identifier: MIT
#include "fit/edges/signed_bins.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::fit {
namespace {

constexpr double kDeepestReaches = 5;  ///< inside, deeper values are not kept
constexpr double kInsideReaches = 2;   ///< so deep the level is that of the inside
constexpr double kLeastWeight = 0.5;   ///< values that a bin needs
constexpr double kClearStep = 4;       ///< of an edge, in standard errors of a bin

}  // namespace

SignedBins::SignedBins(double reach)
    : reach_{reach},
      first_{-static_cast<long>(std::ceil(kDeepestReaches * reach)) - 1},
      bins_(static_cast<std::size_t>(static_cast<long>(std::ceil(kOutsideReaches * reach)) + 2 -
                                     first_)) {}

void SignedBins::add(double distance, double value) {
  if (distance > kOutsideReaches * reach_ || distance < -kDeepestReaches * reach_) return;
  const double below = std::floor(distance);
  const double share = distance - below;
  const auto place = static_cast<std::size_t>(static_cast<long>(below) - first_);
  const auto count = [&](Bin& bin, double weight) {
    bin.weight += weight;
    bin.sum += weight * value;
    bin.squares += weight * value * value;
  };
  count(bins_[place], 1 - share);
  if (share > 0) count(bins_[place + 1], share);
}

const SignedBins::Bin* SignedBins::bin_at(long place) const {
  const long at = place - first_;
  if (at < 0 || at >= std::ssize(bins_)) return nullptr;
  const Bin& bin = bins_[static_cast<std::size_t>(at)];
  return bin.weight >= kLeastWeight ? &bin : nullptr;
}

std::optional<double> SignedBins::level(double distance) const {
  const double below = std::floor(distance);
  const double share = distance - below;
  const Bin* const left = bin_at(static_cast<long>(below));
  if (left == nullptr) return std::nullopt;
  const double at_left = left->sum / left->weight;
  if (share == 0) return at_left;
  const Bin* const right = bin_at(static_cast<long>(below) + 1);
  if (right == nullptr) return std::nullopt;
  return (1 - share) * at_left + share * right->sum / right->weight;
}

SignedBins::Bin SignedBins::between(double from, double to) const {
  Bin all;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    const auto at = static_cast<double>(first_ + static_cast<long>(i));
    if (at < from || at > to) continue;
    all.weight += bins_[i].weight;
    all.sum += bins_[i].sum;
    all.squares += bins_[i].squares;
  }
  return all;
}

std::optional<double> SignedBins::crossing(double half) const {
  // The border's own place first, then farther and farther away
  const long farthest = static_cast<long>(std::ceil(kInsideReaches * reach_));
  for (long away = 0; away <= farthest; ++away)
    for (const long place : {away, -1 - away}) {
      const Bin* const left = bin_at(place);
      const Bin* const right = bin_at(place + 1);
      if (left == nullptr || right == nullptr) continue;
      const double above = left->sum / left->weight - half;
      const double below = right->sum / right->weight - half;
      if (above >= 0 && below < 0) return static_cast<double>(place) + above / (above - below);
    }
  return std::nullopt;
}

std::optional<UnscaledEdge> SignedBins::edge(double outside_from) const {
  const auto deepest =
      std::find_if(bins_.begin(), bins_.end(), [](const Bin& b) { return b.weight > 0; });
  const auto depth = static_cast<double>(-(first_ + (deepest - bins_.begin())));
  if (depth <= 0) return std::nullopt;
  const Bin inside = between(-depth, -std::min(depth / 2, kInsideReaches * reach_));
  const Bin outside = between(outside_from, kOutsideReaches * reach_);
  if (inside.weight < kLeastWeight || outside.weight < kLeastWeight) return std::nullopt;
  const double low = outside.sum / outside.weight, high = inside.sum / inside.weight;
  const double variance = std::max(outside.squares / outside.weight - low * low, 0.0);
  const Bin border = between(-1, 1);
  const double error = std::sqrt(3 * variance / std::max(border.weight, 1.0));
  if (!(high - low > kClearStep * error)) return std::nullopt;
  const auto middle = crossing((low + high) / 2);
  if (!middle) return std::nullopt;
  UnscaledEdge result;
  result.step = high - low;
  result.outset = *middle;
  for (int k = -kEdgeSamples; k <= kEdgeSamples; ++k) {
    const auto sample = level(*middle + reach_ * k / kEdgeSamples);
    if (!sample) return std::nullopt;
    result.above_outside[static_cast<std::size_t>(k + kEdgeSamples)] = *sample - low;
  }
  return result;
}

std::optional<ObjectEdge> mean_edge(const std::vector<UnscaledEdge>& edges) {
  if (edges.empty()) return std::nullopt;
  ObjectEdge mean;
  double step = 0;
  for (const UnscaledEdge& edge : edges) {
    step += edge.step;
    mean.outset += edge.step * edge.outset;
    for (std::size_t i = 0; i < mean.levels.size(); ++i) mean.levels[i] += edge.above_outside[i];
  }
  for (double& level : mean.levels) level /= step;
  mean.outset /= step;
  return mean;
}

double rise_of(const EdgeProfile& profile, double reach) {
  const auto place_of = [&](double level) {
    for (std::size_t i = 0; i + 1 < profile.size(); ++i)
      if (profile[i] >= level && profile[i + 1] < level)
        return static_cast<double>(i) + (profile[i] - level) / (profile[i] - profile[i + 1]);
    return level > 0.5 ? 0.0 : static_cast<double>(profile.size() - 1);
  };
  return (place_of(0.1) - place_of(0.9)) * reach / kEdgeSamples;
}

}  // namespace synthoscope::fit

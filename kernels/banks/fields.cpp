// SPDX-License-Identifier: MIT
#include "kernels/banks/fields.hpp"
#include <algorithm>
#include <cmath>
#include "kernels/filters/named_filters.hpp"

namespace synthoscope::kernels {
namespace {

constexpr std::int64_t kBankSize = 49;
constexpr double kNoMean = 1e-12;
// Filters are trimmed in steps, so that devices compile passes of few sizes
constexpr std::int64_t kFrame = 8;

// Gaussians of the invariants
constexpr double kScales[] = {1, 2, 4};
constexpr double kCut = 4, kMinDepthScale = 0.5;

double magnitudes_of(const Stencil& stencil) {
  double sum = 0;
  for (const double weight : stencil.weights) sum += std::abs(weight);
  return sum;
}

/// 0.5 (a + sign b)
Stencil half_sum(const Stencil& a, const Stencil& b, double sign) {
  Stencil half = a;
  for (std::size_t i = 0; i < half.weights.size(); ++i)
    half.weights[i] = 0.5 * (a.weights[i] + sign * b.weights[i]);
  return half;
}

/// Returns the stencil without `frame_y` and `frame_x` voxels on both sides along y and x.
Stencil without_frame(const Stencil& stencil, std::int64_t frame_y, std::int64_t frame_x) {
  const Extent3 &e = stencil.extent, inner{1, e.y - 2 * frame_y, e.x - 2 * frame_x};
  Stencil cut{inner, {}, {0, stencil.centre.y - frame_y, stencil.centre.x - frame_x}};
  for (std::int64_t y = frame_y; y < e.y - frame_y; ++y)
    for (std::int64_t x = frame_x; x < e.x - frame_x; ++x)
      cut.weights.push_back(stencil.weights[static_cast<std::size_t>(y * e.x + x)]);
  return cut;
}

/// Returns the stencil without the frames along y and x that hold at most `left` of its magnitudes.
Stencil trimmed(const Stencil& stencil, double left) {
  const double least = magnitudes_of(stencil) - left;
  Stencil kept = stencil;
  for (const auto& [frame_y, frame_x] :
       {std::pair{kFrame, std::int64_t{0}}, {std::int64_t{0}, kFrame}})
    for (Stencil next = without_frame(kept, frame_y, frame_x); magnitudes_of(next) >= least;
         next = without_frame(kept, frame_y, frame_x))
      kept = std::move(next);
  return kept;
}

/// Makes filters into fields, within the tolerance of the bank.
class FieldMaker {
 public:
  explicit FieldMaker(const FilterBankSpec& spec)
      : is_direct_{spec.strategy != FilterStrategy::automatic &&
                   spec.strategy != FilterStrategy::separable},
        tolerance_{spec.tolerance} {}

  [[nodiscard]] FieldGroup group_of(const BankGroup& group) const {
    FieldGroup made{group.answer, {}, {}};
    const auto add = [&](const Stencil& shape, double mean) {
      made.fields.push_back(field_of(shape));
      made.mean_shares.push_back(static_cast<float>(mean * (kBankSize * kBankSize)));
    };
    const std::vector<BankFilter>& f = group.filters;
    if (group.answer == BankAnswer::itself) {
      add(f[0].shape, f[0].mean);
    } else {
      const auto add_pair = [&](const BankFilter& one, const BankFilter& other) {
        add(half_sum(one.shape, other.shape, 1), 0.5 * (one.mean + other.mean));
        add(half_sum(one.shape, other.shape, -1), 0);
      };
      add(f[0].shape, f[0].mean);
      add_pair(f[1], f[5]);
      add_pair(f[2], f[4]);
      add(f[3].shape, f[3].mean);
    }
    if (std::ranges::all_of(made.mean_shares,
                            [](float share) { return std::abs(share) < kNoMean; }))
      made.mean_shares.clear();
    return made;
  }

 private:
  /// A filter's magnitudes add up to 1. Each of its two fields may leave out half of the tolerance,
  /// and trimming uses half of that.
  [[nodiscard]] FilterKernel field_of(const Stencil& shape) const {
    if (is_direct_) return shape;
    const Stencil kept = trimmed(shape, 0.25 * tolerance_);
    return as_sum_of_products(kept, std::min(0.5, 0.25 * tolerance_ / magnitudes_of(kept)));
  }

  bool is_direct_;
  double tolerance_;
};

/// Returns the weights of a Gaussian's derivative times sigma^order. The second derivative is made
/// to have sum 0.
std::vector<double> scaled_derivative(double sigma, std::int64_t order) {
  std::vector<double> weights = gaussian_weights(sigma, kCut, order);
  for (double& weight : weights) weight *= std::pow(sigma, static_cast<double>(order));
  if (order < 2) return weights;
  double sum = 0;
  for (const double weight : weights) sum += weight;
  const std::vector<double> gaussian = gaussian_weights(sigma, kCut);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= sum * gaussian[i];
  return weights;
}

std::vector<FieldGroup> invariants(bool is_volume, double depth_ratio) {
  if (!(depth_ratio > 0 && std::isfinite(depth_ratio)))
    throw InvalidSpec(fmt::format(
        "filter bank: voxels are {} times as large along z as along x; give a positive number",
        depth_ratio));
  const auto along_z = [&](double scale) {
    return is_volume ? std::max(scale / depth_ratio, kMinDepthScale) : 0;
  };
  std::vector<FieldGroup> groups;
  for (const double scale : kScales) {
    const double last = std::end(kScales)[-1], z = along_z(scale);
    if (scale < last) {
      // One field for both Gaussians: only their difference is a response
      groups.push_back({BankAnswer::itself,
                        {difference_of(gaussian({z, scale, scale}, kCut),
                                       gaussian({along_z(last), last, last}, kCut))},
                        {}});
    }
    FieldGroup derivatives{
        is_volume ? BankAnswer::volume_invariants : BankAnswer::plane_invariants, {}, {}};
    const auto add = [&](std::int64_t of_z, std::int64_t of_y, std::int64_t of_x) {
      derivatives.fields.push_back(
          separable_stencil(is_volume ? scaled_derivative(z, of_z) : std::vector<double>{1},
                            scaled_derivative(scale, of_y), scaled_derivative(scale, of_x)));
    };
    if (is_volume) add(1, 0, 0);
    add(0, 1, 0);
    add(0, 0, 1);
    if (is_volume) {
      add(2, 0, 0);
      add(1, 1, 0);
      add(1, 0, 1);
    }
    add(0, 2, 0);
    add(0, 1, 1);
    add(0, 0, 2);
    groups.push_back(std::move(derivatives));
  }
  return groups;
}

}  // namespace

SeparableStencil bank_mean() {
  return box({1, kBankSize, kBankSize});
}

std::vector<FieldGroup> field_groups(const FilterBankSpec& spec, const Extent3& image) {
  if (spec.fields) return *spec.fields;
  require_tolerance(spec.tolerance);
  if (spec.bank == FilterBank::invariants) return invariants(image.z > 1, spec.depth_ratio);
  const FieldMaker maker{spec};
  std::vector<FieldGroup> groups;
  for (const BankGroup& group : groups_of(spec.bank)) groups.push_back(maker.group_of(group));
  return groups;
}

FilterBankSpec with_fields(FilterBankSpec spec) {
  if (spec.bank != FilterBank::invariants)  // invariants depend on the image, and are made quickly
    spec.fields = std::make_shared<const std::vector<FieldGroup>>(field_groups(spec, {1, 1, 1}));
  return spec;
}

}  // namespace synthoscope::kernels

// SPDX-License-Identifier: MIT
#include "kernels/correlate/stencil.hpp"
#include <algorithm>
#include <cmath>

namespace synthoscope::kernels {
namespace {

std::int64_t length(const std::vector<double>& weights) {
  return static_cast<std::int64_t>(weights.size());
}

Index3 middle(const Extent3& e) {
  return {e.z / 2, e.y / 2, e.x / 2};
}

Index3 flipped_centre(const Extent3& e, const Index3& c) {
  return {e.z - 1 - c.z, e.y - 1 - c.y, e.x - 1 - c.x};
}

void require_finite(const std::vector<double>& weights) {
  const auto bad = std::find_if(weights.begin(), weights.end(),
                                [](double weight) { return !std::isfinite(weight); });
  if (bad != weights.end())
    throw InvalidSpec(fmt::format(
        "filter: weight {} of the kernel is {}; weights are finite numbers, so repair the kernel",
        bad - weights.begin(), *bad));
}

void require_length(std::string_view axis, const std::vector<double>& weights,
                    std::int64_t expected) {
  if (length(weights) != expected || expected < 1)
    throw InvalidSpec(
        fmt::format("filter: the kernel has {} weights along {} but its extent is {}; give one "
                    "weight for each of its voxels, and at least one",
                    weights.size(), axis, expected));
  require_finite(weights);
}

/// Adds zeros on both sides, up to `size` weights.
std::vector<double> widened(const std::vector<double>& weights, std::int64_t size) {
  std::vector<double> wide(static_cast<std::size_t>(size));
  std::copy(weights.begin(), weights.end(), wide.begin() + (size - length(weights)) / 2);
  return wide;
}

}  // namespace

Stencil correlation_stencil(const Extent3& extent, std::vector<double> weights) {
  return {extent, std::move(weights), middle(extent)};
}

Stencil convolution_stencil(const Extent3& extent, std::vector<double> weights) {
  return flipped(correlation_stencil(extent, std::move(weights)));
}

Stencil flipped(Stencil stencil) {
  std::reverse(stencil.weights.begin(), stencil.weights.end());
  stencil.centre = flipped_centre(stencil.extent, stencil.centre);
  return stencil;
}

SeparableStencil separable_stencil(std::vector<double> z, std::vector<double> y,
                                   std::vector<double> x) {
  const Extent3 extent{length(z), length(y), length(x)};
  return {extent, {{std::move(z), {{std::move(y), std::move(x)}}}}, middle(extent)};
}

SeparableStencil flipped(SeparableStencil stencil) {
  for (auto& term : stencil.terms) {
    std::reverse(term.z.begin(), term.z.end());
    for (auto& plane : term.planes) {
      std::reverse(plane.y.begin(), plane.y.end());
      std::reverse(plane.x.begin(), plane.x.end());
    }
  }
  stencil.centre = flipped_centre(stencil.extent, stencil.centre);
  return stencil;
}

SeparableStencil difference_of(const SeparableStencil& a, const SeparableStencil& b) {
  const Extent3 extent{std::max(a.extent.z, b.extent.z), std::max(a.extent.y, b.extent.y),
                       std::max(a.extent.x, b.extent.x)};
  SeparableStencil difference{extent, {}, middle(extent)};
  for (const SeparableStencil* const part : {&a, &b})
    for (const auto& term : part->terms) {
      SeparableStencil::Term wide{widened(term.z, extent.z), {}};
      for (const auto& plane : term.planes) {
        wide.planes.push_back({widened(plane.y, extent.y), widened(plane.x, extent.x)});
        if (part == &b)
          for (double& weight : wide.planes.back().x) weight = -weight;
      }
      difference.terms.push_back(std::move(wide));
    }
  return difference;
}

Stencil product(const SeparableStencil& stencil) {
  const Extent3 e = stencil.extent;
  Stencil all{e, std::vector<double>(static_cast<std::size_t>(volume(e))), stencil.centre};
  for (const auto& term : stencil.terms)
    for (const auto& plane : term.planes) {
      auto weight = all.weights.begin();
      for (const double z : term.z)
        for (const double y : plane.y)
          for (const double x : plane.x) *weight++ += z * y * x;
    }
  return all;
}

void require_usable(const Stencil& stencil) {
  if (!is_positive(stencil.extent) || length(stencil.weights) != volume(stencil.extent))
    throw InvalidSpec(fmt::format(
        "filter: the kernel of {} has {} weights; give one weight for each voxel of it, and at "
        "least one",
        stencil.extent, stencil.weights.size()));
  require_finite(stencil.weights);
}

void require_usable(const SeparableStencil& stencil) {
  const auto is_empty = [](const auto& term) { return term.planes.empty(); };
  if (stencil.terms.empty() || std::ranges::any_of(stencil.terms, is_empty))
    throw InvalidSpec(
        "filter: the kernel is a sum of no products; give weights along z, y and x for at least "
        "one");
  for (const auto& term : stencil.terms) {
    require_length("z", term.z, stencil.extent.z);
    for (const auto& plane : term.planes) {
      require_length("y", plane.y, stencil.extent.y);
      require_length("x", plane.x, stencil.extent.x);
    }
  }
}

}  // namespace synthoscope::kernels

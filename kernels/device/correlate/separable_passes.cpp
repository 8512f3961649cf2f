// SPDX-License-Identifier: MIT
#include "kernels/device/correlate/separable_passes.hpp"
#include <utility>

namespace synthoscope::kernels::device {
namespace {

/// An axis with more weights is summed with one thread a voxel: registers do not hold them.
constexpr std::int64_t kMaxSlidingWeights = 97;

std::vector<float> floats(const std::vector<double>& weights) {
  return {weights.begin(), weights.end()};
}

bool leaves_trace(std::int64_t extent, std::int64_t centre) {
  return extent > 1 || centre != 0;
}

/// The axes that need a pass.
struct Traces {
  bool z, y, x;
};

/// Multiplies the only weight of each axis without a pass into an axis that has one.
void join_single_weights(const Traces& along, SeparablePasses::Factors& of) {
  float factor = 1;
  if (!along.z) factor *= std::exchange(of.z[0], 1.0F);
  if (!along.y) factor *= std::exchange(of.y[0], 1.0F);
  if (!along.x) factor *= std::exchange(of.x[0], 1.0F);
  for (float& weight : along.z ? of.z : along.y ? of.y : of.x) weight *= factor;
}

}  // namespace

SeparablePasses::SeparablePasses(const SeparableStencil& stencil, SeparableStrategy strategy)
    : extent_{stencil.extent}, centre_{stencil.centre} {
  const Traces along{leaves_trace(extent_.z, centre_.z), leaves_trace(extent_.y, centre_.y),
                     leaves_trace(extent_.x, centre_.x)};
  for (const SeparableStencil::Term& term : stencil.terms)
    for (const SeparableStencil::Plane& plane : term.planes) {
      products_.push_back({floats(term.z), floats(plane.y), floats(plane.x)});
      join_single_weights(along, products_.back());
    }
  const auto slides = [&](std::int64_t n) {
    return strategy == SeparableStrategy::fused && n <= kMaxSlidingWeights;
  };
  if (!slides(extent_.y) || !slides(extent_.x)) {
    if (along.x) passes_.push_back({Pass::Kind::axis, false, false, true});
    if (along.y) passes_.push_back({Pass::Kind::axis, false, true, false});
  } else if (along.x) {
    passes_.push_back({Pass::Kind::rows_and_columns, false, true, true});
  } else if (along.y) {
    passes_.push_back({Pass::Kind::columns, false, true, false});
  }
  if (along.z)
    passes_.push_back(
        {slides(extent_.z) ? Pass::Kind::columns : Pass::Kind::axis, true, false, false});
  if (passes_.empty()) passes_.push_back({Pass::Kind::axis, false, false, true});
}

bool SeparablePasses::may_be_one() const {
  return products_.size() == 1 && passes_.size() == 2 && passes_[0].kind != Pass::Kind::axis &&
         passes_[1].kind != Pass::Kind::axis;
}

Box3 SeparablePasses::made_by(std::size_t i, const Box3& window, const Box3& box) const {
  Box3 made = box;
  for (std::size_t next = i + 1; next < passes_.size(); ++next) {
    if (passes_[next].z) {
      made.origin.z = window.origin.z;
      made.size.z = window.size.z;
    }
    if (passes_[next].y) {
      made.origin.y = window.origin.y;
      made.size.y = window.size.y;
    }
  }
  return made;
}

std::int64_t SeparablePasses::voxels_made_by(std::size_t i, const Extent3& box) const {
  // Windows are no larger than the reach
  const Box3 reached{{}, {box.z + extent_.z - 1, box.y + extent_.y - 1, box.x + extent_.x - 1}};
  return volume(made_by(i, reached, reached).size);
}

}  // namespace synthoscope::kernels::device

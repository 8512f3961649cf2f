// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/nucleus.hpp"
#include <algorithm>
#include <cmath>
#include "core/base/assert.hpp"
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/lobes/harmonics.hpp"
#include "simulator/phantom/lobes/outline.hpp"
#include "simulator/phantom/nuclei/lobe_chain.hpp"
#include "simulator/phantom/nuclei/nucleoli.hpp"
#include "simulator/phantom/texture/texture.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kRadiusDraw = 0, kTextureDraw = 1, kTurnDraw = 2, kHarmonicsDraw = 64,
              kLobesDraw = 205, kIndentationDraw = 22528, kAxesDraw = 22592, kFoldsDraw = 22600;

/// Draws one lobe with the volume of a ball of `radius_um`.
Lobe draw_single(const NucleiSpec& spec, const Draws& draws, const Matrix3& turn,
                 double radius_um) {
  auto harmonics = random_harmonics(draws, kHarmonicsDraw, static_cast<int>(spec.degree));
  double roughness = spec.roughness;
  if (spec.squareness > 0) {
    harmonics = cushioned(roughness, harmonics, spec.squareness);
    roughness = 1;
  }
  const Outline outline{spec.asymmetry, static_cast<int>(spec.indentations),
                        spec.indentation_depth};
  if (outline.asymmetry > 0 || outline.indentations > 0) {
    harmonics = outlined(cushioned(roughness, harmonics, 0), outline, draws, kIndentationDraw,
                         kHarmonicsDraw);
    roughness = 1;
  }
  Vector3 ratios = vector_of(spec.axis_ratios);
  if (spec.axis_spread > 0)
    for (std::size_t axis = 0; axis < 3; ++axis)
      ratios[axis] *= 1 + spec.axis_spread * bell(draws.block(kAxesDraw + static_cast<int>(axis)));
  Folds folds;
  if (spec.folds > 0) {
    const double mean_um = radius_um / cube_root(ratios[0] * ratios[1] * ratios[2]);
    folds = draw_folds({spec.folds, spec.fold_depth, spec.fold_um}, draws, kFoldsDraw,
                       mean_um * ratios);
  }
  const double factor = volume_factor(roughness, harmonics, folds);
  const double scale = radius_um / cube_root(ratios[0] * ratios[1] * ratios[2] * factor);
  return Lobe{{{}, turn, scale * ratios, roughness, harmonics, folds}};
}

/// Indices in separating_directions() of the two directions of each axis.
struct AxisDirections {
  std::array<std::size_t, 3> down{}, up{};
};

AxisDirections find_axes() {
  const auto& directions = separating_directions();
  AxisDirections found;
  for (std::size_t i = 0; i < directions.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (directions[i][axis] == -1) found.down[axis] = i;
      if (directions[i][axis] == 1) found.up[axis] = i;
    }
  return found;
}

}  // namespace

Nucleus Nucleus::draw(const NucleiSpec& spec, std::uint64_t seed, std::int64_t number) {
  return draw(spec, {RandomStream{seed, RandomStage::phantom}, static_cast<std::uint64_t>(number)});
}

Nucleus Nucleus::draw(const NucleiSpec& spec, const Draws& draws,
                      const std::optional<Matrix3>& turn) {
  Nucleus nucleus;
  const auto texture = draws.block(kTextureDraw);
  nucleus.texture_seed_ = (std::uint64_t{texture[0]} << 32) | texture[1];
  nucleus.own_axes_ = turn                                    ? *turn
                      : spec.orientation == Orientation::flat ? flat_turn(draws, kTurnDraw)
                                                              : random_turn(draws, kTurnDraw);
  const double radius = spec.radius_um * (1 + spec.radius_spread * bell(draws.block(kRadiusDraw)));
  const auto choices = static_cast<double>(spec.most_lobes - spec.fewest_lobes + 1);
  const auto lobes = static_cast<int>(static_cast<double>(spec.fewest_lobes) +
                                      uniform32(draws.block(kLobesDraw)[0]) * choices);
  if (lobes == 1) {
    nucleus.lobes_.push_back(draw_single(spec, draws, nucleus.own_axes_, radius));
    const auto moments = nucleus.lobes_.front().moments();
    nucleus.volume_um3_ = moments.volume_um3;
    nucleus.centroid_shift_ = moments.centroid_um;
    nucleus.draw_content(spec, draws, nucleus.lobes_);
  } else {
    auto chain = draw_lobe_chain(spec, draws, nucleus.own_axes_, lobes, radius);
    nucleus.lobes_ = std::move(chain.lobes);
    nucleus.volume_um3_ = chain.volume_um3;
    const std::vector<Lobe> proper{nucleus.lobes_.begin(), nucleus.lobes_.begin() + lobes};
    nucleus.draw_content(spec, draws, proper);
  }
  nucleus.bound();
  return nucleus;
}

void Nucleus::draw_content(const NucleiSpec& spec, const Draws& draws,
                           const std::vector<Lobe>& lobes) {
  nucleoli_ = spec.nucleolus_height ? draw_round_nucleoli(spec, draws, lobes, own_axes_)
                                    : draw_nucleoli(spec, draws, lobes);
  if (!is_warped(spec)) return;
  warp_ = warp_field(texture_seed_, spec.warp_wavelength_um);
  nucleolus_warp_ = spec.nucleolus_roughness;
}

Nucleus Nucleus::posed(const Pose& pose) const {
  const bool keeps_proportions = pose.stretch == 1 && pose.reshaping == Vector3{1, 1, 1};
  SYNTHOSCOPE_ASSERT(keeps_proportions || lobes_.size() == 1, ==, true);
  Nucleus nucleus = *this;
  nucleus.centre_ = pose.centre;
  if (pose.turn == own_axes_ && is_undeformed(pose)) return nucleus;
  const Matrix3 back = transposed(pose.turn) * own_axes_;  // from the drawn pose to the new one
  const Vector3 growth = growth_of(pose);
  nucleus.own_axes_ = to_own_frame(pose);
  if (lobes_.size() == 1)
    nucleus.lobes_.front() = lobes_.front().moved({}, 1, transposed(back)).grown(growth);
  else
    for (Lobe& lobe : nucleus.lobes_) lobe = lobe.moved({}, pose.scale, transposed(back));
  nucleus.volume_um3_ = volume_um3_ * (pose.scale * pose.scale * pose.scale);
  const Vector3 own = own_axes_ * centroid_shift_;
  nucleus.centroid_shift_ =
      transposed(pose.turn) * Vector3{growth[0] * own[0], growth[1] * own[1], growth[2] * own[2]};
  nucleus.bound();
  return nucleus;
}

Nucleus Nucleus::joined(const Nucleus& one, const Nucleus& other, const Vector3& way_um) {
  Nucleus both = one;
  both.lobes_.clear();
  const auto add = [&](const Nucleus& part, const Vector3& way) {
    for (const Lobe& lobe : part.lobes_) {
      LobeForm form = lobe.form();
      form.offset_um = form.offset_um + way;
      both.lobes_.emplace_back(form);
    }
  };
  add(one, -1 * way_um);
  add(other, way_um);
  both.volume_um3_ = one.volume_um3_ + other.volume_um3_;
  both.centroid_shift_ = 0.5 * (one.centroid_shift_ + other.centroid_shift_);
  both.bound();
  return both;
}

void Nucleus::bound() {
  bounding_radius_um_ = 0;
  support_ = lobes_.front().support();
  for (const Lobe& lobe : lobes_) {
    const Vector3& offset = lobe.offset_um();
    bounding_radius_um_ =
        std::max(bounding_radius_um_, std::sqrt(dot(offset, offset)) + lobe.bounding_radius_um());
    if (&lobe == &lobes_.front()) continue;
    const auto other = lobe.support();
    for (std::size_t i = 0; i < support_.size(); ++i) support_[i] = std::max(support_[i], other[i]);
  }
}

Bounds Nucleus::bounds() const {
  static const AxisDirections kAxes = find_axes();
  Bounds bounds{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    bounds.low[axis] = centre_[axis] - support_[kAxes.down[axis]];
    bounds.high[axis] = centre_[axis] + support_[kAxes.up[axis]];
  }
  return bounds;
}

NucleusVoxel Nucleus::voxel_shape(const Vector3& pitch) const {
  NucleusVoxel voxel{pitch, {}};
  for (const Lobe& lobe : lobes_) voxel.lobes.push_back(lobe.voxel_shape(pitch));
  return voxel;
}

}  // namespace synthoscope::simulator

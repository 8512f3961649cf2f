// SPDX-License-Identifier: MIT
#include "simulator/imaging/references.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"
#include "simulator/optics/models/sheet_width.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/channels.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the depth of the middle of each plane.
std::vector<double> depths_of_planes(const OpticsSpec& optics, const Grid& grid) {
  std::vector<double> depths;
  for (std::int64_t z = 0; z < grid.extent.z; ++z)
    depths.push_back(optics.depth_um + (static_cast<double>(z) + 0.5) * grid.pitch.z_um);
  if (optics.cover_glass == CoverGlass::above) std::reverse(depths.begin(), depths.end());
  return depths;
}

/// Returns a set-up about the point of the line where the objective looks at a depth. Lengths along
/// z in um of the sample are scaled as the planes are, between which the objective moves by another
/// distance.
OpticsSpec focused_at(OpticsSpec optics, const FocusLine& focus, double depth_um) {
  const double moved = std::abs(focus.slope);
  optics.depth_varying = false;
  optics.depth_um = depth_um;
  optics.axial_origin = {AxialOrigin::Rule::fixed, focus.at(depth_um)};
  optics.shift.z_um *= moved;
  optics.sheet_waist_um *= moved;
  return optics;
}

/// Replaces the single reference by one for each depth.
void vary_depth(const Grid& grid, References& references, TaskPool& pool) {
  const OpticsSpec optics = references.all.front().optics;
  const auto depths = depths_of_planes(optics, grid);
  const auto [least, most] = std::minmax_element(depths.begin(), depths.end());
  const DepthReferences chosen =
      choose_depth_references(optics, *least, *most, *most - *least, pool);
  const auto weights = weights_between(chosen.depth_um, depths);
  references.all.clear();
  for (std::size_t i = 0; i < chosen.depth_um.size(); ++i) {
    const double depth = chosen.depth_um[i];
    Reference one{focused_at(optics, chosen.focus, depth), 1, {}, depth, std::nullopt};
    if (chosen.depth_um.size() > 1) one.weights.z = weights[i];
    references.all.push_back(std::move(one));
  }
  references.pitch.z_um *= std::abs(chosen.focus.slope);
  references.depths = chosen;
}

/// Replaces each reference by one for each thickness of the sheet.
void vary_sheet(const OpticsSpec& optics, const Grid& grid, References& references) {
  const bool along_y = optics.sheet_along == SheetAlong::y;
  const std::int64_t voxels = along_y ? grid.extent.y : grid.extent.x;
  const double pitch_um = along_y ? grid.pitch.y_um : grid.pitch.x_um;
  std::vector<double> radii, inverse;
  for (std::int64_t i = 0; i < voxels; ++i) {
    const double from_middle = (static_cast<double>(2 * i + 1 - voxels)) / 2 * pitch_um;
    radii.push_back(sheet_radius_um(optics, from_middle - optics.sheet_focus_um));
    inverse.push_back(-1 / radii.back());
  }
  const auto [least, most] = std::minmax_element(radii.begin(), radii.end());
  const SheetReferences chosen = choose_sheet_references(optics, *least, *most);
  std::vector<double> nodes;
  for (const double radius : chosen.radius_um) nodes.push_back(-1 / radius);
  const auto weights = weights_between(nodes, inverse);

  std::vector<Reference> all;
  for (const Reference& before : references.all)
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Reference one = before;
      one.optics.sheet_along = SheetAlong::none;
      one.optics.sheet_waist_um *= chosen.radius_um[i] / optics.sheet_waist_um;
      one.gain = optics.sheet_waist_um / chosen.radius_um[i];
      one.sheet_radius_um = chosen.radius_um[i];
      if (nodes.size() > 1) (along_y ? one.weights.y : one.weights.x) = weights[i];
      all.push_back(std::move(one));
    }
  if (all.size() > kMaxReferences)
    throw InvalidSpec(
        fmt::format("optics: depth_varying with sheet_along needs {} references, but at most {} "
                    "are possible; raise optics.reference_error",
                    all.size(), kMaxReferences));
  references.all = std::move(all);
  references.sheet_error = chosen.error;
}

/// Multiplies the light of every voxel by the part that the objective collects.
void collect(const Grid& grid, References& references) {
  const double part = collected_part(references.all.front().optics);
  if (part == 1) return;
  for (Reference& one : references.all) {
    auto& planes = one.weights.z;
    if (planes.empty()) planes.assign(static_cast<std::size_t>(grid.extent.z), 1);
    for (double& weight : planes) weight *= part;
  }
}

/// Multiplies weights of an axis, which are 1 if there are none, by exp(-way / length).
void weaken(std::vector<double>& weights, const std::vector<double>& ways_um, double length_um) {
  if (weights.empty()) weights.assign(ways_um.size(), 1);
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] *= portable::exp_negative(-ways_um[i] / length_um);
}

/// Multiplies the light of every voxel by the parts of excitation and emission that the medium
/// leaves.
void attenuate(const SceneSpec& scene, const Grid& grid, References& references) {
  const MediumSpec& medium = scene.medium;
  if (!medium.weakens()) return;
  OpticsSpec optics = scene.optics;
  optics.depth_um = medium.depth_um.value_or(optics.depth_um);
  const std::vector<double> depths = depths_of_planes(optics, grid);
  const auto across = [](std::int64_t count, double pitch_um) {
    std::vector<double> ways;
    for (std::int64_t i = 0; i < count; ++i)
      ways.push_back((static_cast<double>(i) + 0.5) * pitch_um);
    return ways;
  };
  for (Reference& one : references.all) {
    if (medium.emission_length_um) weaken(one.weights.z, depths, *medium.emission_length_um);
    if (!medium.excitation_length_um) continue;
    const double length_um = *medium.excitation_length_um;
    switch (medium.excitation_along) {
      case ExcitationAlong::z:
        weaken(one.weights.z, depths, length_um);
        break;
      case ExcitationAlong::y:
        weaken(one.weights.y, across(grid.extent.y, grid.pitch.y_um), length_um);
        break;
      case ExcitationAlong::x:
        weaken(one.weights.x, across(grid.extent.x, grid.pitch.x_um), length_um);
        break;
    }
  }
}

std::string percent(double part) {
  return fmt::format("{:.2g} %", 100 * part);
}

}  // namespace

References references_of(const SceneSpec& scene, TaskPool& pool) {
  const Grid grid = blur_grid(scene);
  References references;
  references.pitch = grid.pitch;
  references.all.push_back({blur_optics(scene), 1, {}, std::nullopt, std::nullopt});
  const OpticsSpec optics = references.all.front().optics;
  if (optics.depth_varying) vary_depth(grid, references, pool);
  if (optics.sheet_along != SheetAlong::none) vary_sheet(optics, grid, references);
  collect(grid, references);
  attenuate(scene, grid, references);
  // Values of the models' equations are comparable; ReferencePsfs normalises them as asked
  if (references.vary())
    for (Reference& one : references.all) one.optics.normalization = PsfNormalization::none;
  return references;
}

std::string References::description() const {
  std::vector<std::string> parts;
  const OpticsSpec& optics = all.front().optics;
  if (optics.collection == Collection::aperture)
    parts.push_back(fmt::format("the aperture collects {:.4g} % of the emitted light",
                                100 * collected_part(optics)));
  if (depths) {
    const auto& d = *depths;
    parts.push_back(
        fmt::format("the PSF varies with depth: {} computed at depths of {:.4g} to {:.4g} um, and "
                    "interpolation between them is wrong by at most {} of the peak; the objective "
                    "moves {:.4g} um for each um of depth, and the brightest plane of an emitter "
                    "lies within {:.3g} um of its own depth",
                    d.depth_um.size() == 1 ? "one PSF" : fmt::format("{} PSFs", d.depth_um.size()),
                    d.depth_um.front(), d.depth_um.back(), percent(d.error),
                    std::abs(d.focus.slope), d.focus.most_off_um / std::abs(d.focus.slope)));
  }
  if (all.front().sheet_radius_um)
    parts.push_back(fmt::format(
        "the light sheet widens: radii of {:.4g} to {:.4g} um, and interpolation between them is "
        "wrong by at most {} of the light in the middle of the sheet",
        *all.front().sheet_radius_um, *all.back().sheet_radius_um, percent(sheet_error)));
  if (vary()) parts.push_back(fmt::format("{} blurs are added up", all.size()));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::int64_t blurs_of(const SceneSpec& scene, const std::optional<std::string>& channel,
                      TaskPool& pool) {
  std::int64_t most = 1;
  for (const Channel& one : channels_of(scene, channel))
    most = std::max(most, references_of(one.scene, pool).count());
  return scene.frames * most;
}

}  // namespace synthoscope::simulator

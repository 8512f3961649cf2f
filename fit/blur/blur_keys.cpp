// SPDX-License-Identifier: MIT
#include "fit/blur/blur_keys.hpp"
#include <algorithm>
#include <string_view>
#include <utility>

namespace synthoscope::fit {
namespace {

constexpr double kPriorOfAperture = 0.3;  ///< of its logarithm
constexpr double kPriorOfFocus = 1;       ///< of its logarithm
constexpr double kPriorOfSquareness = 0.5;
constexpr double kLargestAperture = 1.49;  ///< of common lenses
constexpr double kOfImmersion = 0.985;     ///< an aperture is below the index of the immersion
constexpr double kMostDefocusNm = 20000;
constexpr double kLeastOfDepth = 0.1;  ///< of the depth of field, that a plane is out of focus
constexpr std::string_view kFocusKey = "optics.shift_nm";

std::string source_of(const BlurMeasure& measure) {
  if (measure.points) return "the widths of isolated points";
  const bool has_edges = measure.reach > 0 || measure.axial_reach > 0;
  const bool has_spectrum = !measure.bands.empty() || !measure.axial_bands.empty();
  if (!has_edges) return "the power spectrum";
  return has_spectrum ? "edges of objects and the power spectrum" : "edges of objects";
}

/// @source Born, Wolf, Principles of Optics, 8.8: n wavelength / NA^2 between planes of 80 %
///         intensity, here on both sides.
double depth_of_field_nm(const simulator::OpticsSpec& optics) {
  return optics.immersion_index * optics.wavelength_nm / (optics.na * optics.na);
}

bool is_plane(const simulator::SceneSpec& scene) {
  return scene.grid.extent.z == 1;
}

}  // namespace

double largest_aperture(const simulator::OpticsSpec& optics) {
  return std::min(kLargestAperture, kOfImmersion * optics.immersion_index);
}

std::vector<FittedKey> blur_keys(const StageTask& task, const simulator::SceneSpec& scene,
                                 const BlurMeasure& measure, bool with_halo) {
  const std::string beside = ", beside those of simulated images";
  const std::string from = "from " + source_of(measure) + beside;
  std::vector<FittedKey> all{
      {"optics.na", {}, true, 0.1, largest_aperture(scene.optics), kPriorOfAperture, from}};
  if (scene.optics.model == simulator::PsfModel::light_sheet &&
      (measure.axial_reach > 0 || measure.axial_points))
    all.push_back({"optics.sheet_waist_um", {}, true, 0.1, 100, 0.5, from});
  if (is_plane(scene) && measure.reach > 0)
    all.push_back({std::string{kFocusKey}, 0, true, kLeastOfDepth * depth_of_field_nm(scene.optics),
                   kMostDefocusNm, kPriorOfFocus, "how far out of focus, " + from});
  if (measure.inner)
    all.push_back({"nuclei.squareness",
                   {},
                   false,
                   0,
                   1.5,
                   kPriorOfSquareness,
                   "from levels within nuclei" + beside});
  if (with_halo) {
    all.push_back(
        {"optics.glare_share", {}, false, 0, 0.8, 0.15, "from the light outside of objects"});
    all.push_back({"optics.glare_um",
                   {},
                   true,
                   0.2,
                   100,
                   0.7,
                   "from the fall of the light outside of objects"});
  }
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const FittedKey& key) { return !task.is_free(key.key); }),
            all.end());
  return all;
}

bool is_focus(const FittedKey& key) {
  return key.key == kFocusKey;
}

void leave_focus(const std::vector<FittedKey>& keys, simulator::SceneSpec& scene) {
  for (const FittedKey& key : keys)
    if (is_focus(key))
      set_value(scene, key, std::max(value_of(scene, key), depth_of_field_nm(scene.optics) / 2));
}

}  // namespace synthoscope::fit

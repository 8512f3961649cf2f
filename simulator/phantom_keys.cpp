// SPDX-License-Identifier: MIT
// simulator/phantom_keys.cpp — the keys of a scene that say what is there.
#include "simulator/scene_key_rows.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kHuge = 1e6;

/// `count` and `density_per_mm3` of a table.
template <class Count, class Density>
void add_numbers(std::vector<SceneKey>& keys, const std::string& table, std::string_view otherwise,
                 Count count, Density density) {
  keys.push_back(
      absent_means(otherwise, key(table + ".count", "", Range{0, 65535}, "how many", count)));
  keys.push_back(absent_means(
      "as count says", key(table + ".density_per_mm3", "per mm^3", Range{0, 1e15},
                           "how many in a cubic millimetre of the grid, instead of count; their "
                           "number is rounded to the nearest",
                           density)));
}

void add_nuclei_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  add_numbers(keys, "nuclei", "10, or by density_per_mm3", SYNTHOSCOPE_MEMBER(nuclei.count),
              SYNTHOSCOPE_MEMBER(nuclei.density_per_mm3));
  add("nuclei.radius_um", "um", Range{0, kHuge, true},
      "mean radius of the sphere with a nucleus' volume", SYNTHOSCOPE_MEMBER(nuclei.radius_um));
  add("nuclei.radius_spread", "", Range{0, 0.25}, "standard deviation of that radius over its mean",
      SYNTHOSCOPE_MEMBER(nuclei.radius_spread));
  add("nuclei.axis_ratios", "", Range{0.1, 10},
      "semi-axes z, y, x before turning, up to a common factor",
      SYNTHOSCOPE_MEMBER(nuclei.axis_ratios));
  add("nuclei.orientation", "", kAny,
      "flat: turned about z only, as on a cover glass; random: turned any way",
      SYNTHOSCOPE_MEMBER(nuclei.orientation));
  add("nuclei.roughness", "", Range{0, 0.1},
      "root mean square deviation of the surface from its ellipsoid, over the radius",
      SYNTHOSCOPE_MEMBER(nuclei.roughness));
  add("nuclei.degree", "", Range{2, 6}, "highest surface harmonic: how fine the deformation is",
      SYNTHOSCOPE_MEMBER(nuclei.degree));
  add("nuclei.gap_um", "um", Range{0, kHuge}, "smallest distance between two nuclei",
      SYNTHOSCOPE_MEMBER(nuclei.gap_um));
  add("nuclei.border", "", kAny,
      "inside: every nucleus lies wholly in the grid; cut: only its centre has to",
      SYNTHOSCOPE_MEMBER(nuclei.border));
  add("nuclei.clustering", "", Range{0, 1},
      "chance that a nucleus joins a cluster that another began; 0: positions are uniform",
      SYNTHOSCOPE_MEMBER(nuclei.clustering));
  keys.push_back(absent_means(
      "twice radius_um",
      key("nuclei.cluster_width_um", "um", Range{0, kHuge, true},
          "distance from the beginner of its cluster at which the density of joining nuclei has "
          "fallen to 1/e",
          SYNTHOSCOPE_MEMBER(nuclei.cluster_width_um))));
  add("nuclei.photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
      "light of a cubic micrometre of nucleus if all of it fell on one plane",
      SYNTHOSCOPE_MEMBER(nuclei.photons_per_um3));
  add("nuclei.texture_contrast", "", Range{0, 1},
      "largest relative deviation of the density from its mean; 0 is uniform",
      SYNTHOSCOPE_MEMBER(nuclei.texture_contrast));
  add("nuclei.texture_wavelength_um", "um", Range{0, kHuge, true}, "longest wave of the chromatin",
      SYNTHOSCOPE_MEMBER(nuclei.texture_wavelength_um));
  add("nuclei.texture_octaves", "", Range{1, 8}, "waves of half the length each",
      SYNTHOSCOPE_MEMBER(nuclei.texture_octaves));
}

void add_beads_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  add_numbers(keys, "beads", "0, or by density_per_mm3", SYNTHOSCOPE_MEMBER(beads.count),
              SYNTHOSCOPE_MEMBER(beads.density_per_mm3));
  add("beads.diameter_um", "um", Range{0, kHuge, true}, "mean diameter of the balls",
      SYNTHOSCOPE_MEMBER(beads.diameter_um));
  add("beads.diameter_spread", "", Range{0, 0.25},
      "standard deviation of the diameter over its mean",
      SYNTHOSCOPE_MEMBER(beads.diameter_spread));
  add("beads.photons", "photons per exposure", Range{0, 1e12},
      "light of a bead of mean diameter if all of it fell on one plane; others have as much per "
      "volume",
      SYNTHOSCOPE_MEMBER(beads.photons));
  add("beads.gap_um", "um", Range{0, kHuge}, "smallest distance to another bead or a nucleus",
      SYNTHOSCOPE_MEMBER(beads.gap_um));
  add("beads.border", "", kAny,
      "inside: every bead lies wholly in the grid; cut: only its centre has to",
      SYNTHOSCOPE_MEMBER(beads.border));
}

void add_target_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  add("target.kind", "", kAny,
      "points: single voxels on a lattice, at their centres; lines: round rods along y on a "
      "lattice "
      "of z and x; shells: hollow balls on a lattice; star: a disc of wedges in the middle. It is "
      "laid over nuclei and beads, whose labels stay",
      SYNTHOSCOPE_MEMBER(target.kind));
  add("target.spacing_um", "um", Range{0, kHuge, true},
      "of the lattice along z, y and x, which is centred in the grid; rounded to voxels for points",
      SYNTHOSCOPE_MEMBER(target.spacing_um));
  keys.push_back(absent_means(
      "0.3 for lines, half the smallest spacing for shells, 0.8 of the grid for the star",
      key("target.diameter_um", "um", Range{0, kHuge, true}, "of a line, a shell, the star",
          SYNTHOSCOPE_MEMBER(target.diameter_um))));
  add("target.thickness_um", "um", Range{0, kHuge, true}, "wall of the shells, height of the star",
      SYNTHOSCOPE_MEMBER(target.thickness_um));
  add("target.spokes", "", Range{2, 360}, "wedges of the star, as wide as the gaps between them",
      SYNTHOSCOPE_MEMBER(target.spokes));
  add("target.photons", "photons per exposure", Range{0, 1e12},
      "light of a point if all of it fell on one plane", SYNTHOSCOPE_MEMBER(target.photons));
  add("target.photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
      "light of a cubic micrometre of a line, a shell, the star",
      SYNTHOSCOPE_MEMBER(target.photons_per_um3));
}

}  // namespace

void add_phantom_keys(std::vector<SceneKey>& keys) {
  add_nuclei_keys(keys);
  add_beads_keys(keys);
  add_target_keys(keys);
}

}  // namespace synthoscope::simulator

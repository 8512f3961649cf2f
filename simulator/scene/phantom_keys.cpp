// SPDX-License-Identifier: MIT
// simulator/scene/phantom_keys.cpp — the keys of a scene that describe its objects.
#include "simulator/scene/population_keys.hpp"

namespace synthoscope::simulator {
namespace {

void add_nuclei_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  add("nuclei.kind", "", kAny,
      "cell type of the nuclei: round ones of HL60 cells, segmented ones of granulocytes, flat and "
      "long ones of fibroblasts. Read before the other keys: keys of shape and texture that are "
      "not given get the figures of such a nucleus",
      SYNTHOSCOPE_MEMBER(nuclei.kind));
  keys.back().chooses_defaults = true;
  keys.back().set = [choose = keys.back().set](SceneSpec& scene, const SceneValue& value) {
    choose(scene, value);
    set_typical(scene.nuclei, scene.nuclei.kind);
  };
  const PopulationKeys nuclei{keys, "nuclei", "nucleus", "nuclei", SYNTHOSCOPE_MEMBER(nuclei)};
  nuclei.add_shape("10 (0 beside cells, a volume, a tissue or neurons), or by density_per_mm3",
                   Range{0, kHuge, true});
  add("nuclei.squareness", "", Range{0, 1.5},
      "shape of a nucleus of one lobe: 0 is an ellipsoid, 1 a cushion with the exponent 4, flat "
      "above and below with steep sides",
      SYNTHOSCOPE_MEMBER(nuclei.squareness));
  add("nuclei.fewest_lobes", "", Range{1, 5},
      "smallest number of lobes of a nucleus; all numbers up to most_lobes are equally likely",
      SYNTHOSCOPE_MEMBER(nuclei.fewest_lobes));
  add("nuclei.most_lobes", "", Range{1, 5},
      "largest number of lobes; thin bridges join them to a bent chain",
      SYNTHOSCOPE_MEMBER(nuclei.most_lobes));
  add("nuclei.gap_um", "um", Range{-kHuge, kHuge},
      "smallest distance between two nuclei; below 0 they may overlap by this length, at most half "
      "the smallest semi-axis, and shared voxels belong to the lower id",
      SYNTHOSCOPE_MEMBER(nuclei.gap_um));
  add("nuclei.border", "", kAny,
      "inside: every nucleus lies entirely in the grid; cut: only its centre must lie in the grid",
      SYNTHOSCOPE_MEMBER(nuclei.border));
  add("nuclei.arrangement", "", kAny,
      "free: anywhere in the grid; spheroid: packed into a ball around the middle of the grid; "
      "shell: on a hollow ball around the middle, as a blastula. The part of the ball outside the "
      "grid stays empty",
      SYNTHOSCOPE_MEMBER(nuclei.arrangement));
  keys.push_back(absent_means("from the number of nuclei and their size",
                              key("nuclei.arrangement_radius_um", "um", Range{0, kHuge, true},
                                  "radius of the ball that contains a spheroid, or of the ball "
                                  "through the centres of a shell's outer layer",
                                  SYNTHOSCOPE_MEMBER(nuclei.arrangement_radius_um))));
  add("nuclei.layers", "", Range{1, 5},
      "number of layers of nuclei in a shell, one inside the other",
      SYNTHOSCOPE_MEMBER(nuclei.layers));
  nuclei.add_clusters();
  add("nuclei.photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
      "light of a cubic micrometre of nucleus if all of it fell on one plane",
      SYNTHOSCOPE_MEMBER(nuclei.photons_per_um3));
  add("nuclei.texture", "", kAny,
      "chromatin: a random field of spectrum k^-3; perlin: classic Perlin noise, each octave with "
      "a quarter of the wave and an eighth of the amplitude; none: evenly stained",
      SYNTHOSCOPE_MEMBER(nuclei.texture));
  add("nuclei.texture_contrast", "", Range{0, 1},
      "largest relative deviation of the density from its mean; 0 is uniform",
      SYNTHOSCOPE_MEMBER(nuclei.texture_contrast));
  add("nuclei.texture_wavelength_um", "um", Range{0, kHuge, true}, "longest wave of the texture",
      SYNTHOSCOPE_MEMBER(nuclei.texture_wavelength_um));
  add("nuclei.texture_octaves", "", Range{1, 8},
      "number of waves that are added, each half as long as the one before for chromatin",
      SYNTHOSCOPE_MEMBER(nuclei.texture_octaves));
  add("nuclei.envelope_density", "", Range{0, 10},
      "additional density of chromatin along the envelope, relative to deep inside: 0.5 is half as "
      "much again",
      SYNTHOSCOPE_MEMBER(nuclei.envelope_density));
  add("nuclei.envelope_um", "um", Range{0, kHuge, true},
      "depth below the surface that this additional density reaches; it has fallen to half at 0.54 "
      "of it",
      SYNTHOSCOPE_MEMBER(nuclei.envelope_um));
  add("nuclei.nucleoli", "", Range{0, 8}, "number of weakly stained bodies in each nucleus",
      SYNTHOSCOPE_MEMBER(nuclei.nucleoli));
  add("nuclei.nucleolus_radius", "", Range{0.05, 0.5}, "mean radius, divided by that of its lobe",
      SYNTHOSCOPE_MEMBER(nuclei.nucleolus_radius));
  add("nuclei.nucleolus_density", "", Range{0, 1}, "share of the stain that remains in nucleoli",
      SYNTHOSCOPE_MEMBER(nuclei.nucleolus_density));
}

void add_beads_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  add_numbers(keys, "beads", "0, or by density_per_mm3", SYNTHOSCOPE_MEMBER(beads.count),
              SYNTHOSCOPE_MEMBER(beads.density_per_mm3));
  add("beads.diameter_um", "um", Range{0.001, kHuge}, "mean diameter of the balls",
      SYNTHOSCOPE_MEMBER(beads.diameter_um));
  add("beads.diameter_spread", "", Range{0, 0.25},
      "standard deviation of the diameter divided by its mean",
      SYNTHOSCOPE_MEMBER(beads.diameter_spread));
  add("beads.photons", "photons per exposure", Range{0, 1e12},
      "light of a bead of mean diameter if all of it fell on one plane; others have the same light "
      "per volume",
      SYNTHOSCOPE_MEMBER(beads.photons));
  add("beads.gap_um", "um", Range{0, kHuge},
      "smallest distance to another bead, a nucleus or a cell", SYNTHOSCOPE_MEMBER(beads.gap_um));
  add("beads.border", "", kAny,
      "inside: every bead lies entirely in the grid; cut: only its centre must lie in the grid",
      SYNTHOSCOPE_MEMBER(beads.border));
}

void add_target_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  add("target.kind", "", kAny,
      "points: single voxels on a lattice, at their centres; lines: round rods along y on a "
      "lattice of z and x; shells: hollow balls on a lattice; star: a disc of wedges in the "
      "middle. The target is added to nuclei and beads, which keep their labels",
      SYNTHOSCOPE_MEMBER(target.kind));
  add("target.spacing_um", "um", Range{0, kHuge, true},
      "spacing of the lattice along z, y and x, which is centred in the grid; rounded to voxels "
      "for points",
      SYNTHOSCOPE_MEMBER(target.spacing_um));
  keys.push_back(absent_means(
      "0.3 for lines, half the smallest spacing for shells, 0.8 of the grid for the star",
      key("target.diameter_um", "um", Range{0, kHuge, true},
          "diameter of a line, a shell, the star", SYNTHOSCOPE_MEMBER(target.diameter_um))));
  add("target.thickness_um", "um", Range{0, kHuge, true},
      "thickness of the wall of the shells, height of the star",
      SYNTHOSCOPE_MEMBER(target.thickness_um));
  add("target.spokes", "", Range{2, 360},
      "number of wedges of the star, as wide as the gaps between them",
      SYNTHOSCOPE_MEMBER(target.spokes));
  add("target.photons", "photons per exposure", Range{0, 1e12},
      "light of a point if all of it fell on one plane", SYNTHOSCOPE_MEMBER(target.photons));
  add("target.photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
      "light of a cubic micrometre of a line, a shell, the star",
      SYNTHOSCOPE_MEMBER(target.photons_per_um3));
}

void add_volume_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  const auto add_optional = [&](std::string_view absent, auto... row) {
    keys.push_back(absent_means(std::string{absent}, key(row...)));
  };
  add_optional(
      "none", "volume.labels", "", kAny,
      "TIFF or HDF5 file of whole numbers, as stack.tif or stack.h5:/path/to/dataset: every number "
      "except 0 marks an object. A voxel of the grid has the label of the file's voxel that "
      "contains its centre. If there are also nuclei or beads, theirs come first",
      SYNTHOSCOPE_MEMBER(volume.labels));
  add_optional(
      "none", "volume.intensity", "", kAny,
      "TIFF or HDF5 file of light, of the size of labels if both are given: then all light comes "
      "from this file. It is distributed over the voxels of the grid without loss",
      SYNTHOSCOPE_MEMBER(volume.intensity));
  add_optional("the first", "volume.image", "", Range{0, 1e9},
               "number of the image in the files, from 0, if they have several; info lists them",
               SYNTHOSCOPE_MEMBER(volume.image));
  add_optional("the only one", "volume.channel", "", Range{0, 1023},
               "number of the channel in the files, from 0, if they have several",
               SYNTHOSCOPE_MEMBER(volume.channel));
  add_optional("the only one", "volume.frame", "", Range{0, 1e9},
               "number of the frame in the files, from 0, if they have several",
               SYNTHOSCOPE_MEMBER(volume.frame));
  add_optional("the voxel size in the file", "volume.pitch_nm", "nm", Range{0, 1e9, true},
               "distance between the files' voxels along z, y and x",
               SYNTHOSCOPE_MEMBER(volume.pitch));
  add_optional("the middle of the file at the middle of the grid", "volume.corner_um", "um",
               Range{-kHuge, kHuge},
               "position of the corner of the file's first voxel, from the corner of the grid's "
               "first voxel, along z, y and x",
               SYNTHOSCOPE_MEMBER(volume.corner));
  add("volume.photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
      "light of a cubic micrometre of every label, without intensity",
      SYNTHOSCOPE_MEMBER(volume.photons_per_um3));
  add("volume.photons_per_value", "photons per exposure", Range{0, 1e12},
      "light of a voxel of intensity whose value is 1 above background, if all of it fell on one "
      "plane",
      SYNTHOSCOPE_MEMBER(volume.photons_per_value));
  add("volume.background", "as the file's voxels", Range{-1e12, 1e12},
      "value of intensity that is dark, such as a camera's offset; lower values are dark, too",
      SYNTHOSCOPE_MEMBER(volume.background));
}

void add_tissue_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  add_numbers(keys, "tissue", "0, or by density_per_mm3", SYNTHOSCOPE_MEMBER(tissue.count),
              SYNTHOSCOPE_MEMBER(tissue.density_per_mm3));
  add("tissue.axis_ratios", "", Range{0.1, 10},
      "lengths of cells along z, y and x, up to a common factor",
      SYNTHOSCOPE_MEMBER(tissue.axis_ratios));
  add("tissue.size_spread", "", Range{0, 0.25},
      "standard deviation, divided by the mean, of the radius that a cell claims against its "
      "neighbours",
      SYNTHOSCOPE_MEMBER(tissue.size_spread));
  add("tissue.regularity", "", Range{0, 50},
      "how many times all points move to the middles of their cells, which makes cells more "
      "similar; 0: cells of scattered points",
      SYNTHOSCOPE_MEMBER(tissue.regularity));
  add("tissue.gap_um", "um", Range{0, kHuge}, "distance between two cells",
      SYNTHOSCOPE_MEMBER(tissue.gap_um));
  add("tissue.membrane_um", "um", Range{0, kHuge},
      "thickness of the membrane, a layer under the sides towards other cells",
      SYNTHOSCOPE_MEMBER(tissue.membrane_um));
  add("tissue.nuclei", "", kAny,
      "a nucleus in the middle of every cell, made with the keys of [nuclei]; a nucleus that would "
      "reach the membrane is made smaller. It has the id of its cell",
      SYNTHOSCOPE_MEMBER(tissue.nuclei));
  add("tissue.membrane_photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
      "light of a cubic micrometre of membrane; 0: not stained",
      SYNTHOSCOPE_MEMBER(tissue.membrane_photons_per_um3));
  add("tissue.cytoplasm_photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
      "light of a cubic micrometre of the cytoplasm, outside membrane and nucleus",
      SYNTHOSCOPE_MEMBER(tissue.cytoplasm_photons_per_um3));
}

void add_neuron_keys(std::vector<SceneKey>& keys) {
  const auto add = [&](auto... row) { keys.push_back(key(row...)); };
  keys.push_back(absent_means(
      "none", key("neuron.file", "", kAny,
                  "SWC file of traced neurons: a line \"id type x y z radius parent\" for each "
                  "point, in um. Every tree is an object",
                  SYNTHOSCOPE_MEMBER(neuron.file))));
  add("neuron.scale", "", Range{0, kHuge, true}, "unit of all lengths in the file",
      SYNTHOSCOPE_MEMBER(neuron.scale));
  keys.push_back(
      absent_means("the middle of the grid", key("neuron.centre_um", "um", Range{-kHuge, kHuge},
                                                 "position of the middle of the box around all "
                                                 "points, from the grid's corner, along z, y and x",
                                                 SYNTHOSCOPE_MEMBER(neuron.centre))));
  add("neuron.photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
      "light of a cubic micrometre of neuron", SYNTHOSCOPE_MEMBER(neuron.photons_per_um3));
}

}  // namespace

void add_phantom_keys(std::vector<SceneKey>& keys) {
  add_nuclei_keys(keys);
  add_cells_keys(keys);
  add_beads_keys(keys);
  add_target_keys(keys);
  add_volume_keys(keys);
  add_tissue_keys(keys);
  add_neuron_keys(keys);
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nuclei_keys.hpp — the keys of [nuclei], and those that [nuclei] and
// [cells] share.
#pragma once
#include <fmt/format.h>
#include <string_view>
#include "simulator/base/range.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/kind/intensity_keys.hpp"
#include "simulator/phantom/lobes/fold.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"

namespace synthoscope::simulator {

/// Lists numbers, sizes and surfaces. @param one  "cell"
template <class Rows>
void list_shape_keys(Rows& rows, std::string_view one, std::string_view otherwise,
                     const Range& radius) {
  using Spec = typename Rows::Spec;
  list_number_keys(rows, otherwise);
  rows.add("radius_um", "um", radius,
           fmt::format("mean radius of the sphere with the volume of a {0}; if it is not given, it "
                       "is up to half as small where a {0} would not fit into the grid",
                       one),
           &Spec::radius_um);
  rows.add("radius_spread", "", Range{0, 0.25},
           "standard deviation of that radius divided by its mean", &Spec::radius_spread);
  rows.add("axis_ratios", "", Range{0.1, 10},
           "semi-axes z, y, x before rotation, up to a common factor", &Spec::axis_ratios);
  rows.add("orientation", "", kAny,
           "flat: rotated about z only, as on a cover glass; random: rotated in any direction",
           &Spec::orientation);
  rows.add("roughness", "", Range{0, 0.1},
           "root mean square deviation of the surface from its ellipsoid, divided by the radius",
           &Spec::roughness);
  rows.add("degree", "", Range{2, 6},
           "highest surface harmonic: a higher one makes finer deformations", &Spec::degree);
}

/// Lists the keys of clusters. @param one, many  "cell", "cells"
template <class Rows>
void list_cluster_keys(Rows& rows, std::string_view one, std::string_view many) {
  using Spec = typename Rows::Spec;
  rows.add("clustering", "", Range{0, 1},
           fmt::format(
               "probability that a {} joins a cluster that another began; 0: positions are uniform",
               one),
           &Spec::clustering);
  rows.add_optional("twice radius_um", "cluster_width_um", "um", Range{0, kHuge, true},
                    fmt::format("distance from the first of a cluster at which the density "
                                "of joining {} has fallen to 1/e",
                                many),
                    &Spec::cluster_width_um);
}

template <class Rows>
void list_nuclei_keys(Rows& rows) {
  rows.add_preset(
      "kind",
      "cell type of the nuclei: round ones of HL60 cells, segmented ones of "
      "granulocytes, flat and long ones of fibroblasts, irregular ones of "
      "adherent cells, and mouse nuclei with bright chromocentres. Keys of shape and texture that "
      "are not given have the values of this cell type",
      &NucleiSpec::kind, [](NucleiSpec& spec, const NucleiSpec&) { set_typical(spec, spec.kind); });
  list_shape_keys(
      rows, "nucleus",
      "10 (0 if the scene has objects of another kind), unless density_per_mm3 is given",
      Range{0, kHuge, true});
  rows.add(
      "squareness", "", Range{0, 1.5},
      "shape of a nucleus of one lobe: 0 is an ellipsoid, 1 a cushion with the exponent 4, flat "
      "above and below with steep sides",
      &NucleiSpec::squareness);
  rows.add("axis_spread", "", Range{0, 0.25},
           "standard deviation of each semi-axis divided by its mean, for nuclei of one lobe: they "
           "differ in how long and how flat they are",
           &NucleiSpec::axis_spread);
  rows.add("asymmetry", "", Range{0, 0.1},
           "root mean square of pear-shaped and triangular deformations, divided by the radius, in "
           "addition to roughness; for nuclei of one lobe",
           &NucleiSpec::asymmetry);
  rows.add("indentations", "", Range{0, 6},
           "number of smooth dents around the rim of a nucleus of one lobe",
           &NucleiSpec::indentations);
  rows.add("indentation_depth", "", Range{0, 0.3},
           "mean depth of a dent, divided by the radius; single ones have half to one and a half "
           "of it",
           &NucleiSpec::indentation_depth);
  rows.add("folds", "", Range{0, kMostFolds},
           "mean number of folds of the envelope of a nucleus of one lobe: grooves that run up its "
           "side, which are notches of its outline and dark lines in its image",
           &NucleiSpec::folds);
  rows.add("fold_depth", "", Range{0, 0.33},
           "mean depth of a fold, divided by the radius; single ones have half to one and a half "
           "of it",
           &NucleiSpec::fold_depth);
  rows.add("fold_um", "um", Range{0.1, 10}, "width of a fold at half of its depth",
           &NucleiSpec::fold_um);
  rows.add("fewest_lobes", "", Range{1, 5},
           "smallest number of lobes of a nucleus; all numbers up to most_lobes are equally likely",
           &NucleiSpec::fewest_lobes);
  rows.add("most_lobes", "", Range{1, 5},
           "largest number of lobes; thin bridges join them to a bent chain",
           &NucleiSpec::most_lobes);
  rows.add(
      "gap_um", "um", Range{-kHuge, kHuge},
      "smallest distance between two nuclei; for touching nuclei give a value below 0, such as a "
      "tenth of the radius: they may overlap by this length, at most half the smallest semi-axis, "
      "and shared voxels belong to the lower id",
      &NucleiSpec::gap_um);
  rows.add(
      "border", "", kAny,
      "inside: every nucleus lies entirely in the grid; cut: only its centre must lie in the grid",
      &NucleiSpec::border);
  rows.add(
      "arrangement", "", kAny,
      "free: anywhere in the grid; spheroid: packed into a ball around the middle of the grid; "
      "shell: on a hollow ball around the middle, as a blastula; monolayer: all with their lower "
      "side on one plane, as on a cover glass. The part of a ball outside the grid stays empty",
      &NucleiSpec::arrangement);
  rows.add_optional("from the number of nuclei and their size", "arrangement_radius_um", "um",
                    Range{0, kHuge, true},
                    "radius of the ball that contains a spheroid, or of the ball "
                    "through the centres of a shell's outer layer",
                    &NucleiSpec::arrangement_radius_um);
  rows.add("layers", "", Range{1, 5}, "number of layers of nuclei in a shell, one inside the other",
           &NucleiSpec::layers);
  rows.add_optional("so that a mean nucleus is in the middle of the grid", "glass_um", "um",
                    Range{0, kHuge}, "z of the plane on which the nuclei of a monolayer lie",
                    &NucleiSpec::glass_um);
  list_cluster_keys(rows, "nucleus", "nuclei");
  rows.add("photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "expected photons from a cubic micrometre of nucleus, added up over the pixels of the "
           "plane in focus; every plane of a wide-field stack receives as many",
           &NucleiSpec::photons_per_um3);
  list_intensity_keys(rows, "nuclei");
  rows.add(
      "texture", "", kAny,
      "chromatin: a random field of spectrum k^-3; perlin: classic Perlin noise, each octave "
      "with a quarter of the wavelength and an eighth of the amplitude; domains: dark lacunae and "
      "bright clumps with sharp, bent borders in a smooth rest; none: evenly stained",
      &NucleiSpec::texture);
  rows.add("texture_contrast", "", Range{0, 1},
           "largest relative deviation of the density from its mean; 0 is uniform",
           &NucleiSpec::texture_contrast);
  rows.add("texture_wavelength_um", "um", Range{0, kHuge, true}, "longest wave of the texture",
           &NucleiSpec::texture_wavelength_um);
  rows.add("texture_octaves", "", Range{1, 8},
           "number of waves that are added, each half as long as the one before for chromatin",
           &NucleiSpec::texture_octaves);
  rows.add("lacuna_share", "", Range{0, 0.5},
           "part of the volume that is lacunae between chromatin domains; for texture domains",
           &NucleiSpec::lacuna_share);
  rows.add("lacuna_density", "", Range{0, 1}, "share of the stain that remains in lacunae",
           &NucleiSpec::lacuna_density);
  rows.add("clump_share", "", Range{0, 0.5},
           "part of the volume that is clumps of heterochromatin; for texture domains",
           &NucleiSpec::clump_share);
  rows.add("clump_density", "", Range{0, 10},
           "additional density in clumps, relative to around them: 0.5 is half as much again",
           &NucleiSpec::clump_density);
  rows.add("domain_border", "", Range{0.05, 4},
           "width of the borders of lacunae and clumps, in standard deviations of the field that "
           "makes them: a small one is sharp",
           &NucleiSpec::domain_border);
  rows.add("warp_um", "um", Range{0, kHuge},
           "standard deviation, along each axis, of the displacement that bends these borders",
           &NucleiSpec::warp_um);
  rows.add("warp_wavelength_um", "um", Range{0, kHuge, true},
           "wavelength of the displacement of borders and of the surfaces of nucleoli",
           &NucleiSpec::warp_wavelength_um);
  rows.add(
      "envelope_density", "", Range{0, 10},
      "additional density of chromatin along the envelope, relative to deep inside: 0.5 is half as "
      "much again",
      &NucleiSpec::envelope_density);
  rows.add(
      "envelope_um", "um", Range{0, kHuge, true},
      "depth below the surface that this additional density reaches; it has fallen to half at 0.54 "
      "of it",
      &NucleiSpec::envelope_um);
  rows.add("nucleoli", "", Range{0, 8}, "number of weakly stained bodies in each nucleus",
           &NucleiSpec::nucleoli);
  rows.add("nucleolus_radius", "", Range{0.05, 0.5}, "mean radius, divided by that of its lobe",
           &NucleiSpec::nucleolus_radius);
  rows.add("nucleolus_density", "", Range{0, 1}, "share of the stain that remains in nucleoli",
           &NucleiSpec::nucleolus_density);
  rows.add_optional("as flat and long as their lobe", "nucleolus_height", "", Range{0.2, 10},
                    "height of nucleoli divided by their width, at most that of the nucleus; with "
                    "it they are as wide as long, and the next three keys apply",
                    &NucleiSpec::nucleolus_height);
  rows.add("nucleolus_spread", "", Range{0, 0.5},
           "standard deviation of the radius of nucleoli divided by its mean",
           &NucleiSpec::nucleolus_spread);
  rows.add(
      "nucleolus_parts", "", Range{1, 5},
      "largest number of parts of a nucleolus, which form a bent chain; all numbers from 1 are "
      "equally likely",
      &NucleiSpec::nucleolus_parts);
  rows.add("nucleolus_roughness", "", Range{0, 1},
           "standard deviation of the displacement of a nucleolus' surface, divided by its radius",
           &NucleiSpec::nucleolus_roughness);
  rows.add("nucleolus_rim", "", Range{0, 10},
           "additional density of chromatin at the surface of nucleoli, relative to farther away; "
           "the rim has gaps",
           &NucleiSpec::nucleolus_rim);
  rows.add("nucleolus_rim_um", "um", Range{0, kHuge, true},
           "distance from nucleoli at which this additional density has fallen to nothing",
           &NucleiSpec::nucleolus_rim_um);
  rows.add("mitotic_fraction", "", Range{0, 1},
           "probability that a nucleus is in mitosis, from prophase to telophase; objects.csv "
           "names the phase. For movies see time.mitosis",
           &NucleiSpec::mitotic_fraction);
}

}  // namespace synthoscope::simulator

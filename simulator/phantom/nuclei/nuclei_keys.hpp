// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/nuclei_keys.hpp — the keys of [nuclei].
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/phantom/nuclei/nuclei_spec.hpp"
#include "simulator/phantom/nuclei/population_keys.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_nuclei_keys(Rows& rows) {
  rows.add_preset(
      "kind",
      "whose nuclei: round ones of HL60 cells, segmented ones of granulocytes, flat and long ones "
      "of fibroblasts. Read first: sets the other keys of shape and texture, but those that are "
      "given, to figures of such a nucleus",
      &NucleiSpec::kind, [](NucleiSpec& spec) { set_typical(spec, spec.kind); });
  list_shape_keys(rows, "nucleus",
                  "10 (0 beside cells, a volume, a tissue or neurons), or by density_per_mm3",
                  Range{0, kHuge, true});
  rows.add(
      "squareness", "", Range{0, 1.5},
      "how much a nucleus of one lobe is a cushion, flat above and below with steep sides: 0 is an "
      "ellipsoid, 1 one of exponent 4",
      &NucleiSpec::squareness);
  rows.add("fewest_lobes", "", Range{1, 5},
           "of a nucleus; every number up to most_lobes is as likely", &NucleiSpec::fewest_lobes);
  rows.add("most_lobes", "", Range{1, 5}, "lobes hang together in a bent chain by thin bridges",
           &NucleiSpec::most_lobes);
  rows.add(
      "gap_um", "um", Range{-kHuge, kHuge},
      "smallest distance between two nuclei; below 0 they may overlap by so much, at most half the "
      "smallest semi-axis, and what they share belongs to the lower id",
      &NucleiSpec::gap_um);
  rows.add("border", "", kAny,
           "inside: every nucleus lies wholly in the grid; cut: only its centre has to",
           &NucleiSpec::border);
  rows.add(
      "arrangement", "", kAny,
      "free: anywhere in the grid; spheroid: packed into a ball around its middle; shell: on a "
      "hollow ball around its middle, as a blastula. What the grid does not hold of the ball stays "
      "empty",
      &NucleiSpec::arrangement);
  rows.add_optional(
      "from the number of nuclei and their size", "arrangement_radius_um", "um",
      Range{0, kHuge, true},
      "of the ball that holds a spheroid, or of that on which the centres of a shell's outer "
      "layer lie",
      &NucleiSpec::arrangement_radius_um);
  rows.add("layers", "", Range{1, 5}, "of nuclei in a shell, one within the other",
           &NucleiSpec::layers);
  list_cluster_keys(rows, "nucleus", "nuclei");
  rows.add("photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of nucleus if all of it fell on one plane",
           &NucleiSpec::photons_per_um3);
  rows.add(
      "texture", "", kAny,
      "chromatin: a random field of spectrum k^-3; perlin: classic Perlin noise, each octave with "
      "a quarter of the wave and an eighth of the amplitude; none: evenly stained",
      &NucleiSpec::texture);
  rows.add("texture_contrast", "", Range{0, 1},
           "largest relative deviation of the density from its mean; 0 is uniform",
           &NucleiSpec::texture_contrast);
  rows.add("texture_wavelength_um", "um", Range{0, kHuge, true}, "longest wave of the texture",
           &NucleiSpec::texture_wavelength_um);
  rows.add("texture_octaves", "", Range{1, 8},
           "how many waves are added, each half as long as the one before for chromatin",
           &NucleiSpec::texture_octaves);
  rows.add(
      "envelope_density", "", Range{0, 10},
      "how much denser chromatin is along the envelope than deep inside: 0.5 is half as much again",
      &NucleiSpec::envelope_density);
  rows.add("envelope_um", "um", Range{0, kHuge, true},
           "depth below the surface to which that reaches; it has fallen to half at 0.54 of it",
           &NucleiSpec::envelope_um);
  rows.add("nucleoli", "", Range{0, 8}, "weakly stained bodies in each nucleus",
           &NucleiSpec::nucleoli);
  rows.add("nucleolus_radius", "", Range{0.05, 0.5}, "mean, over that of the lobe it lies in",
           &NucleiSpec::nucleolus_radius);
  rows.add("nucleolus_density", "", Range{0, 1}, "stain that is left in nucleoli",
           &NucleiSpec::nucleolus_density);
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// simulator/phantom/adherent/adherent_keys.hpp — the keys of [adherent]: what cells on a cover
// glass are and what is in them.
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/phantom/adherent/adherent_spec.hpp"
#include "simulator/phantom/geometry/population.hpp"
#include "simulator/phantom/kind/intensity_keys.hpp"

namespace synthoscope::simulator {

/// Lists keys of [adherent]: number, places and outlines.
template <class Rows>
void list_adherent_outline_keys(Rows& rows) {
  using Spec = AdherentSpec;
  rows.add_optional("0, unless density_per_mm2 is given", "count", "", Range{0, kMaxObjects},
                    "number of objects", &Spec::count);
  rows.add_optional("count is used", "density_per_mm2", "per mm^2", Range{0, 1e9},
                    "number of objects per square millimetre of glass, instead of count; their "
                    "total number is rounded to the nearest whole number",
                    &Spec::density_per_mm2);
  rows.add("arrangement", "", kAny,
           "spread: cells lie apart from each other, each between its own adhesions; monolayer: "
           "cells cover the whole glass, and neighbours share a bent border",
           &Spec::arrangement);
  rows.add("border", "", kAny,
           "of spread cells. inside: each lies entirely in the grid; cut: only its nucleus must",
           &Spec::border);
  rows.add(
      "glass_um", "um", Range{-1000, kHuge},
      "height of the cover glass, on which cells lie, above the lowest face of the grid; below "
      "0 it lies in the margin",
      &Spec::glass_um);
  rows.add("gap_um", "um", Range{0, 1000},
           "smallest distance between two spread cells; distance between the cells of a monolayer",
           &Spec::gap_um);
  rows.add("radius_um", "um", Range{1, 1000},
           "mean distance of the adhesions of a spread cell from its nucleus", &Spec::radius_um);
  rows.add("radius_spread", "", Range{0, 0.25},
           "standard deviation of this distance over cells, divided by it", &Spec::radius_spread);
  rows.add("elongation", "", Range{1, 5},
           "how far adhesions lie along the long axis of a spread cell, over how far across it",
           &Spec::elongation);
  rows.add("fewest_adhesions", "", Range{3, 16}, "smallest number of adhesions of a spread cell",
           &Spec::fewest_adhesions);
  rows.add("most_adhesions", "", Range{3, 16},
           "largest number of them; each number from the smallest on is equally likely",
           &Spec::most_adhesions);
  rows.add("protrusions", "", Range{0, 8},
           "mean number of adhesions of a spread cell that are about twice as far as the others",
           &Spec::protrusions);
  rows.add("edge_elasticity_um", "um", Range{1, kHuge},
           "length over which tension and elasticity of an edge balance; edges between adhesions "
           "are straighter with a larger one",
           &Spec::edge_elasticity_um);
  rows.add("scallops", "", Range{0, 1},
           "share of the edges of a spread cell that have many small adhesions instead of one arc",
           &Spec::scallops);
  list_intensity_keys(rows, "cells");
}

/// Lists keys of [adherent]: heights, nucleus and cytoplasm.
template <class Rows>
void list_adherent_body_keys(Rows& rows) {
  using Spec = AdherentSpec;
  constexpr std::string_view kPerUm3 = "photons per um^3 and exposure";
  const Range bright{0, 1e12};
  rows.add("lamella_um", "um", Range{0.02, 100}, "thickness of a cell far from its nucleus",
           &Spec::lamella_um);
  rows.add("body_um", "um", Range{0, 100},
           "additional thickness around the nucleus, falling off over about half the cell; above a "
           "nucleus there is a dome",
           &Spec::body_um);
  rows.add("bumpiness", "", Range{0, 0.9}, "largest relative deviation of thickness from the mean",
           &Spec::bumpiness);
  rows.add("nuclei", "", kAny,
           "a nucleus in every cell, made with the keys of [nuclei]; one that does not fit is made "
           "smaller. It has the id of its cell",
           &Spec::nuclei);
  rows.add("cytoplasm_photons_per_um3", kPerUm3, bright,
           "light of the cytoplasm, outside the nucleus; light of organelles is added",
           &Spec::cytoplasm_photons_per_um3);
  rows.add("cytoplasm_contrast", "", Range{0, 1},
           "largest relative deviation of the cytoplasm's light from its mean; 0 is uniform",
           &Spec::cytoplasm_contrast);
  rows.add("perinuclear", "", Range{0, 10},
           "excess of the cytoplasm's light next to the nucleus, relative to far away",
           &Spec::perinuclear);
  rows.add("vacuoles", "", Range{0, 100},
           "number of dark holes in the cytoplasm of a cell of mean area", &Spec::vacuoles);
  rows.add("vacuole_radius_um", "um", Range{0.05, 20}, "median radius of a vacuole",
           &Spec::vacuole_radius_um);
  rows.add("granules", "", Range{0, 5000},
           "number of small bright balls in a cell of mean area; they count as vesicles",
           &Spec::granules);
  rows.add("granule_radius_um", "um", Range{0.005, 10}, "mean radius of a granule",
           &Spec::granule_radius_um);
  rows.add("granule_photons_per_um3", kPerUm3, bright, "light of the granules; 0: not stained",
           &Spec::granule_photons_per_um3);
}

/// Lists keys of [adherent]: fibres and mitochondria.
template <class Rows>
void list_adherent_organelle_keys(Rows& rows) {
  using Spec = AdherentSpec;
  constexpr std::string_view kPerUm3 = "photons per um^3 and exposure";
  constexpr std::string_view kPerUm = "photons per um and exposure";
  const Range bright{0, 1e12};
  rows.add("stress_fibres", "", Range{0, 20000},
           "number of stress fibres in a cell of mean area, in bundles along the cell",
           &Spec::stress_fibres);
  rows.add("fibre_length_um", "um", Range{0.5, 200}, "median length of a long stress fibre",
           &Spec::fibre_length_um);
  rows.add("fibre_radius_um", "um", Range{0.005, 5},
           "median radius of a stress fibre; others follow from it", &Spec::fibre_radius_um);
  rows.add("fibre_spread", "", Range{0, 1},
           "standard deviation of the logarithm of radii of stress fibres", &Spec::fibre_spread);
  rows.add(
      "edge_fibres", "", Range{0, 20},
      "number of thick fibres along each concave edge; 15 times that number of thin ones run along "
      "the border of a cell of mean area",
      &Spec::edge_fibres);
  rows.add("mesh_filaments", "", Range{0, 20000},
           "number of short, thin filaments in a cell of mean area", &Spec::mesh_filaments);
  rows.add(
      "actin_photons_per_um", kPerUm, bright,
      "light of a stress fibre of median radius; the light of others is in proportion to their "
      "cross-section; 0: not stained",
      &Spec::actin_photons_per_um);
  rows.add("mitochondria", "", Range{0, 5000},
           "number of mitochondria in a cell of mean area: hollow ovals, rods, threads and dots",
           &Spec::mitochondria);
  rows.add(
      "mitochondria_length_um", "um", Range{0.1, 10},
      "scale of their lengths: the median is 1.2 times it for rods and threads; dots are round",
      &Spec::mitochondria_length_um);
  rows.add("mitochondria_radius_um", "um", Range{0.05, 5},
           "scale of half their widths: the median is 1.05 times it for ovals, 0.8 for rods, 0.45 "
           "for dots and 0.34 for threads",
           &Spec::mitochondria_radius_um);
  rows.add("mitochondria_matrix", "", Range{0, 1},
           "light of the inside of mitochondria relative to that of their walls; 1: not hollow",
           &Spec::mitochondria_matrix);
  rows.add("mitochondria_reach_um", "um", Range{0.1, kHuge},
           "distance from the nucleus at which mitochondria are half as dense as next to it",
           &Spec::mitochondria_reach_um);
  rows.add("mitochondria_side", "", Range{0, 0.9},
           "how much farther mitochondria reach on one side of the nucleus, and less far on the "
           "other, relative to mitochondria_reach_um; the direction is random; 0: alike all around",
           &Spec::mitochondria_side);
  rows.add("mitochondria_together", "", Range{0, 1},
           "share of the mitochondria that lie next to another one and touch it, if there is space",
           &Spec::mitochondria_together);
  rows.add("organelle_layer_um", "um", Range{0, kHuge},
           "range of the heights of the middles of mitochondria and granules, from the glass "
           "upwards; a large one lets them lie anywhere between the glass and the top of the cell",
           &Spec::organelle_layer_um);
  rows.add("mitochondria_photons_per_um3", kPerUm3, bright,
           "mean light of the walls of mitochondria; 0: not stained",
           &Spec::mitochondria_photons_per_um3);
  rows.add(
      "retraction_fibres", "", Range{0, 200},
      "number of thin fibres from the adhesions of a spread cell outwards; they have no label, "
      "but a number in the mask of structures",
      &Spec::retraction_fibres);
  rows.add("retraction_length_um", "um", Range{0.1, 100}, "mean length of these",
           &Spec::retraction_length_um);
  rows.add("retraction_photons_per_um", kPerUm, bright, "light of these; 0: not stained",
           &Spec::retraction_photons_per_um);
}

template <class Rows>
void list_adherent_keys(Rows& rows) {
  list_adherent_outline_keys(rows);
  list_adherent_body_keys(rows);
  list_adherent_organelle_keys(rows);
}

}  // namespace synthoscope::simulator

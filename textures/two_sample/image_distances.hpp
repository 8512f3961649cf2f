// SPDX-License-Identifier: MIT
// textures/two_sample/image_distances.hpp — how far two sets of images are apart: energy distance
// and sliced Wasserstein distance.
#pragma once
#include <cstdint>
#include <vector>
#include "core/run/run_context.hpp"
#include "textures/two_sample/measured_image.hpp"

namespace synthoscope::textures {

/// Returns the statistics of `images`, minus the mean of all patches of `scale` and over their
/// standard deviation, limited to 8 of them.
std::vector<Rows> standardised(const ImageList& images, const ImageList& scale);

/// Mean distances between the patches of any two images, and of an image to itself.
struct ImageDistances {
  std::size_t count = 0;
  std::vector<double> means;  ///< row by row

  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return means[i * count + j]; }
};
ImageDistances image_distances(const std::vector<Rows>& images);

/// Returns (2 E|X-Y| - E|X-X'| - E|Y-Y'|) / 2 E|X-Y|, where each image weighs alike: 0 for equal
/// sets, up to 1.
/// @param is_real  of each image; both kinds occur
/// @source Szekely, Rizzo, J. Stat. Plan. Inference 143 (2013) 1249,
/// doi:10.1016/j.jspi.2013.03.018.
double energy_distance(const ImageDistances& distances, const std::vector<char>& is_real);

/// An energy distance, and how often sets of the same kind are as far apart.
struct EnergyTest {
  double energy = 0;   ///< of statistics that are standardised by the real set
  double p = 1;        ///< of statistics that are standardised by all images, whatever their set
  double least_p = 1;  ///< the smallest that so many images can have
  std::int64_t assignments = 0;  ///< of images to the two sets
  bool all_assignments = false;  ///< or so many were drawn
};

/// Images change sets as a whole. If there are at most `permutations` ways to choose the real ones,
/// all are tried.
/// @source Phipson, Smyth, Stat. Appl. Genet. Mol. Biol. 9 (2010) 39, doi:10.2202/1544-6115.1585.
/// @throws Interrupted  a stop was requested.
EnergyTest energy_test(const ImageList& real, const ImageList& synthetic, std::int64_t permutations,
                       std::uint64_t seed, const StopFlag& stop);

/// Returns the mean over 128 random directions of the Wasserstein distance of order 1 between the
/// projections of both sets, in standard deviations of the real set.
/// @source Bonneel et al., J. Math. Imaging Vis. 51 (2015) 22, doi:10.1007/s10851-014-0506-3.
double sliced_wasserstein(const ImageList& real, const ImageList& synthetic, std::uint64_t seed);

}  // namespace synthoscope::textures

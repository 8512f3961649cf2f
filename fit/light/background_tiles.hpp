// SPDX-License-Identifier: MIT
// fit/light/background_tiles.hpp — the background of an image, far from its labels, tile by tile.
#pragma once
#include <span>
#include <vector>
#include "fit/images/labelled_image.hpp"
#include "fit/light/light_rule.hpp"

namespace synthoscope::fit {

/// A box of an image: its pixels that are far from all labels.
struct BackgroundTile {
  double z_um = 0, y_um = 0, x_um = 0;  ///< their mean position, from the corner of the image
  double along_y = 0, along_x = 0;      ///< the same from -1/2 to 1/2 across the field
  double radial = 0;  ///< square of the distance from the middle, 1 in the corners of the field
  double mean = 0;    ///< DN
  double pixels = 0;
  /// Covariance of pixels one step apart along y and along x, less that of pixels so far apart
  /// that grain no longer links them, DN^2: noise of single pixels is not in it.
  double grain = 0;
  double pairs = 0;  ///< of pixels one step apart; 0: grain is not known
};

/// Returns the squares of the distances of all voxels to the nearest label, in widths of the PSF;
/// infinity in an image in which nothing is labelled.
std::vector<double> squared_widths_from_labels(const LabelledImage& image, const LightRule& rule);

/// Returns the tiles that have enough background, at most about 150, or none.
/// @param squared_widths  of each voxel, from squared_widths_from_labels
std::vector<BackgroundTile> background_tiles(const LabelledImage& image,
                                             std::span<const double> squared_widths,
                                             const LightRule& rule);

/// Returns the largest distance up to rule.far_widths that leaves a fiftieth of the voxels as
/// background, or half a width where labels leave no such place.
double far_widths_within(std::span<const double> squared_widths, const LightRule& rule);

}  // namespace synthoscope::fit

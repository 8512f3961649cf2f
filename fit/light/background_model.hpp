// SPDX-License-Identifier: MIT
// fit/light/background_model.hpp — level, gradient, falloff and smooth field of a background, from
// the means of its tiles.
#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>
#include "fit/light/background_tiles.hpp"

namespace synthoscope::fit {

/// How the means of tiles deviate from a plane: by a smooth random field, and independently of each
/// other.
struct FieldShape {
  double ratio = 0;      ///< variance of the field over that of a tile of mean size on its own
  double length_um = 1;  ///< correlation exp(-d^2 / (2 length^2)) over a distance d
};

/// A standard deviation or a length with its 95 % interval.
struct Spanned {
  double value = 0, low = 0, high = 0;
};

struct FieldFit {
  FieldShape shape;
  Spanned deviation_dn, length_um;
  double evidence = 0;  ///< 2 ln of the likelihood over that without a field
};

/// Background of an image in DN, at the middle of the field, and its changes:
///
///     level + along_x u + along_y v (+ falloff w)
///
/// u and v reach from -1/2 to 1/2 across the field, w from 0 in the middle to 1 in the corners.
struct BackgroundFit {
  Eigen::VectorXd values;      ///< 3 or 4 coefficients, means over images
  Eigen::MatrixXd covariance;  ///< of these means; level and slopes differ from image to image
};

using Tiles = std::vector<BackgroundTile>;

/// Returns the tiles without those that are far off the plane through the others, such as ones with
/// an object that nobody labelled.
Tiles without_outliers(const Tiles& tiles, bool falloff);

/// Returns the coefficients by generalised least squares for tiles that vary by `shape`, of images
/// with at least 6 tiles. Empty if there is none.
BackgroundFit fit_background(std::span<const Tiles> images, bool falloff, const FieldShape& shape);

/// Finds the field by restricted maximum likelihood on a grid of lengths and ratios. Lengths reach
/// from a tile to the field. Intervals are those of the profile likelihood, and no narrower than
/// what so few independent patches of a field tell, at most 64. At most the first 8 images are
/// used.
/// @source Patterson, Thompson, Biometrika 58 (1971) 545, doi:10.1093/biomet/58.3.545; Mardia,
///         Marshall, Biometrika 71 (1984) 135, doi:10.1093/biomet/71.1.135.
FieldFit fit_field(std::span<const Tiles> images, bool falloff);

}  // namespace synthoscope::fit

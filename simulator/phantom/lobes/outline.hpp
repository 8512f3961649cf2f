// SPDX-License-Identifier: MIT
// simulator/phantom/lobes/outline.hpp — the random surface of a lobe: harmonics, asymmetry,
// indentations and folds.
#pragma once
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/lobes/fold.hpp"
#include "simulator/phantom/lobes/harmonics.hpp"

namespace synthoscope::simulator {

/// Returns a random sum of harmonics of degrees 2 ... degree, of root mean square 1, from draws
/// `first` ... first + 12.
Harmonics random_harmonics(const Draws& draws, int first, int degree);

/// Deformations beyond a random surface, relative to the radius of a lobe.
struct Outline {
  double asymmetry = 0;    ///< rms of the harmonics of degree 3, which make a pear or a triangle
  int indentations = 0;    ///< number of smooth dents around the rim
  double indentation = 0;  ///< mean depth of a dent
};

/// Returns h with these deformations added.
///
/// A dent is a bell around a direction near the plane of y and x, at most 20 degrees from it: the
/// harmonics of degrees 2 to 6 of exp(-(l / 4)^2). It has half of its depth at an angle of 21
/// degrees, and a depth of half to three halves of the mean. If the surface came nearer to the
/// middle than 0.4 of the radius, h is scaled down as a whole.
///
/// Draws, fixed by contract: draw `first` + i: turn, height and depth of dent i; from draw `odd` on
/// those of random_harmonics, whose degree 3 is used.
Harmonics outlined(const Harmonics& h, const Outline& outline, const Draws& draws, int first,
                   int odd);

/// How folded surfaces of a population are.
struct Creases {
  double count = 0;  ///< mean number of folds, 0 ... kMostFolds
  double depth = 0;  ///< mean, relative to the radius
  double um = 1;     ///< width at half of the depth
};

/// Draws the folds of a lobe. Each of kMostFolds folds exists with equal probability. Its middle
/// has any turn about z and lies within 17 degrees of the plane of y and x; it runs over the lobe
/// within 15 degrees of the plane that contains z, to angles of 66 to 96 degrees from its middle.
/// Its depth is half to three halves of the mean.
///
/// Draws, fixed by contract: draw `first` + 2 i: whether fold i exists, turn and height of its
/// middle, depth; the next one: its direction and its length.
/// @param semi_axes_um  of the lobe
Folds draw_folds(const Creases& creases, const Draws& draws, int first,
                 const Vector3& semi_axes_um);

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// simulator/phantom/lobes/outline.hpp — the random surface of a lobe: harmonics, asymmetry and
// indentations.
#pragma once
#include "simulator/phantom/geometry/draws.hpp"
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

}  // namespace synthoscope::simulator

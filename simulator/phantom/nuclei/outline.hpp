// SPDX-License-Identifier: MIT
// simulator/phantom/nuclei/outline.hpp — asymmetry and indentations of a surface.
#pragma once
#include "simulator/phantom/geometry/draws.hpp"
#include "simulator/phantom/lobes/harmonics.hpp"

namespace synthoscope::simulator {

/// Deformations beyond a random surface, relative to the radius of a lobe.
struct Outline {
  double asymmetry = 0;    ///< rms of the harmonics of degree 3, which make a pear or a triangle
  int indentations = 0;    ///< number of smooth dents around the rim
  double indentation = 0;  ///< mean depth of a dent
};

/// Returns h with these deformations added. A dent is a bell around a direction within 20 degrees
/// of the plane of y and x: the harmonics of degrees 2 to 6 of exp(-(l / 4)^2), which has half of
/// its depth at an angle of 21 degrees. Its depth lies between a half and three halves of the mean.
/// If the deformed surface came nearer to the middle than 0.4 of the radius, all of h is scaled
/// down. Draws, fixed by contract: draws `first` + i: turn, height and depth of dent i; draw `odd`
/// on: those of random_harmonics, of which the degree 3 is taken.
Harmonics outlined(const Harmonics& h, const Outline& outline, const Draws& draws, int first,
                   int odd);

}  // namespace synthoscope::simulator

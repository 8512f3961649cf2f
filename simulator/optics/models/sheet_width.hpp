// SPDX-License-Identifier: MIT
// simulator/optics/models/sheet_width.hpp — how thick a Gaussian light sheet is along its
// direction.
#pragma once
#include <vector>
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::simulator {

/// Returns the distance from its waist at which a sheet is sqrt(2) as thick, x_R = pi n w0^2 /
/// lambda, um: w0 is sheet_waist_um, n the sample's index, lambda excitation_nm.
double rayleigh_length_um(const OpticsSpec& spec);

/// Returns the 1/e^2 radius w(x) = w0 sqrt(1 + (x / x_R)^2), x um from the waist. The light on the
/// axis is w0 / w times the light in the waist: a thicker sheet is dimmer, and no light is lost.
double sheet_radius_um(const OpticsSpec& spec, double beside_um);

/// Ascending radii, evenly spaced in the logarithm, such that a sheet between two of them is their
/// mean, by weights that are linear in 1 / w, to `spec.reference_error` of its own middle. One
/// radius if it can replace all. @throws InvalidSpec  more than kMaxReferences are needed.
struct SheetReferences {
  std::vector<double> radius_um;
  double error = 0;  ///< largest error half-way between two
};
SheetReferences choose_sheet_references(const OpticsSpec& spec, double least_um, double most_um);

}  // namespace synthoscope::simulator

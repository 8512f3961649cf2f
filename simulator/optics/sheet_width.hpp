// SPDX-License-Identifier: MIT
// simulator/optics/sheet_width.hpp — how thick a Gaussian light sheet is along its way.
#pragma once
#include <vector>
#include "simulator/optics/optics_spec.hpp"

namespace synthoscope::simulator {

/// How far from its waist a sheet is sqrt(2) as thick, x_R = pi n w0^2 / lambda, um: w0 is
/// sheet_waist_um, n the sample's index, lambda excitation_nm.
double rayleigh_length_um(const OpticsSpec& spec);

/// The 1/e^2 radius w(x) = w0 sqrt(1 + (x / x_R)^2), x um beside the waist. The light on the axis
/// is w0 / w of that in the waist: what is thicker is dimmer, and none is lost.
double sheet_radius_um(const OpticsSpec& spec, double beside_um);

/// Radii, ascending, such that a sheet between two of them is their mean, by weights that are
/// linear in 1 / w, to `spec.reference_error` of its own middle: evenly in the logarithm. One where
/// all are as good as alike. @throws InvalidSpec  more than kMostReferences are needed.
struct SheetReferences {
  std::vector<double> radius_um;
  double error = 0;  ///< the largest half-way between two
};
SheetReferences choose_sheet_references(const OpticsSpec& spec, double least_um, double most_um);

}  // namespace synthoscope::simulator

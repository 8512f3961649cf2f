// SPDX-License-Identifier: MIT
// textures/compare.hpp — distances between all textures of two sets of images.
#pragma once
#include "textures/measure.hpp"
#include "textures/set_comparison.hpp"

namespace synthoscope::textures {

/// The distances of what was measured, on the threads of the context, and room for compare_sets.
struct MeasuredDistances {
  SetDistances distances;
  Reservation held;
};

/// @param images_of_a  so many images of `measured`, the first ones, are set A
/// @throws Interrupted  a stop was requested.
/// @throws PlanError  the memory has no room for the square of their number.
MeasuredDistances distances_of(const Measured& measured, std::int64_t images_of_a,
                               kernels::HistogramDistance how, const RunContext& context);

}  // namespace synthoscope::textures

// SPDX-License-Identifier: MIT
// fftconv/planes/mean_removal.hpp — a constant is taken out of the image, its response put back
// after.
#pragma once
#include <memory>
#include "fftconv/planes/box_sums.hpp"

namespace synthoscope::fftconv {

/// The constant that is subtracted, and the kernel's response to it; nothing if the problem does
/// not request it.
struct MeanRemoval {
  double mean = 0;
  std::unique_ptr<BoxSums> response;
};

/// Reads the kernel and a sample of the image if `work` asks for it.
/// @throws PlanError beyond the budget. @throws Interrupted
MeanRemoval prepare_mean_removal(const Term& term, const Problem& work, const WorkAxes& axes,
                                 const RunContext& context);

}  // namespace synthoscope::fftconv

// SPDX-License-Identifier: MIT
// fftconv/device/parts/work.hpp — what a run in frequency parts on devices computes, from its plan
// and its term; equal for all devices of the run.
#pragma once
#include <vector>
#include "fftconv/device/parts/spectra.hpp"
#include "fftconv/host/parts/folded_source.hpp"
#include "fftconv/plan.hpp"
#include "fftconv/planes/finish.hpp"
#include "fftconv/planes/mean_removal.hpp"

namespace synthoscope::fftconv::device {

struct PartsWork {
  const Plan& plan;
  const Term& term;
  PartsLayout parts;
  WorkAxes axes;
  Layout layout;
  MeanRemoval mean;
  PlaneOutput output;
  FoldInput image, kernel;                ///< the kernel with all that scales
  std::vector<std::int64_t> kernel_kept;  ///< planes of a part that it is folded into
};

/// Takes the image's mean where the problem asks for it. Plan, term, epilogue and sink outlive it.
/// @param parts  make_parts_layout of the plan
/// @throws as prepare_mean_removal
PartsWork make_parts_work(const Plan& plan, const PartsLayout& parts, const Term& term,
                          Epilogue& epilogue, Sink& sink, const RunContext& context);

/// PartSpectra::describe, for what is placed along y and x as the image or the kernel is.
PartLoading describe_image(const PartsWork& work, PartSpectra& spectra, const SharedPlanes& shared,
                           PixelType type, double background);
PartLoading describe_kernel(const PartsWork& work, PartSpectra& spectra, const SharedPlanes& shared,
                            PixelType type, double background);

}  // namespace synthoscope::fftconv::device

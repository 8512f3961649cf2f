// SPDX-License-Identifier: MIT
// fit/run/fit_twin.hpp — a twin of real images: a scene, and how close it is to images that it was
// not fitted to.
#pragma once
#include <cstdint>
#include <optional>
#include "core/run/run_context.hpp"
#include "fftconv/executor.hpp"
#include "fit/evidence/evidence.hpp"
#include "fit/images/labelled_image.hpp"
#include "fit/run/fit_stages.hpp"

namespace synthoscope::fit {

struct TwinRequest {
  FitRequest fit;        ///< its seconds are a part of those below
  double seconds = 600;  ///< for fit and evidence together
  /// Simulated images that are compared with held out ones; 0: nothing is held out, as without
  /// stages that look at objects.
  std::int64_t twins = EvidenceRequest{}.twins;
};

struct Twin : FittedScene {
  std::optional<Evidence> evidence;
};

/// Holds out the last image, or half of a single one, labels images that come without labels
/// (segment), fits a scene to the rest, and compares its
/// images with what was held out. The scene has the grid of the first image.
/// @param blur  blurs simulated images
/// @throws as fit_stages and evidence_for
Twin fit_twin(LabelledImages images, const TwinRequest& request, fftconv::Executor& blur,
              const RunContext& context);

}  // namespace synthoscope::fit

// SPDX-License-Identifier: MIT
// fit/run/fit_twin.hpp — a scene from real images: the stages in their order.
#pragma once
#include <set>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "fftconv/executor.hpp"
#include "fit/estimates/findings.hpp"
#include "fit/images/labelled_image.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

struct FitRequest {
  simulator::SceneSpec start;   ///< what is not fitted, and where the fit begins
  std::set<std::string> fixed;  ///< full names of keys that stay as they are in `start`
  std::set<Stage> stages;
  double seconds = 600;  ///< for all stages together
};

struct Twin {
  simulator::SceneSpec scene;
  std::vector<Findings> findings;  ///< of each stage that ran, in their order
};

/// Fits the stages one after another, each with its share of the time. The scene gets the grid of
/// the first image.
/// @throws InvalidSpec  the scene has channels, or its objects cannot be placed.
/// @throws Interrupted
Twin fit_twin(const LabelledImages& real, const FitRequest& request, fftconv::Executor& blur,
              const RunContext& context);

}  // namespace synthoscope::fit

// SPDX-License-Identifier: MIT
// fit/run/fit_stages.hpp — a scene from real images: the stages in their order.
#pragma once
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>
#include "fit/estimates/findings.hpp"
#include "fit/images/labelled_image.hpp"
#include "fit/twin/twin_images.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// What is known before an image is seen, and what is to be found.
struct FitRequest {
  simulator::SceneSpec start;   ///< what is not fitted, and where the fit begins
  std::set<std::string> fixed;  ///< full names of keys that stay as they are in `start`
  std::set<Stage> stages;
  double seconds = 600;  ///< for all stages together
  /// Labels become the bodies of the twin, in files of this folder, instead of a model of their
  /// shapes (labels_as_bodies).
  std::optional<std::filesystem::path> bodies = {};
};

struct FittedScene {
  simulator::SceneSpec scene;
  std::vector<Findings> findings;  ///< of each stage that ran, in their order
  /// How much larger all labels were made, because the edges of objects lie farther out.
  double label_outset_um = 0;
};

/// Fits the stages one after another, each with its share of the time. Stages before blur run a
/// second time if it shows that labels are drawn too small or too large, which are then corrected,
/// or that light is spread in another way. The scene gets the grid of the first image.
/// @throws InvalidSpec  the scene has channels, or its objects cannot be placed.
/// @throws Interrupted
FittedScene fit_stages(const LabelledImages& real, const FitRequest& request,
                       const TwinImages& twins);

}  // namespace synthoscope::fit

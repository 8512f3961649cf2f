// SPDX-License-Identifier: MIT
// fit/evidence/evidence.hpp — how close a twin is to real images that it was not fitted to.
#pragma once
#include <string>
#include <vector>
#include "fit/images/labelled_image.hpp"
#include "fit/twin/twin_images.hpp"
#include "score/likeness/compare_images.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// Patches of one place, compared.
struct ComparedPlace {
  textures::PatchPlace where = textures::PatchPlace::all;
  score::ComparedImages compared;
};

struct Evidence {
  std::string held_out;               ///< what the twin is compared with: words
  std::vector<ComparedPlace> places;  ///< inside objects and at their edges; or all patches
  LabelledImage real, twin;           ///< a plane of each, for pictures
  std::vector<std::string> warnings;  ///< of the comparisons
  std::string refusal;                ///< why there is none; empty if there is
};

struct EvidenceRequest {
  std::string held_out;
  std::int64_t twins = 20;   ///< simulated images, each with its own seed; 20 or more for a verdict
  double seconds = 1e9;      ///< after which no further image is simulated
  std::int64_t seed = 1000;  ///< of the first image
};

/// Simulates images as large as the real ones, and compares the sharpest plane of each with those
/// of the real images, as `compare` does.
/// @param real  images that the scene was not fitted to, all of one size
/// @throws Interrupted; what TwinImages::image throws for the first image
Evidence evidence_for(const simulator::SceneSpec& scene, const LabelledImages& real,
                      const EvidenceRequest& request, const TwinImages& twins);

}  // namespace synthoscope::fit

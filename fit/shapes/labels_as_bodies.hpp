// SPDX-License-Identifier: MIT
// fit/shapes/labels_as_bodies.hpp — the labels of a real image as the objects of its twin.
#pragma once
#include <filesystem>
#include "fit/estimates/findings.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// The files that labels_as_bodies writes.
inline constexpr const char *kBodiesFile = "labels.tif", *kBodyLightFile = "light.tif";

/// Makes the labels of the first image the bodies of a scene (`[volume]`), which needs no model of
/// their shapes: the masks of the twin are the same labels, renumbered in their order. All other
/// objects are taken away. If the image has counts, the light of each body is proportional to its
/// mean above the background, the median outside of all labels, and its mean over all bodies is
/// nuclei.photons_per_um3 for each cubic micrometre. Files: labels.tif and, with counts, light.tif.
/// @param folder  exists; files of these names are replaced
/// @throws InvalidInput  there are no labels, or more than 65535.
/// @throws IoError       a file cannot be written.
Findings labels_as_bodies(const StageTask& task, const std::filesystem::path& folder,
                          simulator::SceneSpec& scene);

/// Returns the scene for a file that lies in the folder of these images.
simulator::SceneSpec with_files_beside(simulator::SceneSpec scene);

}  // namespace synthoscope::fit

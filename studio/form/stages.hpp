// SPDX-License-Identifier: MIT
// studio/form/stages.hpp — the stages of a simulation, and which of them a key changes first.
#pragma once
#include <vector>
#include "core/base/names.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::studio {

/// What has to be done again after a key was changed: its stage and all stages after it.
///
/// - phantom: objects, labels, and their light on the grid of the blur;
/// - optics: PSFs, and the light that reaches the blur: losses in the medium, stripes;
/// - dose: factors of the blurred photons, and of the light if it is written;
/// - background: photons that are added after the blur;
/// - camera: counts of the expected photons;
/// - other: files that are written in addition.
enum class Stage { phantom, optics, dose, background, camera, other };
inline constexpr NameTable<Stage, 6> kStageNames{{{Stage::phantom, "phantom"},
                                                  {Stage::optics, "optics"},
                                                  {Stage::dose, "dose"},
                                                  {Stage::background, "background"},
                                                  {Stage::camera, "camera"},
                                                  {Stage::other, "other"}}};

/// Returns the first stage that a key changes in scenes that give a dose.
/// @throws InvalidSpec  the table of the key has no stage: a defect of this library.
Stage stage_of(const simulator::SceneKey& key);

/// Returns the first stage that a key changes in this scene and its channels. If illumination.snr
/// chooses the dose, the dose depends on background and camera as well.
Stage stage_in(const simulator::SceneSpec& scene, const simulator::SceneKey& key);

/// Returns the names of rows of the table of stages that are neither a table nor a key of scenes.
std::vector<std::string> idle_stage_names();

}  // namespace synthoscope::studio

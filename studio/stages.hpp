// SPDX-License-Identifier: MIT
// studio/stages.hpp — the stages of a simulation, and which of them is the first that a key
// changes.
#pragma once
#include <string>
#include <vector>
#include "core/base/names.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::studio {

/// In the order in which they follow each other: a change of one changes all later ones.
enum class Stage {
  phantom,     ///< which objects there are, and where
  light,       ///< how bright they are, on the grid of the blur
  optics,      ///< the PSF and the blur
  dose,        ///< illumination and exposure
  background,  ///< light that is added after the blur
  camera,      ///< counts of the photons
  other        ///< changes no voxel
};
inline constexpr NameTable<Stage, 7> kStageNames{{{Stage::phantom, "phantom"},
                                                  {Stage::light, "light"},
                                                  {Stage::optics, "optics"},
                                                  {Stage::dose, "dose"},
                                                  {Stage::background, "background"},
                                                  {Stage::camera, "camera"},
                                                  {Stage::other, "other"}}};

/// Returns the first stage that a key of a scene changes. The key may be used by later stages too.
Stage stage_of(const simulator::SceneKey& key);

/// Returns the values of all keys of these stages, as text: equal texts give equal results.
std::string values_of(const simulator::SceneSpec& scene, const std::vector<Stage>& stages);

}  // namespace synthoscope::studio

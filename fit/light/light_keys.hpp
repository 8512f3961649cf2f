// SPDX-License-Identifier: MIT
// fit/light/light_keys.hpp — the keys of a scene that say how bright its objects are.
#pragma once
#include <string>
#include <vector>
#include "fit/light/object_light.hpp"
#include "fit/twin/stage_task.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::fit {

/// A key, and the zone of objects whose counts tell it.
struct BrightnessKey {
  std::string key;
  Zone zone = Zone::whole;
};

struct LightKeys {
  std::string table;  ///< of the kind of objects whose light is fitted; empty if there is none
  std::vector<BrightnessKey> brightness;  ///< at least one if there is a table
  /// Keys that are multiplied by the same factor as the first of `brightness`.
  std::vector<std::string> companions;
  bool has_more_kinds = false;  ///< there are objects of another kind, whose light stays as it is
};

/// Returns the keys of the first kind of objects that gives light. For [cells] of membrane,
/// cytoplasm and nucleus alone each has its own key; of any other kind with several lights all
/// change by one factor. Keys that are 0 stay so: what is not stained is dark.
LightKeys light_keys_of(const simulator::SceneSpec& scene, const StageTask& task);

/// Returns whether images show how large the nuclei of cells are: their size is free, and light is
/// measured in zones.
bool shows_nuclei_of_cells(const simulator::SceneSpec& scene, const LightKeys& keys,
                           const StageTask& task);

/// Returns the value of a key of one number.
double number_of_key(const simulator::SceneSpec& scene, const std::string& key);

/// Gives a key of one number a value.
void set_number(simulator::SceneSpec& scene, const std::string& key, double value);

/// Multiplies the companions by what the first brightness has changed by since `start`.
void scale_companions(const simulator::SceneSpec& start, const LightKeys& keys,
                      simulator::SceneSpec& scene);

/// What a camera makes of light.
struct CameraLine {
  double dark_dn = 0;        ///< mean count of a pixel without light
  double dn_per_photon = 1;  ///< of a scene's photons per pixel: the lamp's dose is in it
};

/// Returns the line of the camera of a scene, far from full wells.
CameraLine camera_line(const simulator::SceneSpec& scene);

}  // namespace synthoscope::fit

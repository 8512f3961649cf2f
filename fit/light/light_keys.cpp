// SPDX-License-Identifier: MIT
#include "fit/light/light_keys.hpp"
#include <algorithm>
#include <cmath>
#include <variant>
#include "core/base/assert.hpp"
#include "fit/matching/fitted_key.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

/// Tables of the kinds that are in the scene and give light.
std::vector<std::string> lit_tables(const simulator::SceneSpec& scene) {
  const simulator::PhantomSpec phantom = simulator::phantom_of(scene);
  const simulator::Grid sample = simulator::sample_grid(scene);
  std::vector<std::string> tables;
  simulator::Kinds::for_each([&]<class Kind>(Kind) {
    if (Kind::weight(scene.light) > 0 && simulator::has_kind<Kind>(phantom, sample))
      tables.emplace_back(Kind::kName);
  });
  return tables;
}

/// Free keys of a table that give light, if they are above 0.
std::vector<std::string> light_of_table(const simulator::SceneSpec& scene, const StageTask& task,
                                        const std::string& table) {
  std::vector<std::string> keys;
  for (const simulator::SceneKey& key : simulator::scene_keys()) {
    const bool is_light = key.table == table && key.name.find("photons") != std::string::npos;
    if (is_light && task.is_free(key.full_name()) && number_of_key(scene, key.full_name()) > 0)
      keys.push_back(key.full_name());
  }
  return keys;
}

/// The key of the light of a volume: a file of light has its own factor, and then no other counts.
std::vector<std::string> light_of_volume(const simulator::SceneSpec& scene, const StageTask& task) {
  const char* const key = scene.given.count("volume.intensity") > 0 ? "volume.photons_per_value"
                                                                    : "volume.photons_per_um3";
  if (!task.is_free(key) || number_of_key(scene, key) <= 0) return {};
  return {key};
}

bool has_only_cores(const simulator::CellsSpec& cells) {
  return cells.mitochondria == 0 && cells.microtubules == 0 && cells.actin_fibres == 0 &&
         cells.vesicles == 0 && cells.spots == 0 && cells.filopodia == 0;
}

/// Membrane, cytoplasm and nucleus of cells, each if it gives light.
std::vector<BrightnessKey> cores_of_cells(const simulator::SceneSpec& scene,
                                          const StageTask& task) {
  std::vector<BrightnessKey> keys;
  const auto add = [&](const char* key, Zone zone, bool is_seen) {
    if (is_seen && task.is_free(key) && number_of_key(scene, key) > 0) keys.push_back({key, zone});
  };
  add("cells.membrane_photons_per_um3", Zone::border, scene.light.membrane > 0);
  add("cells.cytoplasm_photons_per_um3", Zone::inside, scene.light.cytoplasm > 0);
  add("cells.nucleus_photons_per_um3", Zone::middle,
      scene.light.nuclei > 0 && scene.cells.nucleus_radius_um > 0);
  return keys;
}

}  // namespace

double number_of_key(const simulator::SceneSpec& scene, const std::string& key) {
  const simulator::SceneValue value = key_named(key).get(scene);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* const number = std::get_if<double>(&value);
  return number == nullptr ? 0 : *number;
}

void set_number(simulator::SceneSpec& scene, const std::string& key, double value) {
  simulator::give(scene, key_named(key), value);
}

LightKeys light_keys_of(const simulator::SceneSpec& scene, const StageTask& task) {
  LightKeys keys;
  const auto tables = lit_tables(scene);
  if (tables.empty()) return keys;
  // The nuclei of adherent cells have keys of their own table
  const bool is_adherent = std::count(tables.begin(), tables.end(), "adherent") > 0;
  keys.table = is_adherent ? "adherent" : tables.front();
  keys.has_more_kinds = tables.size() > 1;
  if (keys.table == "cells" && has_only_cores(scene.cells)) {
    keys.brightness = cores_of_cells(scene, task);
    if (!keys.brightness.empty()) return keys;
  }
  auto lights = keys.table == "volume" ? light_of_volume(scene, task)
                                       : light_of_table(scene, task, keys.table);
  if (is_adherent) {
    const auto nuclei = light_of_table(scene, task, "nuclei");
    lights.insert(lights.end(), nuclei.begin(), nuclei.end());
  }
  if (lights.empty()) return keys;
  keys.brightness = {{lights.front(), Zone::whole}};
  keys.companions.assign(lights.begin() + 1, lights.end());
  return keys;
}

bool shows_nuclei_of_cells(const simulator::SceneSpec& scene, const LightKeys& keys,
                           const StageTask& task) {
  const bool has_zones = !keys.brightness.empty() && keys.brightness.front().zone != Zone::whole;
  return keys.table == "cells" && has_zones && scene.light.nuclei > 0 &&
         scene.cells.nucleus_photons_per_um3 > 0 && scene.cells.nucleus_radius_um > 0 &&
         task.is_free("cells.nucleus_radius_um");
}

void scale_companions(const simulator::SceneSpec& start, const LightKeys& keys,
                      simulator::SceneSpec& scene) {
  if (keys.companions.empty()) return;
  const std::string& first = keys.brightness.front().key;
  const double factor = number_of_key(scene, first) / number_of_key(start, first);
  for (const std::string& key : keys.companions)
    set_number(scene, key, factor * number_of_key(start, key));
}

CameraLine camera_line(const simulator::SceneSpec& scene) {
  const simulator::CameraSpec& camera = scene.camera;
  const double pixels = static_cast<double>(camera.binning) * camera.binning;
  const double gain =
      camera.gain_dn_per_electron * camera.em_gain / (1 - camera.afterpulse_probability);
  const double dark = camera.dark_current_electrons_per_second * camera.exposure_seconds +
                      camera.clock_induced_charge_electrons;
  const double offset = camera.offset_dn * (camera.adds_charge() ? 1 : pixels);
  return {offset + gain * dark * pixels,
          gain * camera.quantum_efficiency * pixels * simulator::light_level(scene)};
}

}  // namespace synthoscope::fit

// SPDX-License-Identifier: MIT
#include "simulator/scene_inputs.hpp"
#include <fmt/format.h>
#include <string_view>
#include <utility>
#include <vector>
#include "imageio/content_hash.hpp"
#include "imageio/image_name.hpp"
#include "imageio/input_file.hpp"
#include "imageio/open.hpp"
#include "simulator/channels.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/key_place.hpp"
#include "simulator/scene_keys.hpp"

namespace synthoscope::simulator {
namespace {

/// All other files hold images, which may lie in several.
constexpr std::string_view kTracing = "neuron.file";

/// Keys that name files, and the files; all texts of a scene do.
std::vector<std::pair<std::string, std::string>> files_named_by(const SceneSpec& scene) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const SceneKey& key : scene_keys()) {
    if (key.kind != ValueKind::text) continue;
    const SceneValue value = key.get(scene);
    if (const auto* file = std::get_if<std::string>(&value))
      files.emplace_back(key.full_name(), *file);
  }
  return files;
}

std::vector<std::filesystem::path> parts_of(const std::string& key,
                                            const std::filesystem::path& file) {
  if (key == kTracing) return {file};
  return files_of(file, imageio::inspect(file));
}

}  // namespace

std::vector<std::filesystem::path> input_files_of(const SceneSpec& scene) {
  std::vector<std::filesystem::path> all;
  for (const auto& [key, file] : files_named_by(scene)) try {
      for (auto& part : parts_of(key, file)) all.push_back(std::move(part));
    } catch (const Error&) {
      all.emplace_back(file);
    }
  return all;
}

void SceneInputs::require_usable(const SceneSpec& scene) {
  const auto files = files_named_by(scene);
  if (files.empty()) return;
  stop_.check();
  read_.note(input_files_of(scene));
  // What the maps of a camera must be as large as follows from its kind, too
  std::string use = fmt::format("{} {} {}", scene.grid.extent,
                                name_in(kCameraKindNames, scene.camera.kind), scene.camera.binning);
  for (const auto& [key, file] : files) use += fmt::format("\n{}={}", key, file);
  if (usable_.contains(use)) return;
  const Illumination lit{scene.illumination, scene.grid.extent};
  require_readable_maps(scene.camera, scene.grid.extent);
  usable_.insert(std::move(use));
}

Json SceneInputs::record(const SceneSpec& scene, const std::optional<std::string>& only) {
  Json record = Json::object();
  for (const Channel& channel : channels_of(scene, only))
    for (const auto& [key, file] : files_named_by(channel.scene)) {
      const SceneKey* const of = find_key(key);
      const bool is_shared = of->get(scene) == of->get(channel.scene);
      record[is_shared ? key : KeyPlace{channel.name, of}.full_name()] = record_of(key, file);
    }
  return record;
}

void SceneInputs::note(const SceneSpec& scene, const std::optional<std::string>& only) {
  for (const Channel& channel : channels_of(scene, only)) read_.note(input_files_of(channel.scene));
}

const Json& SceneInputs::record_of(const std::string& key, const std::filesystem::path& path) {
  const auto known = records_.find(path);
  if (known != records_.end()) return known->second;
  Json rows = Json::array();
  for (const auto& part : parts_of(key, path)) {
    const auto file = imageio::file_of(part);
    read_.note(file);
    rows.push_back({{"file", file.filename().string()},
                    {"bytes", imageio::InputFile{file}.size()},
                    {"xxh64", imageio::hash_file(file, &stop_)}});
  }
  return records_.emplace(path, std::move(rows)).first->second;
}

}  // namespace synthoscope::simulator

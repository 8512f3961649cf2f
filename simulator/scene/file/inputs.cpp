// SPDX-License-Identifier: MIT
#include "simulator/scene/file/inputs.hpp"
#include <fmt/format.h>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
#include "core/base/error.hpp"
#include "imageio/image/name.hpp"
#include "imageio/input/file.hpp"
#include "imageio/open.hpp"
#include "imageio/run/content_hash.hpp"
#include "imageio/run/counted_image.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/key_place.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {
namespace {

/// All other keys name images, which may consist of several files.
constexpr std::string_view kTracing = "neuron.file";

/// Returns the keys that name files, and the files; all texts of a scene are file names.
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

/// Returns how the file of a key is read.
imageio::OpenOptions open_options(const std::string& key, const SceneSpec& scene) {
  imageio::OpenOptions options;
  if (key.starts_with("volume.")) options.image = scene.volume.image;
  options.labels = key == "volume.labels";
  return options;
}

std::vector<std::filesystem::path> parts_of(const std::string& key,
                                            const std::filesystem::path& file,
                                            const SceneSpec& scene) {
  if (key == kTracing) return {file};
  return files_of(file, imageio::inspect(file, open_options(key, scene)));
}

}  // namespace

std::vector<std::filesystem::path> input_files_of(const SceneSpec& scene) {
  return input_files_of(std::vector{scene});
}

std::vector<std::filesystem::path> input_files_of(const std::vector<SceneSpec>& scenes) {
  std::set<std::tuple<std::string, std::string, std::optional<std::int64_t>>> known;
  std::vector<std::filesystem::path> all;
  for (const SceneSpec& scene : scenes)
    for (const auto& [key, file] : files_named_by(scene)) {
      if (!known.emplace(key, file, open_options(key, scene).image).second) continue;
      try {
        for (auto& part : parts_of(key, file, scene)) all.push_back(std::move(part));
      } catch (const Error&) {
        all.emplace_back(file);
      }
    }
  return all;
}

void SceneInputs::require_usable(const SceneSpec& scene) {
  const auto files = files_named_by(scene);
  if (files.empty()) return;
  stop_.check();
  report(scene);
  // The kind of a camera also determines how large its maps must be
  std::string use = fmt::format("{} {} {}", scene.grid.extent,
                                name_in(kCameraKindNames, scene.camera.kind), scene.camera.binning);
  for (const auto& [key, file] : files) use += fmt::format("\n{}={}", key, file);
  if (usable_.contains(use)) return;
  const Illumination lit{scene.illumination, scene.grid.extent};
  require_readable_maps(scene.camera, scene.grid.extent);
  usable_.insert(std::move(use));
}

/// Ignores a file that does not open: a later reader reports it.
void SceneInputs::report(const SceneSpec& scene) {
  if (!log_) return;
  for (const auto& [key, file] : files_named_by(scene)) {
    if (key == kTracing || !reported_.insert(file).second) continue;
    try {
      report_reading(file, imageio::inspect(file, open_options(key, scene)), *log_);
    } catch (const Error&) {
    }
  }
}

Json SceneInputs::record(const SceneSpec& scene, const std::optional<std::string>& only) {
  Json record = Json::object();
  for (const Channel& channel : channels_of(scene, only))
    for (const auto& [key, file] : files_named_by(channel.scene)) {
      const SceneKey* const of = find_key(key);
      const bool is_shared = of->get(scene) == of->get(channel.scene);
      record[is_shared ? key : KeyPlace{channel.name, of}.full_name()] =
          record_of(key, file, channel.scene);
    }
  return record;
}

const Json& SceneInputs::record_of(const std::string& key, const std::filesystem::path& path,
                                   const SceneSpec& scene) {
  const std::pair use{path, open_options(key, scene).image};
  const auto known = records_.find(use);
  if (known != records_.end()) return known->second;
  Json rows = Json::array();
  for (const auto& part : parts_of(key, path, scene)) {
    const auto file = imageio::file_of(part);
    rows.push_back({{"file", file.filename().string()},
                    {"bytes", imageio::InputFile{file}.size()},
                    {"xxh64", imageio::hash_file(file, &stop_)}});
  }
  if (key != kTracing)
    rows.front()["axes"] = imageio::inspect(path, open_options(key, scene)).axes_text();
  return records_.emplace(use, std::move(rows)).first->second;
}

}  // namespace synthoscope::simulator

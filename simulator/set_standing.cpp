// SPDX-License-Identifier: MIT
#include "simulator/set_standing.hpp"
#include <algorithm>
#include <fstream>
#include <iterator>
#include "core/json.hpp"
#include "simulator/data_set.hpp"

namespace synthoscope::simulator {
namespace fs = std::filesystem;

std::string text_in(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

Standing standing_of(const SceneSpec& scene, const SimulateOptions& options,
                     const fftconv::Plan& plan) {
  const fs::path& folder = options.directory;
  std::error_code failure;
  if (!fs::exists(fs::symlink_status(folder, failure))) return Standing::absent;
  if (text_in(folder / "scene.json") != scene_record(scene, options, plan)) return Standing::other;
  const auto files = layout_of(scene, options).files();
  const bool all = std::all_of(files.begin(), files.end(), [&](const std::string& file) {
    return fs::is_regular_file(folder / file, failure);
  });
  return all ? Standing::finished : Standing::other;
}

std::optional<std::int64_t> recorded_seed(const fs::path& file) {
  const auto record = try_parse_json(text_in(file));
  if (!record || !record->is_object()) return std::nullopt;
  const Json& holder = record->contains("scene") ? record->at("scene") : *record;
  if (!holder.is_object() || !holder.contains("seed") || !holder.at("seed").is_number_integer())
    return std::nullopt;
  return holder.at("seed").get<std::int64_t>();
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// simulator/scene/file/inputs.hpp — the image files that scenes name: whether they are usable, and
// what they hold.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/run/stop.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// Returns the files that a scene without channels names; for an image that can be opened, all
/// files that it consists of. Later readers report what is wrong with the others.
std::vector<std::filesystem::path> input_files_of(const SceneSpec& scene);

/// Returns the files of all of `scenes`, each once.
std::vector<std::filesystem::path> input_files_of(const std::vector<SceneSpec>& scenes);

/// The input files of many scenes. Each is read once for all scenes that use it in the same way.
class SceneInputs {
 public:
  /// Both must outlive this object. `stop` is checked while files are read. `log`, which may be
  /// null, gets every note of an image once, as a warning.
  explicit SceneInputs(const StopFlag& stop, Log* log = nullptr) : stop_{stop}, log_{log} {}

  /// Reads the flat field and the camera's maps as a simulation of `scene`, which has no channels,
  /// would. The file of a PSF is not read here but when the PSF is planned.
  /// @throws InvalidInput, IoError  as the constructors of Illumination and CameraEpilogue.
  void require_usable(const SceneSpec& scene);

  /// Returns, for each key that names a file, by its full name: name, size and XXH64 of each file
  /// of that input. Empty for a scene without files. If `only` is given, keys of other channels are
  /// left out.
  /// @throws IoError, InvalidInput, Interrupted
  Json record(const SceneSpec& scene, const std::optional<std::string>& only = std::nullopt);

  [[nodiscard]] const StopFlag& stop() const { return stop_; }

 private:
  const Json& record_of(const std::string& key, const std::filesystem::path& path,
                        const SceneSpec& scene);
  void report(const SceneSpec& scene);

  const StopFlag& stop_;
  Log* log_;
  std::set<std::filesystem::path> reported_;
  std::set<std::string> usable_;
  /// Keyed by the file and the number of the image in it.
  std::map<std::pair<std::filesystem::path, std::optional<std::int64_t>>, Json> records_;
};

}  // namespace synthoscope::simulator

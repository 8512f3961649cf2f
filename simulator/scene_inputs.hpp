// SPDX-License-Identifier: MIT
// simulator/scene_inputs.hpp — the image files that scenes name: whether they serve, and what they
// hold.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>
#include "core/json.hpp"
#include "core/stop.hpp"
#include "imageio/input_identity.hpp"
#include "simulator/scene.hpp"

namespace synthoscope::simulator {

/// The files that a scene without channels names: of an image all that it lies in, as far as it can
/// be opened. Whoever reads them says what is wrong with the others.
std::vector<std::filesystem::path> input_files_of(const SceneSpec& scene);

/// Looks at the files of many scenes, and at each once for all scenes that use it in the same way.
class SceneInputs {
 public:
  /// `stop` must outlive this; it is looked at while files are read.
  explicit SceneInputs(const StopFlag& stop) : stop_{stop} {}

  /// Reads the flat field and the camera's maps as a simulation of `scene`, which has no channels,
  /// would. Whoever plans the PSF has read its file.
  /// @throws InvalidInput, IoError  as the constructors of Illumination and CameraEpilogue.
  void require_usable(const SceneSpec& scene);

  /// By full name of the key: of each file that what it names lies in name, size and XXH64; an
  /// empty object for a scene without files. Of channels those of `only`, where it is given.
  /// @throws IoError, InvalidInput, Interrupted
  Json record(const SceneSpec& scene, const std::optional<std::string>& only = std::nullopt);

  [[nodiscard]] const StopFlag& stop() const { return stop_; }

  /// Notes the files of a scene, or of its channels, before they are read.
  void note(const SceneSpec& scene, const std::optional<std::string>& only = std::nullopt);

  /// To be called before what was made of them gets its name.
  /// @throws imageio::InputChanged  a file that was noted is not what it was then.
  void require_unchanged() const { read_.require_unchanged(); }

 private:
  const Json& record_of(const std::string& key, const std::filesystem::path& path);

  const StopFlag& stop_;
  std::set<std::string> usable_;
  std::map<std::filesystem::path, Json> records_;
  imageio::InputsAsRead read_;
};

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// simulator/detector/map_files.hpp — a camera's maps as image files, which cameras read.
#pragma once
#include <filesystem>
#include <memory>
#include <vector>
#include "core/stream/stream.hpp"
#include "simulator/detector/camera_maps.hpp"

namespace synthoscope::simulator {

/// Returns the files that MapFiles makes in `folder`: offset.tif, gain.tif, read_noise.tif and, if
/// there is a map of it, dark_current.tif.
std::vector<std::filesystem::path> map_files(const std::filesystem::path& folder,
                                             bool has_dark_map);

/// These files, float32, complete but without their names until they are closed. Without close()
/// the files, and the folders made for them, are removed.
class MapFiles {
 public:
  /// Writes the files. @param folder  is made if missing.
  /// @throws InvalidSpec  a file exists and `overwrite` is not set. IoError
  MapFiles(const CameraMaps& maps, const CameraSpec& camera, const std::filesystem::path& folder,
           bool overwrite);
  MapFiles(const MapFiles&) = delete;
  MapFiles& operator=(const MapFiles&) = delete;
  ~MapFiles();

  /// Returns the camera with the keys of maps set to the files.
  [[nodiscard]] const CameraSpec& camera() const { return camera_; }

  /// Gives the files their names. @throws IoError
  void close();

 private:
  void remove() noexcept;

  CameraSpec camera_;
  std::vector<std::filesystem::path> made_folders_;  ///< inner ones first
  std::vector<std::unique_ptr<Sink>> files_;
};

}  // namespace synthoscope::simulator

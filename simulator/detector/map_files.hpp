// SPDX-License-Identifier: MIT
// simulator/detector/map_files.hpp — a camera's maps as image files, which cameras read.
#pragma once
#include <filesystem>
#include <memory>
#include <vector>
#include "core/stream/stream.hpp"
#include "simulator/detector/camera_maps.hpp"

namespace synthoscope::simulator {

/// Files that MapFiles makes in `folder`: offset.tif, gain.tif, read_noise.tif and, where there
/// is a map of it, dark_current.tif.
std::vector<std::filesystem::path> map_files(const std::filesystem::path& folder,
                                             bool has_dark_map);

/// These files, float32, complete but without their names until they are closed. If they are not
/// closed, nothing is left of them, nor of folders that were made for them.
class MapFiles {
 public:
  /// Writes them. @param folder  is made if it is not there.
  /// @throws InvalidSpec  a file is there already and `overwrite` is not set. IoError
  MapFiles(const CameraMaps& maps, const CameraSpec& camera, const std::filesystem::path& folder,
           bool overwrite);
  MapFiles(const MapFiles&) = delete;
  MapFiles& operator=(const MapFiles&) = delete;
  ~MapFiles();

  /// The camera with the keys of maps that name the files.
  [[nodiscard]] const CameraSpec& camera() const { return camera_; }

  /// Gives them their names. @throws IoError
  void close();

 private:
  void remove() noexcept;

  CameraSpec camera_;
  std::vector<std::filesystem::path> made_folders_;  ///< inner ones first
  std::vector<std::unique_ptr<Sink>> files_;
};

}  // namespace synthoscope::simulator

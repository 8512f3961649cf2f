// SPDX-License-Identifier: MIT
#include "simulator/detector/map_files.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"
#include "imageio/create.hpp"

namespace synthoscope::simulator {
namespace {

constexpr const char *kOffsetFile = "offset.tif", *kGainFile = "gain.tif",
                     *kReadNoiseFile = "read_noise.tif", *kDarkCurrentFile = "dark_current.tif";

/// Returns the folders that must be made for `folder` to exist, itself first.
std::vector<std::filesystem::path> missing_folders(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> missing;
  std::error_code ignored;
  for (auto at = folder; !at.empty() && !std::filesystem::exists(at, ignored);
       at = at.parent_path())
    missing.push_back(at);
  return missing;
}

std::unique_ptr<Sink> written_map(const std::vector<float>& map, const Extent3& extent,
                                  const std::filesystem::path& path, bool overwrite) {
  imageio::ImageSpec spec;
  spec.extent = extent;
  spec.type = PixelType::float32;
  spec.flavor = imageio::TiffFlavor::plain;
  spec.overwrite = overwrite;
  auto file = imageio::create_image(path, spec);
  file->write(whole(extent), ConstVoxelView{HostView3<const float>{map.data(), extent}});
  return file;
}

}  // namespace

std::vector<std::filesystem::path> map_files(const std::filesystem::path& folder,
                                             bool has_dark_map) {
  std::vector files{folder / kOffsetFile, folder / kGainFile, folder / kReadNoiseFile};
  if (has_dark_map) files.push_back(folder / kDarkCurrentFile);
  return files;
}

MapFiles::MapFiles(const CameraMaps& maps, const CameraSpec& camera,
                   const std::filesystem::path& folder, bool overwrite)
    : camera_{camera}, made_folders_{missing_folders(folder)} {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw IoError(fmt::format("make the folder {}: {}; {}", folder.string(), failure.message(),
                              remedy_of(failure.value(), "choose another")));
  const Extent3 read_out{1, maps.height, maps.width};
  const auto write = [&](const char* name, const std::vector<float>& map, const Extent3& extent,
                         std::optional<std::filesystem::path>& key) {
    key = folder / name;
    files_.push_back(written_map(map, extent, *key, overwrite));
  };
  try {
    write(kOffsetFile, maps.offset_dn, read_out, camera_.offset_map);
    write(kGainFile, maps.gain_dn_per_electron, read_out, camera_.gain_map);
    write(kReadNoiseFile, maps.read_noise_electrons, read_out, camera_.read_noise_map);
    const std::int64_t bin = binned_on_chip(camera);
    if (!maps.dark_current.empty())
      write(kDarkCurrentFile, maps.dark_current, {1, maps.height * bin, maps.width * bin},
            camera_.dark_current_map);
  } catch (...) {
    remove();
    throw;
  }
}

MapFiles::~MapFiles() {
  if (!files_.empty()) remove();
}

void MapFiles::close() {
  for (const auto& file : files_) file->close();
  files_.clear();
}

void MapFiles::remove() noexcept {
  files_.clear();
  std::error_code ignored;  // if something else is in them by now
  for (const auto& folder : made_folders_) std::filesystem::remove(folder, ignored);
}

}  // namespace synthoscope::simulator

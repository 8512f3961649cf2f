// SPDX-License-Identifier: MIT
#include "simulator/detector/map_files.hpp"
#include <fmt/format.h>
#include "core/error.hpp"
#include "core/system_failure.hpp"
#include "imageio/create.hpp"

namespace synthoscope::simulator {
namespace {

constexpr const char *kOffsetFile = "offset.tif", *kGainFile = "gain.tif",
                     *kReadNoiseFile = "read_noise.tif", *kDarkCurrentFile = "dark_current.tif";

void write_map(const std::vector<float>& map, const Extent3& extent,
               const std::filesystem::path& path, bool overwrite) {
  imageio::ImageSpec spec;
  spec.extent = extent;
  spec.type = PixelType::float32;
  spec.flavor = imageio::TiffFlavor::plain;
  spec.overwrite = overwrite;
  const auto file = imageio::create_image(path, spec);
  file->write(whole(extent), ConstVoxelView{HostView3<const float>{map.data(), extent}});
  file->close();
}

}  // namespace

std::vector<std::filesystem::path> map_files(const std::filesystem::path& folder,
                                             bool has_dark_map) {
  std::vector files{folder / kOffsetFile, folder / kGainFile, folder / kReadNoiseFile};
  if (has_dark_map) files.push_back(folder / kDarkCurrentFile);
  return files;
}

CameraSpec write_maps(const CameraMaps& maps, const CameraSpec& camera,
                      const std::filesystem::path& folder, bool overwrite) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw IoError(fmt::format("make the folder {}: {}; {}", folder.string(), failure.message(),
                              remedy_of(failure.value(), "choose another")));
  CameraSpec with_maps = camera;
  const Extent3 read_out{1, maps.height, maps.width};
  const auto write = [&](const char* name, const std::vector<float>& map, const Extent3& extent,
                         std::optional<std::filesystem::path>& key) {
    key = folder / name;
    write_map(map, extent, *key, overwrite);
  };
  write(kOffsetFile, maps.offset_dn, read_out, with_maps.offset_map);
  write(kGainFile, maps.gain_dn_per_electron, read_out, with_maps.gain_map);
  write(kReadNoiseFile, maps.read_noise_electrons, read_out, with_maps.read_noise_map);
  const std::int64_t bin = binned_on_chip(camera);
  if (!maps.dark_current.empty())
    write(kDarkCurrentFile, maps.dark_current, {1, maps.height * bin, maps.width * bin},
          with_maps.dark_current_map);
  return with_maps;
}

}  // namespace synthoscope::simulator

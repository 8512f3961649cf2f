// SPDX-License-Identifier: MIT
// simulator/phantom/volume/volume_files.hpp — reads labels and light of imported volumes, and
// refuses what is neither.
#pragma once
#include <fmt/format.h>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include "core/base/error.hpp"
#include "fftconv/row_reading.hpp"
#include "imageio/open.hpp"
#include "simulator/phantom/volume/volume_spec.hpp"

namespace synthoscope::simulator {

/// An open file of a volume.
class VolumeFile {
 public:
  /// @param key  the file's key, for messages, such as "volume.labels"
  /// @throws IoError, InvalidInput, InvalidSpec  as imageio::open_image.
  VolumeFile(std::string_view key, const std::filesystem::path& path, const VolumeSpec& spec)
      : name_{fmt::format("{} {}", key, path.string())}, image_{open(key, path, spec)} {}

  [[nodiscard]] Extent3 extent() const { return image_.info.extent; }
  [[nodiscard]] std::optional<VoxelSize> pitch() const { return image_.info.voxel_size(); }
  [[nodiscard]] std::int64_t buffer_bytes() const {
    return image_.buffer_bytes + fftconv::kWindowBytes;
  }

  /// Calls `visit(index, label)` for every voxel in the order of the file.
  /// @throws InvalidInput  a voxel is not a whole number >= 0. @throws Interrupted  `stop` was set.
  template <class Visit>
  void for_each_label(const StopFlag& stop, Visit&& visit) const {
    constexpr double kMax = 0x1p53;  // beyond it not every whole number is a double
    for_each_voxel(stop, [&](const Index3& at, auto voxel) {
      const auto value = static_cast<double>(voxel);
      if (!(value >= 0 && value <= kMax && value == std::floor(value)))
        throw InvalidInput(fmt::format(
            "read {}: voxel ({}, {}, {}) is {:g}, and labels are whole numbers of at least 0; "
            "correct the file, or is it volume.intensity?",
            name_, at.z, at.y, at.x, value));
      visit(at, static_cast<std::int64_t>(voxel));
    });
  }

  /// Calls `visit(index, value)` for every voxel in the order of the file.
  /// @throws InvalidInput  a voxel is not a finite number. @throws Interrupted  `stop` was set.
  template <class Visit>
  void for_each_value(const StopFlag& stop, Visit&& visit) const {
    for_each_voxel(stop, [&](const Index3& at, auto voxel) {
      const auto value = static_cast<double>(voxel);
      if (!std::isfinite(value))
        throw InvalidInput(
            fmt::format("read {}: voxel ({}, {}, {}) is {}, and light is a finite number; correct "
                        "the file",
                        name_, at.z, at.y, at.x, value));
      visit(at, value);
    });
  }

 private:
  static imageio::OpenImage open(std::string_view key, const std::filesystem::path& path,
                                 const VolumeSpec& spec) {
    imageio::OpenOptions options;
    options.image = spec.image;
    options.labels = key == "volume.labels";
    const imageio::ImageInfo info = imageio::inspect(path, options);
    require_choice(path, "channel", info.channels, spec.channel);
    require_choice(path, "frame", info.frames, spec.frame);
    options.channel = spec.channel;
    options.frame = spec.frame;
    options.cache_bytes = std::int64_t{16} << 20;  // voxels are read once, in order
    return imageio::open_image(path, options);
  }
  static void require_choice(const std::filesystem::path& path, std::string_view what,
                             std::int64_t count, const std::optional<std::int64_t>& choice) {
    if (choice ? *choice < count : count == 1) return;
    throw InvalidSpec(
        fmt::format("check the scene: volume.{} is {}, and {} holds {} of them; {}", what,
                    choice ? std::to_string(*choice) : "not set", path.string(), count,
                    count == 1 ? "leave it out" : fmt::format("give 0 to {}", count - 1)));
  }
  template <class Visit>
  void for_each_voxel(const StopFlag& stop, Visit&& visit) const {
    fftconv::for_each_row(*image_.source, stop, [&](std::int64_t z, std::int64_t y, auto* row) {
      for (std::int64_t x = 0; x < extent().x; ++x) visit(Index3{z, y, x}, row[x]);
    });
  }
  std::string name_;
  imageio::OpenImage image_;
};

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// imageio/tiff_stacks.hpp — which plane of a TIFF file belongs to which channel, frame and z.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "imageio/open.hpp"
#include "imageio/tiff_page_reader.hpp"

namespace synthoscope::imageio {

/// A plane in one of the files of a set.
struct StackPlane {
  std::size_t file = 0;
  std::int64_t page = -1;  ///< -1: no file holds it
  std::int64_t skip_bytes = 0;
};

/// What a TIFF file, or a set of them, holds.
struct TiffStacks {
  ImageInfo info;
  std::vector<std::shared_ptr<TiffPageReader>> files;
  std::int64_t page_channels = 1;  ///< channels that have pages of their own
  std::vector<StackPlane> planes;  ///< (frame, page channel, z), z fastest

  /// One stack. A channel counts samples first: channel = page channel * samples + sample.
  /// @param most_bytes  for decoded strips and tiles that are kept, and again for decoding
  [[nodiscard]] std::unique_ptr<Source> source(std::int64_t channel, std::int64_t frame,
                                               std::int64_t most_bytes) const;

  /// What such a source holds beside the caller's voxels.
  [[nodiscard]] std::int64_t buffer_bytes(std::int64_t channel, std::int64_t frame,
                                          std::int64_t most_bytes) const;

 private:
  [[nodiscard]] std::span<const StackPlane> stack(std::int64_t channel, std::int64_t frame) const;
};

/// Sets the voxel size in x and y from the first page's resolution. `unit_um` is the length that
/// the description names, used where the resolution tags name none.
void set_resolution(std::optional<double> unit_um, TiffStacks& stacks);

/// @throws InvalidInput  always: "open FILE: " and what was found, with advice.
[[noreturn]] void refuse_stacks(const TiffStacks& stacks, const std::string& found_and_advice);

/// Reads directories and descriptions, no pixels.
/// @throws IoError, InvalidInput
TiffStacks read_tiff_stacks(const std::filesystem::path& path, const InputLimits& limits);

}  // namespace synthoscope::imageio

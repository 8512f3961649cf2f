// SPDX-License-Identifier: MIT
// tools/show/stacks.hpp — the stacks that a picture shows, of a file or of a data set.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>
#include "imageio/run/counted_image.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/pictures/canvas.hpp"

namespace synthoscope::tools {

/// A channel, and how it is shown.
struct ShownChannel {
  std::string name;  ///< empty if it has none
  simulator::Colour colour;
  std::function<imageio::CountedImage(std::int64_t frame)> open;
};

/// What a picture may show. Voxels of unknown size are taken as cubes.
struct ShownStacks {
  std::vector<std::filesystem::path> files;  ///< that are read
  simulator::Grid grid;
  bool has_voxel_size = true;
  bool has_named_axes = true;  ///< or planes may be frames
  std::int64_t frames = 1;
  std::vector<ShownChannel> channels;
  std::function<imageio::CountedImage(std::int64_t frame)> labels;  ///< null: there are none
};

/// Returns what a file holds, or the images and labels of a data set of `simulate`.
/// @param options  its channel chooses one, otherwise all are shown
/// @param context  outlives the result
/// @throws as imageio::inspect_counted and DataSetReader
ShownStacks stacks_to_show(const std::filesystem::path& path, const imageio::OpenOptions& options,
                           const RunContext& context);

/// Adds labels from a file.
/// @throws InvalidSpec  labels and image have different extents.
void add_labels(ShownStacks& stacks, const std::filesystem::path& path,
                const imageio::OpenOptions& options, const RunContext& context);

}  // namespace synthoscope::tools

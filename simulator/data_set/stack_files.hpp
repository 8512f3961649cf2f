// SPDX-License-Identifier: MIT
// simulator/data_set/stack_files.hpp — names and formats of the stacks of a data set.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "core/run/run_context.hpp"
#include "imageio/create.hpp"
#include "simulator/data_set/layout.hpp"
#include "simulator/data_set/simulate_options.hpp"
#include "simulator/scene/channels.hpp"

namespace synthoscope::simulator {

/// Returns the format of a volume of a data set, uncompressed.
imageio::ImageSpec spec_of_volume(const Extent3& extent, PixelType type, const Grid& grid,
                                  const SimulateOptions& options);

/// Returns whether stacks consist of chunks, which all threads pack; TIFF files do not.
bool is_chunked(const SimulateOptions& options);

/// Says how the stacks of a data set are stored. Writes nothing.
class StackFiles {
 public:
  /// `context` must outlive this.
  StackFiles(const SceneSpec& scene, const SimulateOptions& options, DataSetLayout layout,
             const RunContext& context);

  /// Returns the format of a stack: "labels", "structures", "light", "photons" or
  /// "image".
  [[nodiscard]] imageio::ImageSpec spec(std::string_view name, PixelType type,
                                        std::size_t channel) const;

  /// Returns the file of "light", "photons" or "image" while images are made.
  [[nodiscard]] std::string file(std::string_view name, std::int64_t frame,
                                 std::size_t channel) const {
    if (name == "light") return layout_.light(frame, channel);
    return name == "photons" ? layout_.photons(frame, channel) : layout_.unjoined(frame, channel);
  }

  /// Returns the format of the image of all channels of a frame. @param type  of each
  [[nodiscard]] imageio::ImageSpec joined_spec(PixelType type) const;

  /// Returns the grid of "image".
  [[nodiscard]] Grid camera_grid(std::size_t channel) const {
    return binned(grid_, channels_[channel].scene.camera.binning);
  }

  /// Returns the channels that are imaged of each frame; one for a scene without channels.
  [[nodiscard]] const std::vector<Channel>& channels() const { return channels_; }
  [[nodiscard]] const DataSetLayout& layout() const { return layout_; }
  [[nodiscard]] const SimulateOptions& options() const { return options_; }

  /// Returns the text in which files record how they were made.
  [[nodiscard]] const std::string& provenance() const { return provenance_; }

 private:
  SimulateOptions options_;
  const RunContext& context_;
  Grid grid_;
  std::vector<Channel> channels_;
  std::string provenance_;
  DataSetLayout layout_;
};

}  // namespace synthoscope::simulator

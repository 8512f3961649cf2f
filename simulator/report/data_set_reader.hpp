// SPDX-License-Identifier: MIT
// simulator/report/data_set_reader.hpp — a data set that simulate made, opened for reading.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include "core/base/json.hpp"
#include "core/stream/stream.hpp"
#include "imageio/run/counted_image.hpp"
#include "simulator/base/grid.hpp"
#include "simulator/data_set/layout.hpp"

namespace synthoscope::simulator {

/// The files of a data set, found by what its scene.json says.
class DataSetReader {
 public:
  /// Opens a data set.
  /// @throws InvalidInput  `folder` is no data set, or its scene.json is not one that simulate
  ///                       writes; says what is wrong.
  /// @throws IoError       scene.json cannot be read.
  explicit DataSetReader(std::filesystem::path folder);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] std::int64_t frames() const { return frames_; }
  /// Returns the frames that were made: all, or a part.
  [[nodiscard]] const FrameRange& made() const { return layout_.frames(); }
  [[nodiscard]] const Json& record() const { return record_; }  ///< scene.json
  [[nodiscard]] std::string name() const;                       ///< name of its folder

  /// Returns the names of the channels that have images; one empty name for a scene without
  /// channels.
  [[nodiscard]] const std::vector<std::string>& channels() const { return channels_; }

  // `channel` is an index in channels().

  [[nodiscard]] const Json& camera(std::size_t channel = 0) const {
    return scenes_[channel].at("camera");
  }
  [[nodiscard]] std::int64_t largest_count(std::size_t channel = 0) const;

  /// Returns the value of a key of a table, such as "camera" and "offset_dn"; nothing if it is
  /// absent or no number.
  [[nodiscard]] std::optional<double> number(const std::string& table, const std::string& key,
                                             std::size_t channel = 0) const;

  // Opened with what their readers hold counted: see imageio::open_counted.

  [[nodiscard]] imageio::CountedImage image(std::int64_t frame, std::size_t channel,
                                            const RunContext& context) const;
  [[nodiscard]] imageio::CountedImage photons(std::int64_t frame, std::size_t channel,
                                              const RunContext& context) const;
  /// Opens the light before the blur. @throws InvalidInput  the set was made without output.light.
  [[nodiscard]] imageio::CountedImage light(std::int64_t frame, std::size_t channel,
                                            const RunContext& context) const;
  [[nodiscard]] imageio::CountedImage labels(std::int64_t frame, const RunContext& context) const;
  [[nodiscard]] imageio::CountedImage psf(std::size_t channel, const RunContext& context) const;
  [[nodiscard]] std::filesystem::path objects_csv() const { return folder_ / "objects.csv"; }
  [[nodiscard]] bool is_movie() const;
  [[nodiscard]] std::filesystem::path tracks_csv() const { return folder_ / kTracksTable; }

 private:
  [[nodiscard]] imageio::CountedImage open(const std::string& file,
                                           const RunContext& context) const;

  std::filesystem::path folder_;
  Json record_;
  std::int64_t frames_;
  std::vector<std::string> channels_;
  std::vector<Json> scenes_;  ///< the scene with the keys of each channel
  DataSetLayout layout_;
};

/// Returns the grid of an opened stack.
/// @throws InvalidInput  its file does not say how far voxels are apart.
Grid grid_of(const imageio::OpenImage& stack);

}  // namespace synthoscope::simulator

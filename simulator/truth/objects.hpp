// SPDX-License-Identifier: MIT
// simulator/truth/objects.hpp — what is known of every object, from geometry and counted in its
// mask; and of every spot.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>
#include "core/stream/stream.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "simulator/timelapse/tracks.hpp"

namespace synthoscope::simulator {

/// Voxels of one label; positions are summed as indices, so that the sums are exact.
struct LabelCount {
  std::int64_t voxels = 0, sum_z = 0, sum_y = 0, sum_x = 0;
  bool touches_border = false;  ///< a voxel lies in an outermost layer of an axis longer than 1

  LabelCount& operator+=(const LabelCount& other);
};

/// A sink that passes uint16 labels to another sink, in the order that it accepts, and counts them.
class CountingSink final : public Sink {
 public:
  /// Counts the voxels of each of `objects`, which are distinct labels. The caller keeps `labels`
  /// alive.
  CountingSink(Sink& labels, const std::vector<std::uint16_t>& objects);
  [[nodiscard]] Extent3 extent() const override { return labels_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return labels_.pixel_type(); }
  [[nodiscard]] BoxOrder accepts() const override { return labels_.accepts(); }
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override { labels_.close(); }

  /// Returns the count of each object, when all is written.
  [[nodiscard]] const std::vector<LabelCount>& counts() const { return counts_; }

 private:
  Sink& labels_;
  std::vector<std::int32_t> places_;  ///< index in counts_ of each possible label; -1: none
  std::mutex mutex_;
  std::vector<LabelCount> counts_;
};

/// Returns the bytes for counts and tables of `objects` objects.
std::int64_t objects_bytes(std::int64_t objects);

/// A table with a row for each object and frame, filled frame by frame.
class ObjectTable {
 public:
  /// @param channels  names of the channels that are imaged; one empty name for a scene without
  explicit ObjectTable(std::vector<std::string> channels);

  [[nodiscard]] std::int64_t rows() const { return std::ssize(rows_); }
  [[nodiscard]] std::int64_t without_voxel() const { return without_voxel_; }

  /// Adds all objects of `frame`.
  void add(std::int64_t frame, const Phantom& phantom, const FrameLabels& names,
           const std::vector<LabelCount>& counts);

  /// Adds the signal-to-noise ratios of the objects of a frame that was added, in the image of a
  /// channel: see object_snr.
  void add_snr(std::int64_t frame, std::size_t channel, const std::vector<double>& of_objects);

  /// Returns the median over all objects of a channel; nothing if none has a ratio.
  [[nodiscard]] std::optional<double> median_snr(std::size_t channel) const;

  /// Returns CSV with a header line. Centroid and volume are of the whole body, even if the grid's
  /// border cuts it; the counted ones are of its mask, the part inside the grid, and the counted
  /// centroid is empty for an object without a voxel. Positions are in micrometres from the grid's
  /// corner. Regions of an imported volume have the label of their file. touches_border is 1 or 0.
  /// brightness is the factor of ObjectLight.
  /// nearest_um is the distance of the counted centroid to the nearest other one; it is empty for
  /// an object without a voxel and for one that is alone. phase is that of the chromatin of nuclei.
  /// snr, or for a channel snr_NAME, is empty for an object without a voxel.
  [[nodiscard]] std::string csv() const;

  /// Returns the tracks of the Cell Tracking Challenge for independent frames: "id begin end
  /// parent", one a line, for every object with a voxel. Each object lives in its own frame and has
  /// no parent.
  [[nodiscard]] const std::string& tracks() const { return tracks_; }

 private:
  std::vector<std::string> channels_, rows_;
  std::map<std::int64_t, std::size_t> first_row_;  ///< of a frame
  std::vector<std::vector<double>> snr_;           ///< of each channel, row by row
  std::string tracks_;
  std::int64_t without_voxel_ = 0;
};

/// Returns the same for a movie: all tracks on which an object was seen.
std::string challenge_tracks(const Tracks& tracks);

/// Returns tracks.csv: label, first and last frame, parent, and the first label of its object,
/// which is the same for all tracks of one object.
std::string tracks_csv(const Tracks& tracks);

/// A table of spots, filled frame by frame.
class SpotTable {
 public:
  SpotTable();

  /// Adds the spots of the cells of `frame`. An id follows from the cell's object, so that a spot
  /// of a movie has the same id in all frames.
  void add(std::int64_t frame, const FrameLabels& names, const Phantom& phantom);

  /// Returns CSV with a header line. Positions are in micrometres from the grid's corner; photons
  /// are of one exposure if all of them fell on one plane.
  [[nodiscard]] const std::string& csv() const { return csv_; }

  /// Return whether a scene has spots, and the bytes of their table.
  static bool has(const PhantomSpec& spec, const Grid& grid);
  static std::int64_t bytes(const SceneSpec& scene);

 private:
  std::string csv_;
};

}  // namespace synthoscope::simulator

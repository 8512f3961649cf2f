// SPDX-License-Identifier: MIT
// simulator/objects.hpp — what is known of every object: from geometry, and counted in the mask.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "core/stream.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// Voxels of one label; positions are summed as indices, so that the sums are exact.
struct LabelCount {
  std::int64_t voxels = 0, sum_z = 0, sum_y = 0, sum_x = 0;
};

/// Hands uint16 labels on to another sink and counts them on the way; one box at a time.
class CountingSink final : public Sink {
 public:
  /// Counts labels `before` + 1 ... `before` + `objects`. `labels` is kept alive by the caller.
  CountingSink(Sink& labels, std::int64_t before, std::int64_t objects)
      : labels_{labels},
        before_{static_cast<std::size_t>(before)},
        counts_(static_cast<std::size_t>(objects)) {}
  [[nodiscard]] Extent3 extent() const override { return labels_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return labels_.pixel_type(); }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::planes_in_order; }
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override { labels_.close(); }

  /// Entry i belongs to label `before` + i + 1.
  [[nodiscard]] const std::vector<LabelCount>& counts() const { return counts_; }

 private:
  Sink& labels_;
  std::size_t before_;
  std::vector<LabelCount> counts_;
};

/// What counts and the tables of `objects` objects take, in bytes.
std::int64_t objects_bytes(std::int64_t objects);

/// The objects of one frame after the other, with ids that go on from frame to frame.
class ObjectTable {
 public:
  ObjectTable();

  /// Objects so far: the next id less 1.
  [[nodiscard]] std::int64_t objects() const { return objects_; }
  [[nodiscard]] std::int64_t without_voxel() const { return without_voxel_; }

  /// Adds all objects of `frame`.
  void add(std::int64_t frame, const Phantom& phantom, const std::vector<LabelCount>& counts);

  /// CSV with a line of names. Centroid and volume are those of the whole body, also where the
  /// grid's border cuts it; beside them those counted from the voxels of the mask, with an empty
  /// centroid for an object without a voxel. Micrometres from the grid's corner.
  [[nodiscard]] const std::string& csv() const { return csv_; }

  /// The tracks of the Cell Tracking Challenge: "id begin end parent", one a line, for every object
  /// with a voxel. Frames are independent: each object lives in its own frame and has no parent.
  [[nodiscard]] const std::string& tracks() const { return tracks_; }

 private:
  std::string csv_, tracks_;
  std::int64_t objects_ = 0, without_voxel_ = 0;
};

}  // namespace synthoscope::simulator

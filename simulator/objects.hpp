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
  /// Counts labels 1 ... `objects`. `labels` is kept alive by the caller.
  CountingSink(Sink& labels, std::int64_t objects)
      : labels_{labels}, counts_(static_cast<std::size_t>(objects)) {}
  [[nodiscard]] Extent3 extent() const override { return labels_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return labels_.pixel_type(); }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::planes_in_order; }
  void write(const Box3& box, ConstVoxelView voxels) override;
  void close() override { labels_.close(); }

  /// Entry i belongs to label i + 1.
  [[nodiscard]] const std::vector<LabelCount>& counts() const { return counts_; }

 private:
  Sink& labels_;
  std::vector<LabelCount> counts_;
};

/// What counts and the table of `objects` objects take, in bytes.
std::int64_t objects_bytes(std::int64_t objects);

/// The table of objects as CSV with a line of names. Centroid and volume are those of the whole
/// body, also where the grid's border cuts it; beside them those counted from the voxels of the
/// mask, with an empty centroid for an object without a voxel. Micrometres from the grid's corner.
std::string objects_csv(const Phantom& phantom, const std::vector<LabelCount>& counts);

}  // namespace synthoscope::simulator

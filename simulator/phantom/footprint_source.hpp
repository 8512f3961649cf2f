// SPDX-License-Identifier: MIT
// simulator/phantom/footprint_source.hpp — masks of one plane that show what lies above and below
// it.
#pragma once
#include <cstdint>
#include <vector>
#include "core/stream/stream.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// A source of labels of one plane, uint16: in each pixel the label that LabelSource has in the
/// nearest plane of the sample that has one there, the lower of two that are equally near.
class FootprintSource final : public Source {
 public:
  /// @param phantom  on a grid of one plane
  /// @param labels   the label of each object
  /// @param planes   of the sample above the plane, and as many below it
  FootprintSource(const Phantom& phantom, std::vector<std::uint16_t> labels, std::int64_t planes);
  [[nodiscard]] Extent3 extent() const override { return grid_; }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::uint16; }

  /// Returns the bytes that reading a plane holds.
  static std::int64_t bytes(const Extent3& plane) {
    return volume(plane) * size_of(PixelType::uint16);
  }

  void read(const Box3& box, VoxelView out) override;

 private:
  Extent3 grid_;
  std::int64_t middle_;  ///< the plane, in the sample
  Phantom sample_;
  LabelSource labels_;
};

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// simulator/data_set/lit_labels.hpp — labels of the objects that give light in a channel.
#pragma once
#include <cstdint>
#include <vector>
#include "core/stream/stream.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// Labels in which objects of kinds without light are 0.
class LitLabels final : public Source {
 public:
  /// @param all     uint16; outlives this
  /// @param labels  of each object of `phantom`, in the order of ids
  LitLabels(Source& all, const Phantom& phantom, const std::vector<std::uint16_t>& labels,
            const LightSpec& light);
  [[nodiscard]] Extent3 extent() const override { return all_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return all_.pixel_type(); }
  void read(const Box3& box, VoxelView out) override;

 private:
  Source& all_;
  std::vector<bool> is_dark_;  ///< of each label
};

}  // namespace synthoscope::simulator

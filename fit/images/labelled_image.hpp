// SPDX-License-Identifier: MIT
// fit/images/labelled_image.hpp — an image in memory with the labels of its objects, real or of a
// twin: both are measured by the same code.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "core/run/memory_budget.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/volume/pixel_type.hpp"
#include "simulator/base/grid.hpp"

namespace synthoscope::fit {

struct LabelledImage {
  std::string name;                    ///< for messages
  simulator::Grid grid;                ///< of counts and labels
  PixelType type = PixelType::uint16;  ///< of the counts in their file
  Volume<float> counts;                ///< DN; empty if only the labels are known
  Volume<std::uint32_t> labels;        ///< 0: no object; empty without labels
  bool are_labels_rough = false;       ///< made by segment()
  Reservation held;                    ///< of both

  [[nodiscard]] bool has_counts() const { return !counts.voxels.empty(); }
  [[nodiscard]] bool has_labels() const { return !labels.voxels.empty(); }
  [[nodiscard]] bool is_plane() const { return grid.extent.z == 1; }
};

/// Images of one kind, which are fitted together.
using LabelledImages = std::vector<LabelledImage>;

}  // namespace synthoscope::fit

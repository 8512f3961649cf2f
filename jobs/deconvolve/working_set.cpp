// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/working_set.hpp"

namespace synthoscope::jobs {
namespace {

using Folder = std::optional<std::filesystem::path>;

ScratchVolume volume_in(const Folder& folder, const Extent3& extent, MemoryBudget& memory,
                        std::string_view what) {
  if (folder) return ScratchVolume{extent, PixelType::float32, *folder};
  return ScratchVolume{extent, PixelType::float32, memory, what};
}

}  // namespace

std::int64_t WorkingSet::bytes(const deconvolution::Geometry& geometry, bool has_momentum) {
  const std::int64_t estimates = has_momentum ? 2 : 1;
  return std::int64_t{sizeof(float)} *
         (2 * volume(geometry.field) + estimates * volume(estimate_extent(geometry)));
}

WorkingSet::WorkingSet(const deconvolution::Geometry& geometry, bool has_momentum,
                       MemoryBudget& memory, const Folder& folder)
    : image_{volume_in(folder, geometry.field, memory, "the image")},
      estimate_{volume_in(folder, estimate_extent(geometry), memory, "the estimate")},
      ratio_{volume_in(folder, geometry.field, memory, "the ratio")} {
  if (!has_momentum) return;
  if (folder)
    last_.emplace(estimate_extent(geometry), PixelType::float32, *folder);
  else
    last_.emplace(estimate_extent(geometry), PixelType::float32, memory, "the last estimate");
}

}  // namespace synthoscope::jobs

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

std::int64_t WorkingSet::bytes(const deconvolution::Geometry& geometry, const Extras& extras) {
  const std::int64_t fields = extras.half ? 3 : 2, estimates = extras.last ? 2 : 1;
  return std::int64_t{sizeof(float)} *
         (fields * volume(geometry.field) + estimates * volume(estimate_extent(geometry)));
}

WorkingSet::WorkingSet(const deconvolution::Geometry& geometry, const Extras& extras,
                       MemoryBudget& memory, const Folder& folder)
    : image_{volume_in(folder, geometry.field, memory, "the image")},
      estimate_{volume_in(folder, estimate_extent(geometry), memory, "the estimate")},
      ratio_{volume_in(folder, geometry.field, memory, "the ratio")} {
  const auto add = [&](std::optional<ScratchVolume>& to, const Extent3& extent,
                       std::string_view what) {
    if (folder)
      to.emplace(extent, PixelType::float32, *folder);
    else
      to.emplace(extent, PixelType::float32, memory, what);
  };
  if (extras.last) add(last_, estimate_extent(geometry), "the last estimate");
  if (extras.half) add(half_, geometry.field, "half of the image");
}

}  // namespace synthoscope::jobs

// SPDX-License-Identifier: MIT
#include "jobs/light/kept_estimates.hpp"
#include "core/base/assert.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/store_as.hpp"

namespace synthoscope::jobs {
namespace {

void copy(Source& from, Sink& to, const RunContext& context) {
  StoreAs unchanged{PixelType::float32};
  carry("copy an estimate", from, unchanged, to, context);
}

}  // namespace

KeptEstimates::KeptEstimates(const deconvolution::Geometry& geometry, int count,
                             MemoryBudget& memory) {
  const VolumePlace place{memory, std::nullopt};
  while (std::ssize(volumes_) < count)
    volumes_.push_back(place.make(estimate_extent(geometry), "a copy of an estimate"));
}

void KeptEstimates::keep(Iterations& light, const RunContext& context) {
  const std::vector<Source*> kept = light.kept();
  SYNTHOSCOPE_ASSERT(std::ssize(kept), ==, std::ssize(volumes_));
  for (std::size_t i = 0; i < kept.size(); ++i) copy(*kept[i], *volumes_[i], context);
  iterations_ = light.iterations();
}

void KeptEstimates::restore(Iterations& light, const RunContext& context) {
  light.go_on_after(iterations_, [&](std::span<Sink* const> volumes) {
    SYNTHOSCOPE_ASSERT(std::ssize(volumes), ==, std::ssize(volumes_));
    for (std::size_t i = 0; i < volumes.size(); ++i) copy(*volumes_[i], *volumes[i], context);
  });
}

}  // namespace synthoscope::jobs

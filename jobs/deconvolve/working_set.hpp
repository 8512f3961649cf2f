// SPDX-License-Identifier: MIT
// jobs/deconvolve/working_set.hpp — the volumes of a deconvolution: in memory, or in scratch files.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>
#include "core/run/memory_budget.hpp"
#include "core/stream/scratch_volume.hpp"
#include "deconvolution/geometry.hpp"
#include "deconvolution/richardson_lucy.hpp"

namespace synthoscope::jobs {

/// The volumes of a run, all float32.
class WorkingSet {
 public:
  /// Returns the memory of all volumes but the PSF.
  static std::int64_t bytes(const deconvolution::Geometry& geometry, bool has_momentum);

  /// In memory where no folder is given. @throws PlanError  beyond the budget.
  /// @throws IoError  the folder takes no files of this size.
  WorkingSet(const deconvolution::Geometry& geometry, bool has_momentum, MemoryBudget& memory,
             const std::optional<std::filesystem::path>& folder);

  [[nodiscard]] ScratchVolume& image() { return image_; }
  [[nodiscard]] deconvolution::WorkingVolumes volumes() {
    return {estimate_, ratio_, last_ ? &*last_ : nullptr};
  }

  /// Those that an iteration leaves to the next one.
  template <class Stream>
  [[nodiscard]] std::vector<Stream*> kept() {
    std::vector<Stream*> all{&estimate_};
    if (last_) all.push_back(&*last_);
    return all;
  }

 private:
  ScratchVolume image_, estimate_, ratio_;
  std::optional<ScratchVolume> last_;
};

}  // namespace synthoscope::jobs

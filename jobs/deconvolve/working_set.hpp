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
  /// Volumes that not every run has.
  struct Extras {
    bool last = false;  ///< the last estimate, for momentum
    bool half = false;  ///< half of the image, to find the number of iterations
  };

  /// Returns the memory of all volumes but the PSF.
  static std::int64_t bytes(const deconvolution::Geometry& geometry, const Extras& extras);

  /// In memory where no folder is given. @throws PlanError  beyond the budget.
  /// @throws IoError  the folder takes no files of this size.
  WorkingSet(const deconvolution::Geometry& geometry, const Extras& extras, MemoryBudget& memory,
             const std::optional<std::filesystem::path>& folder);

  [[nodiscard]] ScratchVolume& image() { return image_; }
  [[nodiscard]] ScratchVolume& half() { return *half_; }
  /// Frees its memory.
  void drop_half() { half_.reset(); }
  [[nodiscard]] deconvolution::WorkingVolumes volumes() {
    return {estimate_, ratio_, last_ ? &*last_ : nullptr};
  }

  /// The estimate after an iteration.
  [[nodiscard]] ScratchVolume& found() { return last_ ? *last_ : estimate_; }

  /// Those that an iteration leaves to the next one.
  template <class Stream>
  [[nodiscard]] std::vector<Stream*> kept() {
    std::vector<Stream*> all{&estimate_};
    if (last_) all.push_back(&*last_);
    return all;
  }

 private:
  ScratchVolume image_, estimate_, ratio_;
  std::optional<ScratchVolume> last_, half_;
};

}  // namespace synthoscope::jobs

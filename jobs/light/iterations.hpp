// SPDX-License-Identifier: MIT
// jobs/light/iterations.hpp — the iterations of a job, on the host, through GPUs or in their
// memory.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "core/stream/scratch_volume.hpp"
#include "deconvolution/device/resident_richardson_lucy.hpp"

namespace synthoscope::jobs {

/// Where the volumes of the host lie: in memory, or in files of a folder.
struct VolumePlace {
  MemoryBudget& memory;
  std::optional<std::filesystem::path> folder;
  /// The GPU that copies volumes in memory directly: they are pinned.
  std::optional<cuda::DeviceId> pinned_for = {};

  /// float32. @throws PlanError  beyond the budget.  @throws IoError  the folder is full.
  [[nodiscard]] std::unique_ptr<ScratchVolume> make(const Extent3& extent,
                                                    std::string_view what) const;
};

/// How the number of iterations is looked for: on a part of the field, with volumes in memory.
struct SearchPlan {
  deconvolution::Geometry geometry;  ///< of the part
  deconvolution::StepPlans steps = {};
};

/// How iterations are done.
struct IterationPlan {
  /// Plans for volumes of the host. If empty, all spectra stay in the memory of `gpus`, and so do
  /// all volumes except `on_host`.
  std::optional<deconvolution::StepPlans> steps = {};
  std::vector<deconvolution::GpuShare> gpus = {};
  deconvolution::VolumesOnHost on_host = {};
  std::int64_t device_bytes = 0;       ///< that this takes of a GPU's memory
  deconvolution::LinkBytes link = {};  ///< that an iteration then copies
  /// The only pass of a linear filter, in place of iterations.
  std::optional<fftconv::Plan> filter = {};
  bool has_momentum = false;
  bool in_files = false;                  ///< volumes of the host
  std::optional<SearchPlan> search = {};  ///< if the number of iterations is looked for first
};

/// Returns the bytes of all volumes of the host except the image.
/// @param estimates  number of volumes of estimate_extent
std::int64_t volume_bytes(const deconvolution::Geometry& geometry, std::int64_t estimates);

/// Finds light, one iteration after another.
class Iterations {
 public:
  virtual ~Iterations() = default;

  /// Begins with an even estimate.
  virtual void begin() = 0;

  /// Continues an earlier run after its iteration `iterations`. Calls `load`, which fills the
  /// volumes that `kept` returned then.
  using Load = std::function<void(std::span<Sink* const>)>;
  virtual void go_on_after(int iterations, const Load& load) = 0;

  /// Does one iteration. Returns the logarithm of the likelihood of the estimate before it.
  virtual double iterate() = 0;
  [[nodiscard]] virtual int iterations() const = 0;

  /// Returns the volumes that the next iteration reads.
  [[nodiscard]] virtual std::vector<Source*> kept() = 0;
  /// Returns the estimate after an iteration.
  [[nodiscard]] virtual Source& result() = 0;
};

/// What iterations work with. All must outlive them.
struct IterationResources {
  fftconv::Executor& executor;
  std::int64_t device_bytes;  ///< of each GPU, for spectra and volumes there
  VolumePlace place;          ///< of volumes of the host
};

/// Takes the memory of all volumes.
/// @throws as RichardsonLucy and ResidentRichardsonLucy
std::unique_ptr<Iterations> make_iterations(const IterationPlan& plan,
                                            const deconvolution::Model& model, Source& image,
                                            const IterationResources& resources,
                                            const RunContext& context);

}  // namespace synthoscope::jobs

// SPDX-License-Identifier: MIT
// fftconv/plan.hpp — a complete, checked decision: plain data to print, compare, store and rerun.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/error.hpp"
#include "fftconv/machine.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// Bytes a run holds, by purpose ("image spectra").
struct MemoryItem {
  std::string what;
  std::int64_t bytes = 0;
  friend bool operator==(const MemoryItem&, const MemoryItem&) = default;
};

/// The item for what every thread of a run holds; a plan counts it once.
inline constexpr std::string_view kThreadScratch = "scratch of a thread";

/// Returns the sum of all items, in bytes.
std::int64_t sum_of(const std::vector<MemoryItem>& items);

/// Most planes that are copied to or from a GPU at once: the limit of a launch.
inline constexpr std::int64_t kMaxBatchPlanes = 32768;

/// How the result is cut into tiles and turns; in-core, there is one of each.
struct Cut {
  Extent3 result;               ///< voxels that are finished at once: a turn's z, a tile's y and x
  bool keep_transfer = false;   ///< the kernel's columns are transformed once and kept
  bool direct_z = false;        ///< thin kernels: sum over z plane by plane, without transform
  std::int64_t parts = 0;       ///< frequency parts R (decimation.hpp); 0: not decimated
  bool along_y = false;         ///< the work problem swaps z and y
  bool parts_on_disk = false;   ///< finished parts are kept in a scratch file
  bool fold_on_device = false;  ///< the GPU folds and unfolds; image and result are in its memory
  std::int64_t batch_planes = 0;     ///< copied to or from a GPU at once; 0: host, sums
  FftLibrary fft = FftLibrary::own;  ///< transforms the lines
  friend bool operator==(const Cut&, const Cut&) = default;
};

/// A way to do the work, and why the planner chose it or not.
struct Candidate {
  Place where = Place::host;
  Strategy strategy = Strategy::in_core;
  Extent3 transform;
  Cut cut;
  std::int64_t memory_bytes = 0;              ///< of the host, with memory that is pinned for a GPU
  std::int64_t device_bytes = 0;              ///< of the GPU's memory
  std::int64_t up_bytes = 0, down_bytes = 0;  ///< over the link to a GPU
  double seconds = 0;                         ///< predicted for all cores of the machine
  std::int64_t read_bytes = 0;                ///< of the image, halos and repeated reads included
  std::int64_t written_bytes = 0;             ///< of the result
  std::int64_t scratch_bytes = 0;             ///< room for intermediate data on disk
  std::string verdict;                        ///< "chosen", or the reason against it
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// Can be copied, printed, compared and stored with the result.
struct Plan {
  Problem problem;
  Place where = Place::host;
  Strategy strategy = Strategy::in_core;
  /// The problem with z and y swapped, if the image is one plane or parts lie along y; otherwise
  /// equal to `problem`.
  Problem work;
  Extent3 transform;                      ///< T planes of Ny x Nx, for `work`
  Cut cut;                                ///< of the result of `work`
  std::vector<MemoryItem> memory;         ///< of the host, at the peak
  std::vector<MemoryItem> device_memory;  ///< of the GPU; empty for a plan of the host
  std::vector<Candidate> candidates;
  Machine machine;

  /// Returns the candidate that was chosen; null if the plan does not list it.
  [[nodiscard]] const Candidate* chosen() const;
  [[nodiscard]] std::int64_t memory_bytes() const;
  [[nodiscard]] std::int64_t device_bytes() const;
  friend bool operator==(const Plan&, const Plan&) = default;
};

/// Chooses strategy and sizes. Pure: the same arguments give the same plan on every host.
///
/// `parts` fixes their number where strategy `parts` is wanted; 0 leaves it to the planner.
/// `stage_bytes` is the memory of other stages before or after the convolution, when its buffers do
/// not exist: a smaller budget is refused as well.
///
/// @throws InvalidSpec  the problem is not valid (require_valid), or `parts` is no number of parts.
/// @throws PlanError    no strategy fits `machine`, naming the smallest budget that would do, or
///                      `wanted` is not available.
/// @throws OutOfDeviceMemory  a GPU must be used, and no plan fits its memory budget.
[[nodiscard]] Plan plan_convolution(const Problem& problem, const Machine& machine,
                                    Strategy wanted = Strategy::automatic, std::int64_t parts = 0,
                                    std::int64_t stage_bytes = 0);

/// Returns how often a run of `plan` reads a voxel of the image, on average: more than once where
/// tiles overlap, parts share the image, or several terms use it.
[[nodiscard]] double image_reads(const Plan& plan);

/// Returns how many of `threads` threads a run of `plan` has memory for, on the machine of the
/// plan.
[[nodiscard]] int threads_that_fit(const Plan& plan, int threads);

/// Checks that `machine` can run `plan`, with `stage_bytes` of other stages (plan_convolution).
/// @throws PlanError  the plan or a stage needs more memory than `machine` has; names the smallest
///                    budget that is enough.
/// @throws InvalidSpec  its transforms are of a library that this build lacks, or of another one
///                      than `machine` allows.
/// @throws CudaError  `plan` is for a GPU that this machine lacks.
/// @throws OutOfDeviceMemory  the plan needs more than the budget of the GPU.
void require_fits(const Plan& plan, const Machine& machine, std::int64_t stage_bytes = 0);

/// Checks that `plan` was made for `problem`.
/// @throws InvalidSpec  `plan` is for another problem; names the first difference. Another size of
///                      stored voxels is accepted, because it changes only the predicted time.
void require_for(const Plan& plan, const Problem& problem);

/// Returns the plan as sentences and a table of candidates, for people.
[[nodiscard]] std::string explain(const Plan& plan);

/// Is thrown if a plan needs more memory than the budget of the host. A caller with several plans
/// rethrows the one with the largest least_budget_bytes.
struct MemoryTooSmall : PlanError {
  MemoryTooSmall(const std::string& what, std::int64_t least_budget)
      : PlanError{what}, least_budget_bytes{least_budget} {}
  std::int64_t least_budget_bytes;  ///< smallest budget that is enough; the message rounds it up
};

/// Returns the plan as JSON, complete and compact: the same plan means the same text.
/// plan_from_json gives an equal plan back.
[[nodiscard]] std::string to_json(const Plan& plan);

/// @throws InvalidInput  not a plan of a version this program reads, or inconsistent.
[[nodiscard]] Plan plan_from_json(std::string_view text);

}  // namespace synthoscope::fftconv

// SPDX-License-Identifier: MIT
// fftconv/plan.hpp — a complete, checked decision: plain data to print, compare, store and rerun.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "fftconv/machine.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// Bytes a run holds, by purpose ("image spectra").
struct MemoryItem {
  std::string what;
  std::int64_t bytes = 0;
  friend bool operator==(const MemoryItem&, const MemoryItem&) = default;
};

/// Of all of them, in bytes.
std::int64_t sum_of(const std::vector<MemoryItem>& items);

/// Planes that can travel to or from a GPU at once: a launch takes no more.
inline constexpr std::int64_t kMostBatchPlanes = 32768;

/// How the result is cut. In-core it is not: one tile, one turn.
struct Cut {
  Extent3 result;  ///< voxels that come out at once: planes of a turn, and a tile's y, x
  bool keep_transfer = false;     ///< the kernel's columns are transformed once and kept
  bool direct_z = false;          ///< thin kernels: summed along z plane by plane, not transformed
  std::int64_t parts = 0;         ///< frequency parts R (decimation.hpp); 0: not decimated
  bool along_y = false;           ///< rows play planes: the work problem swaps z and y
  bool parts_on_disk = false;     ///< finished parts wait in a scratch file
  bool fold_on_device = false;    ///< by the GPU that convolves them, with image and result there
  std::int64_t batch_planes = 0;  ///< that travel to or from a GPU at once; 0: host, sums
  friend bool operator==(const Cut&, const Cut&) = default;
};

/// One way the work could be done, and why it is or is not the one.
struct Candidate {
  Place where = Place::host;
  Strategy strategy = Strategy::in_core;
  Extent3 transform;
  Cut cut;
  std::int64_t memory_bytes = 0;              ///< of the host, what is pinned for a GPU included
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
  /// The problem with z and y swapped where the image is flat, so that its rows play planes, or
  /// where parts lie along y; else `problem`.
  Problem work;
  Extent3 transform;                      ///< T planes of Ny x Nx, for `work`
  Cut cut;                                ///< of the result of `work`
  std::vector<MemoryItem> memory;         ///< everything the host holds at the peak
  std::vector<MemoryItem> device_memory;  ///< everything the GPU holds; nothing on the host
  std::vector<Candidate> candidates;
  Machine machine;

  /// The candidate that this is; null for a plan that was made elsewhere and says nothing of it.
  [[nodiscard]] const Candidate* chosen() const;
  [[nodiscard]] std::int64_t memory_bytes() const;
  [[nodiscard]] std::int64_t device_bytes() const;
  friend bool operator==(const Plan&, const Plan&) = default;
};

/// Chooses strategy and sizes. Pure: the same arguments give the same plan on every host.
///
/// `parts` fixes their number where strategy `parts` is wanted; 0 leaves it to the planner.
/// `stage_bytes` are what other stages hold before or after the convolution, when its buffers are
/// not there: a budget below them is refused too.
///
/// @throws InvalidSpec  the problem is not valid (require_valid), or `parts` is no number of parts.
/// @throws PlanError    no strategy fits `machine`, naming the smallest budget that would do, or
///                      `wanted` is not available.
/// @throws OutOfDeviceMemory  so, where a GPU must be used and its budget is what lacks.
[[nodiscard]] Plan plan_convolution(const Problem& problem, const Machine& machine,
                                    Strategy wanted = Strategy::automatic, std::int64_t parts = 0,
                                    std::int64_t stage_bytes = 0);

/// @throws PlanError  `plan` needs more than `machine` has, or `stage_bytes` (plan_convolution)
///                    are more, naming the smallest budget that would do.
/// @throws CudaError  it is for a GPU that is not here; OutOfDeviceMemory beyond this one's budget.
void require_fits(const Plan& plan, const Machine& machine, std::int64_t stage_bytes = 0);

/// @throws InvalidSpec  `plan` is for another problem, naming the first difference. Other bytes of
///                      voxels cost other seconds, but the plan does as well.
void require_for(const Plan& plan, const Problem& problem);

/// The plan in sentences and a table of candidates, for people.
[[nodiscard]] std::string explain(const Plan& plan);

}  // namespace synthoscope::fftconv

// SPDX-License-Identifier: MIT
// fftconv/plan.hpp — a complete, checked decision: plain data to print, compare, store and rerun.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// Lines of a transform of at most as many complex values form a class; the last one is the rest.
inline constexpr std::array<std::int64_t, 3> kLineClasses{64, 512, 4096};

/// What all cores of a machine do in a second. The defaults are a reference machine: transforms as
/// on two cores with AVX2, nominal memory and disk; plans without a record are equal everywhere.
struct MachineRates {
  std::int64_t cores = 2;                 ///< that the rates below are of
  double memory_bytes_per_second = 2e10;  ///< read and written, streaming
  double disk_read_bytes_per_second = 1e9, disk_write_bytes_per_second = 5e8;
  /// Seconds that transforms take over what line_cost says of one reference core, by class.
  std::array<double, kLineClasses.size() + 1> line_factor{1.35, 1.35, 1.35, 1.35};
  friend bool operator==(const MachineRates&, const MachineRates&) = default;
};

/// What the planner knows of the machine. Not the number of threads that a run is given: results
/// must not depend on it.
struct Machine {
  std::int64_t host_bytes = 0;     ///< budget for buffers
  std::int64_t process_bytes = 0;  ///< beside them: what the process and its other stages hold
  MachineRates rates = {};
  friend bool operator==(const Machine&, const Machine&) = default;
};

/// Bytes a run holds, by purpose ("image spectra").
struct MemoryItem {
  std::string what;
  std::int64_t bytes = 0;
  friend bool operator==(const MemoryItem&, const MemoryItem&) = default;
};

/// How the result is cut. In-core it is not: one tile, one turn.
struct Cut {
  Extent3 result;  ///< voxels that come out at once: planes of a turn, and a tile's y, x
  bool keep_transfer = false;  ///< the kernel's columns are transformed once and kept
  bool direct_z = false;       ///< thin kernels: summed along z plane by plane, not transformed
  std::int64_t parts = 0;      ///< frequency parts R (decimation.hpp); 0: not decimated
  bool along_y = false;        ///< rows play planes: the work problem swaps z and y
  bool parts_on_disk = false;  ///< finished parts wait in a scratch file
  friend bool operator==(const Cut&, const Cut&) = default;
};

/// One way the work could be done, and why it is or is not the one.
struct Candidate {
  Strategy strategy = Strategy::in_core;
  Extent3 transform;
  Cut cut;
  std::int64_t memory_bytes = 0;
  double seconds = 0;              ///< predicted for all cores of the machine
  std::int64_t read_bytes = 0;     ///< of the image, halos and repeated reads included
  std::int64_t written_bytes = 0;  ///< of the result
  std::int64_t scratch_bytes = 0;  ///< room for intermediate data on disk
  std::string verdict;             ///< "chosen", or the reason against it
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// Copy it, print it, compare it, store it beside the result.
struct Plan {
  Problem problem;
  Strategy strategy = Strategy::in_core;
  /// The problem with z and y swapped where the image is flat, so that its rows play planes, or
  /// where parts lie along y; else `problem`.
  Problem work;
  Extent3 transform;               ///< T planes of Ny x Nx, for `work`
  Cut cut;                         ///< of the result of `work`
  std::vector<MemoryItem> memory;  ///< everything held at the peak
  std::vector<Candidate> candidates;
  Machine machine;

  [[nodiscard]] std::int64_t memory_bytes() const;
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
[[nodiscard]] Plan plan_convolution(const Problem& problem, const Machine& machine,
                                    Strategy wanted = Strategy::automatic, std::int64_t parts = 0,
                                    std::int64_t stage_bytes = 0);

/// @throws PlanError  `plan` needs more than `machine` has, or `stage_bytes` (plan_convolution)
///                    are more, naming the smallest budget that would do.
void require_fits(const Plan& plan, const Machine& machine, std::int64_t stage_bytes = 0);

/// @throws InvalidSpec  `plan` is for another problem, naming the first difference. Other bytes of
///                      voxels cost other seconds, but the plan does as well.
void require_for(const Plan& plan, const Problem& problem);

/// The plan in sentences and a table of candidates, for people.
[[nodiscard]] std::string explain(const Plan& plan);

}  // namespace synthoscope::fftconv

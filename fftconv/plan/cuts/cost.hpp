// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/cost.hpp — what a run costs on a machine, and which lengths are worth
// considering.
#pragma once
#include <cstdint>
#include <vector>
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv {

/// Start of the program, opening of files, planning: of a run on the host.
inline constexpr double kStartSeconds = 0.025;

/// Nanoseconds per complex value of one transform of `length` (a product of 2, 3, 5, 7) in single
/// precision on one reference core.
double line_cost(std::int64_t length);

/// The few lengths >= `least` whose total cost is lowest, cheapest first; never empty.
std::vector<std::int64_t> candidate_lengths(std::int64_t least);

/// Returns the seconds of all cores for `values` complex values in transforms of `length`; each
/// value costs a reference core `besides` nanoseconds more.
double line_seconds(double values, std::int64_t length, Precision precision,
                    const MachineRates& rates, double besides = 0);

/// Seconds of all cores for `values` values that take one reference core `nanoseconds` each, with
/// what the machine's cores do on lines of `length`.
double value_seconds(double values, double nanoseconds, Precision precision,
                     const MachineRates& rates, std::int64_t length = 1);

/// Bytes that a run moves between disk and memory, and the seconds of its arithmetic.
struct RunCost {
  double compute_seconds = 0;
  std::int64_t read_bytes = 0, written_bytes = 0;  ///< of image and result
  std::int64_t scratch_bytes = 0;                  ///< room on disk
  double scratch_moved_bytes = 0;                  ///< written to the scratch and read from it
  /// IntervalSet of the run that are computed while others are read and written. One where threads
  /// read and write what they compute, as in run_cost: a thread that waits does not compute.
  std::int64_t blocks = 1;
};

/// Cost of a run by planes and columns: in-core, in a ring or in tiles.
RunCost pass_cost(const Layout& layout, const Problem& work, const Cut& cut,
                  const MachineRates& rates);

/// Cost of any run, with the pieces that wait on disk for a sink that takes planes in order.
RunCost run_cost(const Layout& layout, const Problem& work, const Cut& cut,
                 const MachineRates& rates);

/// The bytes of any run alone, wherever it computes.
RunCost disk_traffic(const Layout& layout, const Problem& work, const Cut& cut,
                     const MachineRates& rates);

/// Seconds of all cores for `bytes` between the system's cache of files and the program.
double file_copy_seconds(double bytes, const MachineRates& rates);

/// Seconds of all cores for `folded` voxels to join one part each, and `unfolded` ones to be
/// joined.
double folding_seconds(double folded, double unfolded, Precision precision,
                       const MachineRates& rates);

/// Of a run in frequency parts.
RunCost parts_cost(const Layout& layout, const Problem& work, const Cut& cut,
                   const MachineRates& rates);

/// Blocks are read, computed and written in turn, each stage at the same time as the others: the
/// longest stage decides, before it the first block comes in and after it the last goes out.
double run_seconds(const RunCost& cost, const MachineRates& rates);

/// Enters what `cost` says into `candidate`.
void set_cost(Candidate& candidate, const RunCost& cost, const MachineRates& rates);

}  // namespace synthoscope::fftconv

// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/cost.hpp — the cost of a run on a machine, and the cheapest lengths of lines.
#pragma once
#include <cstdint>
#include <vector>
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv {

/// Seconds for the start of the program, opening files and planning, for a run on the host.
inline constexpr double kStartSeconds = 0.025;

/// Returns the nanoseconds per complex value of a transform of `length` (a product of 2, 3, 5, 7)
/// in single precision on one reference core.
double line_cost(std::int64_t length);

/// Returns the few lengths >= `least` with the lowest total cost, cheapest first; never empty.
std::vector<std::int64_t> candidate_lengths(std::int64_t least);

/// Returns the seconds of all cores for `values` complex values in transforms of `length` by
/// `library`, and for `besides` further nanoseconds of a reference core per value.
double line_seconds(double values, std::int64_t length, Precision precision,
                    const MachineRates& rates, FftLibrary library = FftLibrary::own,
                    double besides = 0);

/// Returns the seconds of all cores for `values` values of `nanoseconds` each on one reference
/// core, at the rate of the machine's cores for lines of `length`.
double value_seconds(double values, double nanoseconds, Precision precision,
                     const MachineRates& rates, std::int64_t length = 1);

/// Bytes that a run moves between disk and memory, and the seconds of its arithmetic.
struct RunCost {
  double compute_seconds = 0;
  std::int64_t read_bytes = 0, written_bytes = 0;  ///< of image and result
  std::int64_t scratch_bytes = 0;                  ///< room on disk
  double scratch_moved_bytes = 0;                  ///< written to the scratch and read from it
  double read_calls = 0, write_calls = 0;          ///< pieces of image and result in their files
  /// Number of blocks whose computing overlaps the reading and writing of others. 1 if each thread
  /// reads and writes what it computes, as in run_cost: a thread that waits does not compute.
  std::int64_t blocks = 1;
};

/// Returns the cost of a run by planes and columns: in-core, in a ring or in tiles.
RunCost pass_cost(const Layout& layout, const Problem& work, const Cut& cut,
                  const MachineRates& rates);

/// Returns the cost of any run, with pieces that wait on disk for a sink that takes planes in
/// order.
RunCost run_cost(const Layout& layout, const Problem& work, const Cut& cut,
                 const MachineRates& rates);

/// Returns only the bytes of a run, on the host or on a GPU.
RunCost disk_traffic(const Layout& layout, const Problem& work, const Cut& cut,
                     const MachineRates& rates);

/// Returns the seconds of all cores for so many calls that read or write a piece of a file.
double file_call_seconds(double calls, const MachineRates& rates);

/// Returns the seconds of all cores for copying `bytes` between the page cache and the program.
double file_copy_seconds(double bytes, const MachineRates& rates);

/// Returns the seconds of all cores for folding `folded` voxels into one part each, and unfolding
/// `unfolded` voxels.
double folding_seconds(double folded, double unfolded, Precision precision,
                       const MachineRates& rates);

/// Returns the cost of a run in frequency parts.
RunCost parts_cost(const Layout& layout, const Problem& work, const Cut& cut,
                   const MachineRates& rates);

/// Returns the seconds of a run that reads, computes and writes blocks at the same time: those of
/// the slowest stage, and of reading the first and writing the last block.
double run_seconds(const RunCost& cost, const MachineRates& rates);

/// Sets the bytes and seconds of `candidate`.
void set_cost(Candidate& candidate, const RunCost& cost, const MachineRates& rates);

}  // namespace synthoscope::fftconv

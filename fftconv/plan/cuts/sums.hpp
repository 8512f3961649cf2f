// SPDX-License-Identifier: MIT
// fftconv/plan/cuts/sums.hpp — convolution by sums over the kernel's voxels instead of transforms:
// strategies direct and separable, done by the operations of kernels/.
#pragma once
#include <memory>
#include <string>
#include <vector>
#include "core/run/stop.hpp"
#include "fftconv/plan.hpp"
#include "kernels/operation/operation.hpp"

namespace synthoscope::fftconv {

/// True for direct and separable.
constexpr bool is_by_sums(Strategy strategy) {
  return strategy == Strategy::direct || strategy == Strategy::separable;
}

/// A kernel of more voxels is not summed, nor looked at for a product.
inline constexpr std::int64_t kMaxSummed = std::int64_t{1} << 18;

/// Returns the weights of a kernel, scale * (voxel - background), in z, y, x order. @throws as
/// for_each_row
std::vector<double> weights_of(const Kernel& kernel, const StopFlag& stop);

/// True if they are a product of weights along the axes. False for more voxels than kMaxSummed,
/// which are not read. @throws as weights_of
bool is_product(const Kernel& kernel, const StopFlag& stop);

/// The same for weights in memory. @throws InvalidSpec  a weight is not finite.
bool is_product(const Extent3& extent, std::vector<double> weights);

/// Returns the reason why a problem cannot be summed, as a sentence; empty if it can.
std::string why_no_sums(const Problem& problem, Strategy strategy);

/// The operation that makes the results of `problem`, in its precision, from the kernel's weights
/// in their own order. Results are counted from the first one on, as in the file of the result.
/// Its working memory has room for a plane of results as the sink takes them, for each thread.
/// @throws InvalidSpec  separable, and the weights are no product.
std::unique_ptr<kernels::Operation> make_sums(const Problem& problem, Strategy strategy,
                                              std::vector<double> weights);

/// Returns operations of such a problem; their memory does not depend on the weights.
std::vector<std::unique_ptr<kernels::Operation>> any_sums(const Problem& problem,
                                                          Strategy strategy);

/// Everything that a run of such a plan on the host holds with one thread.
std::vector<MemoryItem> sums_memory(const Problem& problem, Strategy strategy,
                                    const Extent3& brick);

/// Predicted seconds of all cores for sums that take a thread `kernel_seconds` for a voxel, as
/// kernels/filters/filter.hpp counts them.
double sums_seconds(std::int64_t voxels, double kernel_seconds, const MachineRates& rates);

/// Returns the cut for `host_bytes`, or the smallest one if that is not enough; none if the problem
/// cannot be summed.
std::vector<Candidate> sums_candidates(const Problem& problem, Strategy strategy,
                                       const MachineRates& rates, std::int64_t host_bytes);

}  // namespace synthoscope::fftconv

// SPDX-License-Identifier: MIT
// fftconv/certify/certify.hpp — recomputes chosen voxels of a result by direct sums in double.
#pragma once
#include <cstdint>
#include <string>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// The errors of a result at recomputed voxels.
struct Certificate {
  std::string by;                     ///< "direct sums", or a library and its version
  std::int64_t voxels = 0;            ///< recomputed
  double largest_error = 0;           ///< |stored - recomputed|, over all of them
  Index3 worst;                       ///< voxel with the largest error
  double stored = 0, recomputed = 0;  ///< values of that voxel
  double peak = 0;  ///< largest sum |f| |g| over the recomputed voxels; errors are relative to it
  double tolerance = 0;  ///< of largest_error: 1e-6 or 1e-14 of peak, and the rounding of the type
  [[nodiscard]] bool holds() const { return largest_error <= tolerance; }
};

/// Returns the memory of certify.
std::int64_t certify_bytes(const Problem& problem, std::int64_t count, int threads);

/// Recomputes `count` voxels of `result`: half of them anywhere (a function of `seed`), half among
/// the brightest 1 %. Reads the image plane by plane around each voxel.
///
/// @param result  stored result of `term`; integers are compared after StoreAs rounds and clips
/// @throws InvalidSpec  `count` < 1, or the result's extent is not the problem's.
/// @throws PlanError    the budget is smaller than certify_bytes.
Certificate certify(const Problem& problem, const Term& term, Source& result, std::int64_t count,
                    std::uint64_t seed, const RunContext& context);

}  // namespace synthoscope::fftconv

// SPDX-License-Identifier: MIT
// fftconv/planes/certify.hpp — recomputes chosen voxels of a result by direct sums in double.
#pragma once
#include <cstdint>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::fftconv {

/// What a certificate says.
struct Certificate {
  std::int64_t voxels = 0;            ///< recomputed
  double largest_error = 0;           ///< |stored - recomputed|, over all of them
  Index3 worst;                       ///< where
  double stored = 0, recomputed = 0;  ///< there
  double peak =
      0;  ///< largest sum |f| |g| over the recomputed voxels: what errors are held against
  double tolerance =
      0;  ///< allowed largest_error: 1e-6 or 1e-14 of peak, plus rounding of the type
  [[nodiscard]] bool holds() const { return largest_error <= tolerance; }
};

/// What certify holds at once.
std::int64_t certify_bytes(const Problem& problem, std::int64_t count, int threads);

/// Recomputes `count` voxels of `result`: half of them anywhere (a function of `seed`), half among
/// the brightest 1 %. Reads the image plane by plane around each voxel.
///
/// @param result  what was stored for `term`; integer types are compared after rounding and
///                clipping as StoreAs does.
/// @throws InvalidSpec  `count` < 1, or the result's extent is not the problem's.
/// @throws PlanError    certify_bytes are beyond the budget.
Certificate certify(const Problem& problem, const Term& term, Source& result, std::int64_t count,
                    std::uint64_t seed, const RunContext& context);

}  // namespace synthoscope::fftconv

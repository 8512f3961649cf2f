// SPDX-License-Identifier: MIT
// imageio/image/statistics.hpp — smallest, largest, mean and spread of a volume in one pass over
// it.
#pragma once
#include <cstdint>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::imageio {

/// Figures of the finite voxels; minimum, maximum, mean and deviation are 0 when there is none.
struct Statistics {
  std::int64_t count = 0;      ///< voxels, finite or not
  std::int64_t nonfinite = 0;  ///< NaN and infinities
  std::int64_t nan = 0;        ///< of these, NaN
  [[nodiscard]] bool has_finite() const { return nonfinite < count; }
  double min = 0, max = 0;
  double mean = 0;
  double standard_deviation = 0;  ///< of the population: divides by the number of finite voxels
};

/// Reads every voxel once, bands of rows at a time, on the context's threads. Partial sums are
/// joined in a fixed order: the result does not depend on the number of threads.
/// Holds at most one band (8 MiB or one row) per thread.
/// @throws IoError, InvalidInput  from the source.
/// @throws PlanError              the memory budget has no room for the bands.
/// @throws Interrupted
/// @source  pairwise update of mean and second moment: Chan, Golub and LeVeque, The American
///          Statistician 37 (1983) 242, doi:10.1080/00031305.1983.10483115.
Statistics statistics(Source& source, RunContext& context);

}  // namespace synthoscope::imageio

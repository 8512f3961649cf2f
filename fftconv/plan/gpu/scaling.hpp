// SPDX-License-Identifier: MIT
// fftconv/plan/gpu/scaling.hpp — what more GPUs, and more machines, would make of a plan.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>
#include "core/stream/stream.hpp"
#include "fftconv/plan.hpp"

namespace synthoscope::fftconv::device {

/// A plan carried out by `machines` alike, each with as many GPUs (--gpus) and a shard of the steps
/// (--shard).
struct Crew {
  std::int64_t gpus = 1, machines = 1;
  friend bool operator==(const Crew&, const Crew&) = default;
};

struct ScaledRun {
  Crew crew;
  double seconds = 0;      ///< predicted
  std::string_view bound;  ///< what takes longest: "the links", "the GPUs", ...
};

/// Predictions for a plan whose steps can be shared out: a ring or tiles on a GPU; none for others.
///
/// The links of one machine meet in its host memory. As measured on hosts of H200, two carry 1.43
/// times and four 1.67 times what one does, and more no more (docs/benchmarks/many-gpus.md). Each
/// machine has memory and storage as fast as this one's. A GPU that begins within the volume reads
/// the halo before it once more.
std::vector<ScaledRun> scaled_runs(const Plan& plan, const std::vector<Crew>& crews);

/// Returns `plan` with batches for each of so many GPUs of a machine. Where the host copies voxels
/// of the image or the result, they are at most as large as most_batch_planes says.
Plan with_batches_for(std::int64_t gpus, Plan plan, std::span<const Term> terms, Sink& sink);

}  // namespace synthoscope::fftconv::device

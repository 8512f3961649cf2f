// SPDX-License-Identifier: MIT
// core/volume/batches.hpp — the planes of a run in the order in which they travel.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>
#include "core/volume/interval.hpp"

namespace synthoscope {

/// Batches in flight each way: one travels while another is computed and a third is filled.
inline constexpr int kBatches = 3;

/// Planes that travel at once.
struct Batch {
  std::size_t of = 0;  ///< whose planes they are, as the run counts: an input, a tile
  Interval planes;
  friend bool operator==(const Batch&, const Batch&) = default;
};

/// All of `takes` must be there before the step is computed; it leaves what `gives` takes away.
struct PipelineStep {
  std::vector<Batch> inputs, outputs;
};

/// Appends stretches that cover `planes` one after the other; from plane p on, `together(p, n)` of
/// the n that are left travel at once.
inline void add_batches(std::vector<Batch>& batches, std::size_t of, const Interval& planes,
                        const std::function<std::int64_t(std::int64_t, std::int64_t)>& together) {
  for (std::int64_t first = planes.first; first < planes.end();) {
    const Interval batch{first, together(first, planes.end() - first)};
    batches.push_back({of, batch});
    first = batch.end();
  }
}

}  // namespace synthoscope

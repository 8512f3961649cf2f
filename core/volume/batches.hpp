// SPDX-License-Identifier: MIT
// core/volume/batches.hpp — the planes of a run in the order in which they are copied to a device
// and back.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>
#include "core/volume/interval.hpp"

namespace synthoscope {

/// Batches in flight each way: one is copied while another is computed and a third is filled.
inline constexpr int kBatches = 3;

/// Planes that are copied at once.
struct Batch {
  std::size_t of = 0;  ///< number of the input or of the tile that has these planes
  Interval planes;
  friend bool operator==(const Batch&, const Batch&) = default;
};

/// A step of a pipeline on a device.
struct PipelineStep {
  std::vector<Batch> inputs;   ///< must be on the device before the step is computed
  std::vector<Batch> outputs;  ///< can be copied from the device after the step is computed
};

/// Appends batches that cover `planes` one after the other: of the n planes from plane p on,
/// `together(p, n)` are one batch.
inline void add_batches(std::vector<Batch>& batches, std::size_t of, const Interval& planes,
                        const std::function<std::int64_t(std::int64_t, std::int64_t)>& together) {
  for (std::int64_t first = planes.first; first < planes.end();) {
    const Interval batch{first, together(first, planes.end() - first)};
    batches.push_back({of, batch});
    first = batch.end();
  }
}

}  // namespace synthoscope

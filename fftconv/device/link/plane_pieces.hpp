// SPDX-License-Identifier: MIT
// fftconv/device/link/plane_pieces.hpp — planes that all threads of the host read or finish at
// once.
#pragma once
#include <algorithm>
#include "core/run/stop.hpp"
#include "core/run/task_pool.hpp"
#include "core/volume/interval.hpp"
#include "fftconv/plan/gpu/layout.hpp"

namespace synthoscope::fftconv::device {

/// Rows of a plane that one thread reads or finishes at once; a multiple of what epilogues align
/// to.
inline constexpr std::int64_t kRowsTogether = 256;

/// Calls `body(plane, first row, rows)` for pieces of at most `together` rows of `planes` planes.
template <class Body>
void for_pieces(TaskPool& pool, std::int64_t planes, std::int64_t rows, std::int64_t together,
                Body&& body) {
  const std::int64_t pieces = (rows + together - 1) / together;
  pool.for_each(planes * pieces, [&](std::int64_t i) {
    const std::int64_t first = i % pieces * together;
    body(i / pieces, first, std::min(together, rows - first));
  });
}

/// The share of a pool for loops whose threads mostly wait for a link. If other loops run at the
/// same time, all get equal shares, because waiting threads would keep them from working.
class ThreadShare {
 public:
  /// Calls `body(i)` with at most `most` threads at the same time, once in each.
  template <class Body>
  void for_each_thread(TaskPool& pool, std::int64_t most, Body&& body) {
    const int before = pool.loops(), loops = 1 + std::max(before, beside_);
    pool.for_each(std::min<std::int64_t>(most, std::max(1, pool.threads() / loops)), body);
    beside_ = std::max(before, pool.loops());
  }

 private:
  int beside_ = 0;  ///< loops that ran beside the last one
};

/// Calls `body(batch)` for batches of at most `together` of `planes`, in order.
template <class Body>
void for_batches(const Interval& planes, std::int64_t together, const StopFlag& stop, Body&& body) {
  for (std::int64_t first = planes.first; first < planes.end(); first += together) {
    stop.check();
    body(Interval{first, std::min(together, planes.end() - first)});
  }
}

}  // namespace synthoscope::fftconv::device

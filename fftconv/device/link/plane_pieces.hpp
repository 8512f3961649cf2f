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

/// Returns the rows of about a MiB, a multiple of kRowsTogether: a file is written in large pieces.
constexpr std::int64_t rows_to_write(std::int64_t row_bytes) {
  constexpr std::int64_t kBytes = std::int64_t{1} << 20;
  return std::max<std::int64_t>(1, kBytes / row_bytes / kRowsTogether) * kRowsTogether;
}

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

/// Calls `body(batch)` for batches of at most `together` of `planes`, in order.
template <class Body>
void for_batches(const Interval& planes, std::int64_t together, const StopFlag& stop, Body&& body) {
  for (std::int64_t first = planes.first; first < planes.end(); first += together) {
    stop.check();
    body(Interval{first, std::min(together, planes.end() - first)});
  }
}

}  // namespace synthoscope::fftconv::device

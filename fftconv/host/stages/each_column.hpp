// SPDX-License-Identifier: MIT
// fftconv/host/stages/each_column.hpp — a loop over the columns of all planes, handed out to
// threads.
#pragma once
#include <algorithm>
#include <span>
#include "core/run/run_context.hpp"
#include "fftconv/host/stages/scratch.hpp"

namespace synthoscope::fftconv {

/// Calls `body(column, scratch)` for every column of lane elements, in parallel. A task is a
/// stretch of columns that a thread finishes within a fraction of a second.
template <class Real, class Body>
void for_each_column(const Layout& layout, std::int64_t element, std::span<Scratch<Real>> scratch,
                     const RunContext& context, Body&& body) {
  const std::int64_t columns = layout.column_reals / element;
  const std::int64_t grain =
      std::clamp<std::int64_t>((std::int64_t{1} << 16) / layout.transform.z, 1, columns);
  context.pool.for_ranges(columns, grain, [&](std::int64_t begin, std::int64_t end) {
    context.stop.check();
    const Scratch<Real>& s = scratch[static_cast<std::size_t>(TaskPool::slot())];
    for (std::int64_t column = begin; column < end; ++column) body(column, s);
    context.progress.advance(end - begin);
  });
}

}  // namespace synthoscope::fftconv

// SPDX-License-Identifier: MIT
// kernels/lanes/counted_doubles.hpp — working memory of doubles, counted before it is allocated.
#pragma once
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/run/host_buffer.hpp"

namespace synthoscope::kernels {

/// @param what  such as "correlate lines"
/// @throws PlanError  fewer than `bytes` are left; names a sufficient budget.
inline void require_room(const MemoryBudget& memory, std::int64_t bytes, std::string_view what) {
  const std::int64_t left = memory.limit() - memory.used();
  if (bytes > left)
    throw PlanError(fmt::format(
        "{}: {} are needed in addition to the arrays, {} are left; give --memory {} "
        "or more",
        what, print_bytes(bytes), print_bytes(left), size_of_at_least(memory.used() + bytes)));
}

/// @throws PlanError  as require_room.
inline HostBuffer<double> counted_doubles(MemoryBudget& memory, std::int64_t count,
                                          std::string_view what) {
  require_room(memory, count * std::int64_t{sizeof(double)}, what);
  return {memory, count, what};
}

}  // namespace synthoscope::kernels

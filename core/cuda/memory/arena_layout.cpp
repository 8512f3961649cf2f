// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/cuda/memory/arena.hpp"

namespace synthoscope::cuda {

std::int64_t ArenaLayout::add(std::int64_t bytes, std::string_view name) {
  std::int64_t end = 0;
  if (bytes < 0 || __builtin_add_overflow(bytes_, bytes, &end) ||
      __builtin_add_overflow(end, kAlignment - 1, &end))
    throw PlanError(fmt::format(
        "lay out the memory of a GPU: {} bytes for {} are more than can be counted; use a smaller "
        "request",
        bytes, name));
  pieces_.push_back({std::string{name}, bytes_, bytes});
  bytes_ = end / kAlignment * kAlignment;
  return pieces_.back().offset_bytes;
}

}  // namespace synthoscope::cuda

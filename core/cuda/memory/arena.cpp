// SPDX-License-Identifier: MIT
#include "core/cuda/memory/arena.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"

namespace synthoscope::cuda {

std::byte* Arena::carve(std::int64_t bytes, std::string_view name) {
  const std::int64_t used = layout_.bytes();
  const std::int64_t offset = layout_.add(bytes, name);
  if (offset + bytes > memory_.bytes())
    throw PlanError(fmt::format(
        "allocate memory of GPU {}: {} needs {}, but {} of {} are in use; this is a defect of the "
        "plan, please report it",
        device().index, name, print_bytes(bytes), print_bytes(used), print_bytes(memory_.bytes())));
  return memory_.data() + offset;
}

}  // namespace synthoscope::cuda

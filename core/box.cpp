// SPDX-License-Identifier: MIT
#include "core/box.hpp"
#include <fmt/ostream.h>

namespace synthoscope {

std::ostream& operator<<(std::ostream& out, const Box3& box) {
  fmt::print(out, "{}", box);
  return out;
}

}  // namespace synthoscope

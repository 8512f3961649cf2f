// SPDX-License-Identifier: MIT
#include "core/extent.hpp"
#include <fmt/ostream.h>

namespace synthoscope {

std::ostream& operator<<(std::ostream& out, const Extent3& e) {
  fmt::print(out, "{}", e);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Index3& i) {
  fmt::print(out, "{}", i);
  return out;
}

}  // namespace synthoscope

// SPDX-License-Identifier: MIT
#include "core/volume/box.hpp"

namespace synthoscope {

std::ostream& operator<<(std::ostream& out, const Box3& box) {
  return out << fmt::format("{}", box);
}

}  // namespace synthoscope

auto fmt::formatter<synthoscope::Box3>::format(const synthoscope::Box3& b,
                                               fmt::format_context& context) const
    -> fmt::format_context::iterator {
  return fmt::format_to(context.out(), "{} at {}", b.size, b.origin);
}

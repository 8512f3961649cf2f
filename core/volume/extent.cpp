// SPDX-License-Identifier: MIT
#include "core/volume/extent.hpp"

namespace synthoscope {

std::ostream& operator<<(std::ostream& out, const Extent3& e) {
  return out << fmt::format("{}", e);
}

std::ostream& operator<<(std::ostream& out, const Index3& i) {
  return out << fmt::format("{}", i);
}

}  // namespace synthoscope

auto fmt::formatter<synthoscope::Extent3>::format(const synthoscope::Extent3& e,
                                                  fmt::format_context& context) const
    -> fmt::format_context::iterator {
  return fmt::format_to(context.out(), "{}x{}x{}", e.z, e.y, e.x);
}

auto fmt::formatter<synthoscope::Index3>::format(const synthoscope::Index3& i,
                                                 fmt::format_context& context) const
    -> fmt::format_context::iterator {
  return fmt::format_to(context.out(), "({}, {}, {})", i.z, i.y, i.x);
}

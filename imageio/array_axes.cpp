// SPDX-License-Identifier: MIT
#include "imageio/array_axes.hpp"
#include <cctype>

namespace synthoscope::imageio {

std::optional<ArrayAxes> axes_named(const std::string& letters) {
  ArrayAxes axes;
  for (int i = 0; i < static_cast<int>(letters.size()); ++i) {
    int* axis = nullptr;
    switch (std::tolower(static_cast<unsigned char>(letters[static_cast<std::size_t>(i)]))) {
      case 't':
        axis = &axes.t;
        break;
      case 'c':
        axis = &axes.c;
        break;
      case 'z':
        axis = &axes.z;
        break;
      case 'y':
        axis = &axes.y;
        break;
      case 'x':
        axis = &axes.x;
        break;
      default:
        return std::nullopt;
    }
    if (*axis >= 0) return std::nullopt;
    *axis = i;
  }
  const int last = static_cast<int>(letters.size()) - 1;
  if (axes.x != last || axes.y != last - 1) return std::nullopt;
  return axes;
}

}  // namespace synthoscope::imageio

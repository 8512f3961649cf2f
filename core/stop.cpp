// SPDX-License-Identifier: MIT
#include "core/stop.hpp"
#include "core/error.hpp"

namespace synthoscope {

void StopFlag::check() const {
  if (requested())
    throw Interrupted("the run was asked to stop before its result was whole; run it again");
}

}  // namespace synthoscope

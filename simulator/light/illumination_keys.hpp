// SPDX-License-Identifier: MIT
// simulator/light/illumination_keys.hpp — the keys of [illumination].
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/light/illumination.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_illumination_keys(Rows& rows) {
  rows.add("falloff", "", Range{0, 1},
           "share of the light that is missing in the corners; it increases with the "
           "square of the distance from the middle",
           &IlluminationSpec::falloff);
  rows.add_optional("none", "flat_field", "", kAny,
                    "image file of the grid's size along y and x that multiplies the "
                    "light, such as a measured flat field divided by its mean",
                    &IlluminationSpec::flat_field);
  rows.add("dose", "", Range{0, 1e6, true},
           "factor for all light, of objects and background: the power of the lamp",
           &IlluminationSpec::dose);
  rows.add("photons_per", "", kAny,
           "unit of the photons of objects and background: exposure, per exposure, "
           "however long it is; second, per second of camera.exposure_seconds",
           &IlluminationSpec::photons_per);
}

}  // namespace synthoscope::simulator

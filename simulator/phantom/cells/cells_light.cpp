// SPDX-License-Identifier: MIT
// simulator/phantom/cells/cells_light.cpp — the weight that a light gives to the structures of
// cells.
#include "simulator/phantom/cells/cells_kind.hpp"

namespace synthoscope::simulator {

double weight_of(const LightSpec& light, const Cell&, Structure structure) {
  switch (structure) {
    case Structure::filopodium:
      return light.filopodia;
    case Structure::membrane:
      return light.membrane;
    case Structure::cytoplasm:
      return light.cytoplasm;
    case Structure::nucleus:
    case Structure::nucleolus:
      return light.nuclei;
    case Structure::actin:
      return light.actin;
    case Structure::microtubule:
      return light.microtubules;
    case Structure::mitochondrion:
      return light.mitochondria;
    case Structure::vesicle:
      return light.vesicles;
    case Structure::spot:
      return light.spots;
    case Structure::none:
    case Structure::other:
      break;
  }
  return 0;
}

}  // namespace synthoscope::simulator

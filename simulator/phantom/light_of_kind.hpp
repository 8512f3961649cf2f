// SPDX-License-Identifier: MIT
// simulator/phantom/light_of_kind.hpp — the weight that a light gives to each kind of object and to
// each structure of cells.
#pragma once
#include <algorithm>
#include "simulator/phantom/beads/bead.hpp"
#include "simulator/phantom/cells/cell.hpp"
#include "simulator/phantom/light_spec.hpp"
#include "simulator/phantom/neurons/neuron.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"
#include "simulator/phantom/tissue/tissue.hpp"
#include "simulator/phantom/volume/region.hpp"

namespace synthoscope::simulator {

inline double weight_of(const LightSpec& light, const Nucleus&) {
  return light.nuclei;
}

inline double weight_of(const LightSpec& light, const Bead&) {
  return light.beads;
}

inline double weight_of(const LightSpec& light, const Region&) {
  return light.volume;
}

inline double weight_of(const LightSpec& light, const Neuron&) {
  return light.neuron;
}

/// Returns the largest weight of membrane, cytoplasm and nucleus; each has its own, see lit.
inline double light_of_cores(const LightSpec& light) {
  return std::max({light.membrane, light.cytoplasm, light.nuclei});
}

inline double weight_of(const LightSpec& light, const Cell&) {
  return light_of_cores(light);
}

inline double weight_of(const LightSpec& light, const TissueCell&) {
  return light_of_cores(light);
}

/// Returns the weight of a point, line, shell or star.
template <class Member>
double weight_of(const LightSpec& light, const Member&) {
  return light.target;
}

/// Returns the weight of strands of a structure.
inline double weight_of(const LightSpec& light, Structure structure) {
  switch (structure) {
    case Structure::none:
      return 0;
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
    case Structure::other:
      break;
  }
  return light.neuron;
}

/// Returns the figures of a cell's core under a light.
inline CellFigures lit(CellFigures figures, const LightSpec& light) {
  figures.membrane_photons *= light.membrane;
  figures.cytoplasm_photons *= light.cytoplasm;
  figures.nucleus_photons *= light.nuclei;
  return figures;
}

/// The same for tissue, except its nuclei.
inline TissueStain lit(TissueStain stain, const LightSpec& light) {
  stain.membrane_photons *= light.membrane;
  stain.cytoplasm_photons *= light.cytoplasm;
  return stain;
}

/// Returns the largest weight of a cell's structures; 0 if none glows.
inline double light_of_cells(const LightSpec& light) {
  return std::max({light_of_cores(light), light.mitochondria, light.microtubules, light.actin,
                   light.vesicles, light.spots, light.filopodia});
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "simulator/optics/radial_model.hpp"
#include "core/assert.hpp"
#include "simulator/optics/born_wolf.hpp"
#include "simulator/optics/gibson_lanni.hpp"
#include "simulator/optics/richards_wolf.hpp"
#include "simulator/optics/sectioning.hpp"
#include "simulator/optics/wide_field.hpp"

namespace synthoscope::simulator {

std::unique_ptr<const RadialModel> radial_model_of(const OpticsSpec& spec) {
  switch (spec.model) {
    case PsfModel::born_wolf:
      return std::make_unique<WideField>(std::make_unique<BornWolf>(spec));
    case PsfModel::gibson_lanni:
      return std::make_unique<WideField>(std::make_unique<GibsonLanni>(spec));
    case PsfModel::richards_wolf:
      return std::make_unique<WideField>(std::make_unique<RichardsWolf>(spec));
    case PsfModel::confocal:
      return std::make_unique<Confocal>(spec);
    case PsfModel::two_photon:
      return std::make_unique<TwoPhoton>(spec);
    case PsfModel::light_sheet:
      return std::make_unique<LightSheet>(spec);
    case PsfModel::sted:
      return std::make_unique<Sted>(spec);
    case PsfModel::gaussian:
    case PsfModel::file:
      break;
  }
  SYNTHOSCOPE_ASSERT(static_cast<int>(spec.model), ==, -1);  // their PSFs are made otherwise
  return nullptr;
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "simulator/optics/models/radial_model.hpp"
#include "core/base/assert.hpp"
#include "simulator/optics/models/born_wolf.hpp"
#include "simulator/optics/models/gibson_lanni.hpp"
#include "simulator/optics/models/richards_wolf.hpp"
#include "simulator/optics/models/sectioning.hpp"
#include "simulator/optics/models/wide_field.hpp"

namespace synthoscope::simulator {

std::unique_ptr<const SymmetricPupil> round_pupil_of(const OpticsSpec& spec) {
  SYNTHOSCOPE_ASSERT(is_one_pupil(spec.model), ==, true);
  if (spec.model == PsfModel::born_wolf) return std::make_unique<BornWolf>(spec);
  if (spec.model == PsfModel::richards_wolf) return std::make_unique<RichardsWolf>(spec);
  return std::make_unique<GibsonLanni>(spec);
}

std::unique_ptr<const RadialModel> radial_model_of(const OpticsSpec& spec) {
  switch (spec.model) {
    case PsfModel::confocal:
      return std::make_unique<Confocal>(spec);
    case PsfModel::two_photon:
      return std::make_unique<TwoPhoton>(spec);
    case PsfModel::light_sheet:
      return std::make_unique<LightSheet>(spec);
    case PsfModel::sted:
      return std::make_unique<Sted>(spec);
    case PsfModel::born_wolf:
    case PsfModel::gibson_lanni:
    case PsfModel::richards_wolf:
    case PsfModel::gaussian:
    case PsfModel::file:
      break;
  }
  return std::make_unique<WideField>(round_pupil_of(spec));
}

}  // namespace synthoscope::simulator

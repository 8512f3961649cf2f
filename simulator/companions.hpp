// SPDX-License-Identifier: MIT
// simulator/companions.hpp — what a simulation holds besides the blur, and the plan that leaves
// room for it.
#pragma once
#include <cstdint>
#include "simulator/pipeline.hpp"

namespace synthoscope::simulator {

/// What a simulation holds besides the blur, in bytes; counted before anything is planned.
struct Companions {
  Companions(const SceneSpec& scene, const SimulateOptions& options, const RunContext& context);

  /// All the while.
  [[nodiscard]] std::int64_t held() const {
    return psf.voxel_bytes + objects + imaging + maps + recorded + chunks;
  }
  PsfRoom psf;
  std::int64_t objects, imaging, maps;
  std::int64_t recorded, chunks;  ///< a plane; what the files of photons and counts hold
  std::int64_t stages = 0;        ///< the largest of what comes before and after the blur
};

/// The plan that is given, or one for what the companions leave of the machine.
/// @throws PlanError, InvalidSpec  as simulate.
fftconv::Plan plan_for(const SceneSpec& scene, const Companions& beside,
                       const fftconv::Machine& machine, const RunContext& context,
                       const SimulateOptions& options);

}  // namespace synthoscope::simulator

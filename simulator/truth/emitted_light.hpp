// SPDX-License-Identifier: MIT
// simulator/truth/emitted_light.hpp — the light of a phantom before any blur, as a volume.
#pragma once
#include <cstdint>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// Writes the photons that leave each voxel in an exposure, and closes the file. With
/// optics.oversample they are rendered on the finer grid and added up, as the image is. Light of
/// the margin is not in it.
/// @param phantom  on the scene's grid
/// @param scene    of a channel
/// @param level    factor of all light in an exposure
/// @param light    float32, on the scene's grid
/// @throws PlanError, Interrupted, and what `light` throws
void write_emitted_light(const Phantom& phantom, const SceneSpec& scene, double level, Sink& light,
                         const RunContext& context);

/// Returns the bytes that it takes with one thread; 0 if the scene asks for no light.
std::int64_t emitted_light_bytes(const SceneSpec& scene);

}  // namespace synthoscope::simulator

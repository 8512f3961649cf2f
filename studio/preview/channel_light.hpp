// SPDX-License-Identifier: MIT
// studio/preview/channel_light.hpp — the light of a channel in a region, before and after the blur,
// at dose 1.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include "core/run/run_context.hpp"
#include "fftconv/executor.hpp"
#include "simulator/light/energy.hpp"
#include "simulator/light/kept_light.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene/scene.hpp"
#include "studio/preview/channel_optics.hpp"
#include "studio/preview/region.hpp"
#include "studio/preview/shown.hpp"

namespace synthoscope::studio {

/// Photons of an even lamp of dose 1, before the background.
struct BlurredLight {
  Stack photons;
  std::optional<simulator::EnergyBalance> balance;  ///< absent for a part of the grid
};

/// Renders the light that the blur of a region reads.
/// @param seen  the objects, on the grid of the scene
std::shared_ptr<simulator::KeptLight> rendered_light(const simulator::SceneSpec& scene,
                                                     const simulator::Phantom& seen,
                                                     const BlurWindow& window,
                                                     const RunContext& context);

/// Returns the light of a region on the grid of the scene, as the data set has it.
/// @param light  of the window
/// @param level  factor of the light
std::shared_ptr<Stack> light_of_region(simulator::KeptLight& light,
                                       const simulator::SceneSpec& scene, const BlurWindow& window,
                                       const Box3& region, double level, const RunContext& context);

/// Blurs the light of a window.
/// @param given  plan of simulate, for the whole grid; null: it is made
std::shared_ptr<BlurredLight> blurred_light(simulator::KeptLight& light,
                                            const simulator::SceneSpec& scene,
                                            const ChannelOptics& optics, const BlurWindow& window,
                                            const Box3& region, std::int64_t frame,
                                            const fftconv::Plan* given, fftconv::Executor& blur,
                                            const RunContext& context);

}  // namespace synthoscope::studio

// SPDX-License-Identifier: MIT
#include "simulator/truth/emitted_light.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/store_as.hpp"
#include "simulator/light/expected_photons.hpp"
#include "simulator/light/light_sums.hpp"
#include "simulator/scene/blur_setup.hpp"

namespace synthoscope::simulator {

void write_emitted_light(const Phantom& phantom, const SceneSpec& scene, double level, Sink& light,
                         const RunContext& context) {
  // Photons of an even field, without a background
  const Illumination even{{}, scene.grid.extent, level};
  ExpectedPhotons finish{0, even};
  if (scene.oversample == 1) {
    PhantomSource rendered{phantom, scene.light};
    carry("light", rendered, finish, light, context);
  } else {
    const Phantom fine = refined(phantom, scene.oversample);
    PhantomSource rendered{fine, scene.light};
    StoreAs as_it_is{PixelType::float32};
    PixelSumSink summed{light, scene.oversample, finish, context.pool};
    carry("light", rendered, as_it_is, summed, context);
  }
  light.close();
}

std::int64_t emitted_light_bytes(const SceneSpec& scene) {
  if (!scene.output.light) return 0;
  const Extent3 fine = refined(scene.grid, scene.oversample).extent;
  return carry_bytes({1, fine.y, fine.x}, PixelType::float32, PixelType::float32) +
         (scene.oversample > 1 ? PixelSumSink::bytes(scene.grid.extent) : 0);
}

}  // namespace synthoscope::simulator

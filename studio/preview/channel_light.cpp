// SPDX-License-Identifier: MIT
#include "studio/preview/channel_light.hpp"
#include <algorithm>
#include "core/stream/carry.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/part_source.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/plan.hpp"
#include "imageio/formats.hpp"
#include "simulator/data_set/simulate_options.hpp"
#include "simulator/imaging/imaging.hpp"
#include "simulator/light/expected_photons.hpp"
#include "simulator/light/light_sums.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::studio {
namespace {

/// Returns the plan that was given, or one of the host for the memory that is left.
fftconv::Plan plan_of(const simulator::SceneSpec& scene, const ChannelOptics& optics,
                      const BlurWindow& window, const fftconv::Plan* given,
                      const fftconv::Machine& machine, const RunContext& context) {
  const simulator::SimulateOptions usual;
  fftconv::Problem problem =
      blur_problem(scene, optics.size(), imageio::order_of(usual.format, usual.compression));
  if (optics.references().vary()) problem.second_voxel_bytes = 0;
  problem.image = window.light.size;
  problem.part = window.part;
  fftconv::Machine left = machine;
  left.gpu.reset();
  left.host_bytes = std::min(left.host_bytes, context.memory.limit()) - context.memory.used();
  if (!given) return plan_convolution(problem, left);
  require_for(*given, problem);
  require_fits(*given, left);
  return *given;
}

}  // namespace

std::shared_ptr<simulator::KeptLight> rendered_light(const simulator::SceneSpec& scene,
                                                     const simulator::Phantom& seen,
                                                     const BlurWindow& window,
                                                     const RunContext& context) {
  const auto counted = context.memory.reserve(
      has_own_blur_grid(scene) ? phantom_bytes(fullest_phantom_of(scene), sample_grid(scene)) : 0,
      "objects on the grid of the blur");
  const auto own = on_blur_grid(seen, scene);
  simulator::PhantomSource rendered{own ? *own : seen, scene.light};
  PartSource part{rendered, window.light};
  auto light = std::make_shared<simulator::KeptLight>(window.light.size, context.memory);
  light->render(part, context);
  return light;
}

std::shared_ptr<Stack> light_of_region(simulator::KeptLight& light,
                                       const simulator::SceneSpec& scene, const BlurWindow& window,
                                       const Box3& region, double level,
                                       const RunContext& context) {
  auto shown = std::make_shared<Stack>(region.size, PixelType::float32, context.memory,
                                       "light of the preview");
  const simulator::Illumination even{{}, scene.grid.extent, level};
  simulator::ExpectedPhotons finish{simulator::Background{0}, even};
  StoreAs as_it_is{PixelType::float32};
  MemorySink pixels{shown->view()};
  // The window of a whole grid without a margin has no part
  const Box3 part = window.part == Box3{} ? whole(window.light.size) : window.part;
  PartSource fine{light, part};
  if (scene.oversample == 1) {
    carry("light", fine, finish, pixels, context);
  } else {
    simulator::PixelSumSink summed{pixels, scene.oversample, finish, context.pool};
    carry("light", fine, as_it_is, summed, context);
  }
  return shown;
}

std::shared_ptr<BlurredLight> blurred_light(simulator::KeptLight& light,
                                            const simulator::SceneSpec& scene,
                                            const ChannelOptics& optics, const BlurWindow& window,
                                            const Box3& region, std::int64_t frame,
                                            const fftconv::Plan* given, fftconv::Executor& blur,
                                            const RunContext& context) {
  auto blurred = std::make_shared<BlurredLight>(
      BlurredLight{Stack{region.size, PixelType::float32, context.memory, "blurred light"}, {}});
  const auto counted = context.memory.reserve(simulator::Imaging::bytes(scene), "sums of light");
  std::optional<ScratchVolume> sums;
  if (optics.references().vary())
    sums.emplace(region.size, PixelType::float32, context.memory, "images that are added up");
  const simulator::Illumination even{{}, scene.grid.extent};
  simulator::Imaging imaging{scene, static_cast<std::uint64_t>(*scene.seed), optics.terms(), even,
                             sums ? &*sums : nullptr};
  const fftconv::Plan plan = plan_of(scene, optics, window, given, blur.machine(), context);
  PlacedPart placed{light, window.light.origin, blur_grid(scene).extent};
  StoreAs as_it_is{PixelType::float32};
  MemorySink pixels{blurred->photons.view()};
  imaging.run_into(as_it_is, pixels, blur, plan, placed, window.light, frame, context);
  blurred->balance = imaging.energy();
  return blurred;
}

}  // namespace synthoscope::studio

// SPDX-License-Identifier: MIT
#include "simulator/companions.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include "core/carry.hpp"
#include "fftconv/memory_too_small.hpp"
#include "simulator/blur_setup.hpp"
#include "simulator/data_set.hpp"
#include "simulator/imaging.hpp"
#include "simulator/objects.hpp"
#include "simulator/pattern_table.hpp"
#include "simulator/preview.hpp"
#include "simulator/recording_sink.hpp"
#include "simulator/spots.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "simulator/world.hpp"

namespace synthoscope::simulator {
namespace {

/// `machine` with what is in use and what the companions of the blur leave of the memory.
fftconv::Machine left_of(fftconv::Machine machine, const MemoryBudget& memory,
                         const Companions& beside) {
  const std::int64_t used = memory.used() + beside.held();
  machine.host_bytes = std::min(machine.host_bytes, memory.limit()) - used;
  machine.process_bytes += used;  // what the smallest budget is named with
  return machine;
}

/// What is there, and where the focus sees it.
std::int64_t phantoms_at_once(const SceneSpec& scene) {
  return 1 + (scene.time.focus_drift_um_per_second != 0 ? 1 : 0);
}

/// The plan that is given, or one for what the companions leave of the machine.
fftconv::Plan plan_of_channel(const SceneSpec& scene, const Companions& beside,
                              const fftconv::Machine& machine, const fftconv::Plan* given,
                              const RunContext& context, const SimulateOptions& options) {
  const fftconv::Problem problem =
      blur_problem(scene, beside.psf, imageio::order_of(options.compression));
  const fftconv::Machine left = left_of(machine, context.memory, beside);
  if (!given)
    return plan_convolution(problem, left, options.strategy, options.parts, beside.stages);
  require_for(*given, problem);
  require_fits(*given, left, beside.stages);
  return *given;
}

}  // namespace

Companions::Companions(const SceneSpec& scene, std::size_t images, const SimulateOptions& options,
                       const RunContext& context)
    : psf{psf_room(blur_optics(scene), blur_grid(scene).pitch, blur_sizing(scene), context.pool,
                   context.stop)},
      objects{phantoms_at_once(scene) * phantom_bytes(fullest_phantom_of(scene), scene.grid) +
              volume_bytes(scene.volume) + objects_bytes(headcount_of(scene).rows) +
              SpotTable::bytes(phantom_of(scene), scene.grid, scene.frames) +
              Timelapse::bytes(scene) + World::bytes(WorldRoom::of(scene))},
      imaging{Imaging::bytes(scene, psf) +
              (scene.oversample > 1 ? phantom_bytes(fullest_phantom_of(scene), scene.grid) : 0)},
      maps{camera_map_bytes(scene.camera, scene.grid.extent.y, scene.grid.extent.x) +
           Illumination::bytes(scene.illumination, scene.grid.extent)},
      recorded{RecordingSink::room_bytes(scene.grid.extent, PixelType::uint16,
                                         imageio::order_of(options.compression))},
      chunks{DataSet::buffer_bytes(scene.grid, PixelType::float32, options, context.pool) +
             DataSet::buffer_bytes(scene.grid, PixelType::uint16, options, context.pool)} {
  const Extent3 plane{1, scene.grid.extent.y, scene.grid.extent.x};
  const bool is_recorded_later = scene.camera.binning > 1;
  const std::int64_t carried = carry_bytes(
      plane, is_recorded_later ? PixelType::float32 : PixelType::uint16, PixelType::uint16);
  // Labels beside the structures that every thread reads
  const std::int64_t structures =
      number_of(scene.cells, scene.grid) > 0
          ? volume(plane) * context.pool.threads() * size_of(PixelType::uint16) +
                carry_bytes(plane, PixelType::uint8, PixelType::uint8)
          : 0;
  stages = std::max({psf.working_bytes, carried, structures, Timelapse::working_bytes(scene),
                     preview_bytes(scene.grid, images, context.pool.threads()),
                     pattern_csv_bytes(scene, images)});
}

std::vector<PlannedChannel> planned_channels(const SceneSpec& scene,
                                             const fftconv::Machine& machine,
                                             const RunContext& context,
                                             const SimulateOptions& options) {
  const auto channels = channels_of(scene, options.channel);
  if (!options.plans.empty() && options.plans.size() != channels.size())
    throw InvalidSpec(fmt::format(
        "run a given plan: there are {} plans for {} channels, and each has one of its own; choose "
        "a channel with --channel",
        options.plans.size(), channels.size()));
  std::vector<PlannedChannel> planned;
  std::optional<fftconv::MemoryTooSmall> largest;  // what does for it does for all
  const auto said_of = [](const Channel& channel, const PlanError& problem) {
    return channel.name.empty() ? std::string{problem.what()}
                                : fmt::format("{}: {}", channel.said(), problem.what());
  };
  for (std::size_t i = 0; i < channels.size(); ++i) try {
      Companions beside{channels[i].scene, channels.size(), options, context};
      const fftconv::Plan* given = options.plans.empty() ? nullptr : &options.plans[i];
      auto plan = plan_of_channel(channels[i].scene, beside, machine, given, context, options);
      planned.push_back({channels[i], beside, std::move(plan)});
    } catch (const fftconv::MemoryTooSmall& problem) {
      if (!largest || problem.least_budget_bytes > largest->least_budget_bytes)
        largest.emplace(said_of(channels[i], problem), problem.least_budget_bytes);
    } catch (const PlanError& problem) {
      throw PlanError(said_of(channels[i], problem));
    }
  if (largest) throw *largest;
  return planned;
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "simulator/run/additional_memory.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include "core/stream/carry.hpp"
#include "core/stream/partial_sums.hpp"
#include "fftconv/plan.hpp"
#include "imageio/formats.hpp"
#include "simulator/data_set/annotations.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/data_set/pattern_table.hpp"
#include "simulator/data_set/preview.hpp"
#include "simulator/detector/camera_maps.hpp"
#include "simulator/imaging/imaging.hpp"
#include "simulator/imaging/lens.hpp"
#include "simulator/imaging/psf_memory.hpp"
#include "simulator/imaging/recording_sink.hpp"
#include "simulator/phantom/structure_source.hpp"
#include "simulator/run/dose.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "simulator/truth/emitted_light.hpp"
#include "simulator/truth/object_signal.hpp"
#include "simulator/truth/objects.hpp"
#include "simulator/world/world.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns `machine` with the memory that is neither in use nor held by the additional_memory of
/// the blur.
fftconv::Machine left_of(fftconv::Machine machine, const MemoryBudget& memory,
                         const AdditionalMemory& additional) {
  const std::int64_t used = memory.used() + additional.held();
  machine.host_bytes = std::min(machine.host_bytes, memory.limit()) - used;
  machine.process_bytes += used;  // counted in the smallest budget that errors name
  return machine;
}

/// Returns the number of phantoms held at once: the true one, and one shifted by a drifting focus.
std::int64_t phantoms_at_once(const SceneSpec& scene) {
  return 1 + (scene.time.focus_drift_um_per_second != 0 ? 1 : 0);
}

/// Returns the plan that is given, or one for the memory that the additional_memory leave.
fftconv::Plan plan_of_channel(const SceneSpec& scene, const References& references,
                              const AdditionalMemory& additional, const fftconv::Machine& machine,
                              const fftconv::Plan* given, const RunContext& context,
                              const SimulateOptions& options) {
  fftconv::Problem problem =
      blur_problem(scene, additional.psf, imageio::order_of(options.format, options.compression));
  if (references.vary()) problem.second_voxel_bytes = 0;  // the host sums and records
  if (additional.keeping == LightKeeping::in_file)
    problem.image_voxel_bytes = size_of(PixelType::float32);
  fftconv::Machine left = left_of(machine, context.memory, additional);
  left.fft = options.fft;
  if (!given)
    return plan_convolution(problem, left, options.strategy, options.parts, additional.stages);
  require_for(*given, problem);
  require_fits(*given, left, additional.stages);
  return *given;
}

/// Returns the seconds that a blur is predicted to take.
double seconds_of(const fftconv::Plan& plan) {
  const fftconv::Candidate* const chosen = plan.chosen();
  return chosen ? chosen->seconds : 0;
}

/// Where sums of images and light that is read again are kept.
struct Storage {
  bool sums_in_file;
  LightKeeping light;
};

/// Returns the choices; the first one needs the least memory.
std::vector<Storage> storage_choices(const References& references, const fftconv::Plan* given) {
  std::vector<LightKeeping> light{LightKeeping::nowhere, LightKeeping::in_file,
                                  LightKeeping::in_memory};
  if (given && given->problem.image_voxel_bytes > 0) light = {LightKeeping::in_file};
  if (given && given->problem.image_voxel_bytes == 0) std::erase(light, LightKeeping::in_file);
  std::vector<Storage> all;
  for (const LightKeeping one : light) {
    if (references.vary()) all.push_back({true, one});
    all.push_back({false, one});
  }
  return all;
}

AdditionalMemory with_storage(AdditionalMemory additional, const Storage& as,
                              const SceneSpec& scene) {
  const Extent3 fine = blur_grid(scene).extent;
  if (as.sums_in_file) additional.sums = 0;
  additional.keeping = as.light;
  if (as.light == LightKeeping::in_memory) additional.light = KeptLight::bytes(fine);
  if (as.light != LightKeeping::nowhere)
    additional.stages =
        std::max(additional.stages,
                 carry_bytes({1, fine.y, fine.x}, PixelType::float32, PixelType::float32));
  return additional;
}

/// Returns the predicted seconds of all blurs of an image, of rendering its light, and of moving
/// sums and light to and from files.
double seconds_with(const fftconv::Plan& plan, const AdditionalMemory& additional,
                    const SceneSpec& scene, const References& references) {
  // Seconds of one core for a voxel, between beads in the dark (2e-9) and dense nuclei (1.2e-7)
  constexpr double kRenderSeconds = 4e-8;
  const fftconv::MachineRates& rates = plan.machine.rates;
  const Extent3 light = blur_grid(scene).extent;
  const double render =
      static_cast<double>(volume(light)) * kRenderSeconds / static_cast<double>(rates.cores);
  double seconds = static_cast<double>(references.count()) * seconds_of(plan);
  if (references.vary() && additional.sums == 0) {
    const double moved = static_cast<double>(PartialSums::bytes(scene.grid.extent)) *
                         static_cast<double>(references.count() - 1);
    seconds += moved / rates.disk_read_bytes_per_second + moved / rates.disk_write_bytes_per_second;
  }
  if (plan.where == fftconv::Place::gpu) return seconds;  // which renders in next to no time
  if (additional.keeping == LightKeeping::nowhere)
    return seconds + render * image_reads(plan) * reads_of_all(references, light);
  if (additional.keeping == LightKeeping::in_file)
    seconds += static_cast<double>(KeptLight::bytes(light)) / rates.disk_write_bytes_per_second;
  return seconds + render;
}

/// Returns the plan with the fastest storage that fits, and sets `additional` for it.
fftconv::Plan plan_with_storage(const SceneSpec& scene, const References& references,
                                AdditionalMemory& additional, const fftconv::Machine& machine,
                                const fftconv::Plan* given, const RunContext& context,
                                const SimulateOptions& options) {
  std::optional<fftconv::Plan> best;
  AdditionalMemory of_best = additional;
  double least = 0;
  for (const Storage& one : storage_choices(references, given)) try {
      const AdditionalMemory its = with_storage(additional, one, scene);
      fftconv::Plan plan =
          plan_of_channel(scene, references, its, machine, given, context, options);
      // A GPU renders light itself
      if (plan.where == fftconv::Place::gpu && one.light != LightKeeping::nowhere) continue;
      const double seconds = seconds_with(plan, its, scene, references);
      if (best && seconds >= least) continue;
      best = std::move(plan);
      of_best = its;
      least = seconds;
    } catch (const PlanError&) {
      if (!best) throw;
    } catch (const OutOfDeviceMemory&) {
      if (!best) throw;
    }
  additional = of_best;
  return *best;
}

std::vector<PlannedChannel> plans_beside_psf(const SceneSpec& scene,
                                             const fftconv::Machine& machine,
                                             const RunContext& context,
                                             const SimulateOptions& options) {
  const auto channels = channels_of(scene, options.channel);
  if (!options.plans.empty() && options.plans.size() != channels.size())
    throw InvalidSpec(
        fmt::format("run a given plan: there are {} plans for {} channels, and each channel needs "
                    "its own; choose a channel with --channel",
                    options.plans.size(), channels.size()));
  std::vector<PlannedChannel> planned;
  std::optional<fftconv::MemoryTooSmall> largest;  // its budget suffices for all channels
  const auto said_of = [](const Channel& channel, const PlanError& problem) {
    return channel.name.empty() ? std::string{problem.what()}
                                : fmt::format("{}: {}", channel.description(), problem.what());
  };
  for (std::size_t i = 0; i < channels.size(); ++i) try {
      const SceneSpec& seen = channels[i].scene;
      auto references = references_of(seen, context.pool);
      AdditionalMemory additional{seen, references, channels.size(), options, context};
      const fftconv::Plan* given = options.plans.empty() ? nullptr : &options.plans[i];
      auto plan = plan_with_storage(seen, references, additional, machine, given, context, options);
      planned.push_back({channels[i], std::move(references), additional, std::move(plan)});
    } catch (const fftconv::MemoryTooSmall& problem) {
      if (!largest || problem.least_budget_bytes > largest->least_budget_bytes)
        largest.emplace(said_of(channels[i], problem), problem.least_budget_bytes);
    } catch (const PlanError& problem) {
      throw PlanError(said_of(channels[i], problem));
    }
  if (largest) throw *largest;
  return planned;
}

}  // namespace

double reads_of_all(const References& references, const Extent3& light) {
  std::int64_t planes = 0;
  for (const Reference& one : references.all)
    planes += weighted_planes(one.weights, {{0, 0, 0}, light}).count;
  return static_cast<double>(planes) / static_cast<double>(light.z);
}

AdditionalMemory::AdditionalMemory(const SceneSpec& scene, const References& references,
                                   std::size_t images, const SimulateOptions& options,
                                   const RunContext& context)
    : psf{psf_size_of(references, scene, context.pool, context.stop)},
      psf_held{references.vary() ? 0 : psf.voxel_bytes},
      objects{
          phantoms_at_once(scene) * phantom_bytes(fullest_phantom_of(scene), sample_grid(scene)) +
          shared_bytes(scene) + objects_bytes(headcounts_of(scene).all.rows) +
          SpotTable::bytes(scene) + Timelapse::bytes(scene) + World::bytes(WorldSize::of(scene))},
      imaging{Imaging::bytes(scene) +
              (has_own_blur_grid(scene)
                   ? phantom_bytes(fullest_phantom_of(scene), sample_grid(scene))
                   : 0)},
      sums{references.vary() ? PartialSums::bytes(scene.grid.extent) : 0},
      maps{camera_map_bytes(scene.camera, scene.grid.extent.y, scene.grid.extent.x) +
           Illumination::bytes(scene.illumination, scene.grid.extent) +
           Background::bytes(scene.background, scene.grid.extent)},
      recorded{RecordingSink::room_bytes(scene.grid.extent, PixelType::uint16,
                                         imageio::order_of(options.format, options.compression))},
      chunks{DataSet::buffer_bytes(scene.grid, PixelType::float32, options, context.pool) +
             DataSet::buffer_bytes(scene.grid, PixelType::uint16, options, context.pool)},
      dose{dose_bytes(scene)} {
  const Extent3 plane{1, scene.grid.extent.y, scene.grid.extent.x};
  const bool is_recorded_later = scene.camera.binning > 1;
  const std::int64_t carried = carry_bytes(
      plane, is_recorded_later ? PixelType::float32 : PixelType::uint16, PixelType::uint16);
  // Every thread holds labels in addition to the structures
  const std::int64_t structures =
      has_structures(phantom_of(scene), sample_grid(scene))
          ? volume(plane) * context.pool.threads() * size_of(PixelType::uint16) +
                carry_bytes(plane, PixelType::uint8, PixelType::uint8)
          : 0;
  stages = std::max(
      {psf.working_bytes + psf.voxel_bytes - psf_held,
       carried + Timelapse::masks_bytes(scene, context.pool.threads()), structures,
       Timelapse::working_bytes(scene), preview_bytes(scene, images, context.pool.threads()),
       object_snr_bytes(scene.grid.extent, scene.camera.binning, headcounts_of(scene).all.rows,
                        context.pool.threads()),
       dose_working_bytes(scene, context.pool.threads()), pattern_csv_bytes(scene, images),
       emitted_light_bytes(scene), annotation_bytes(scene, options.layout)});
}

std::vector<PlannedChannel> planned_channels(const SceneSpec& scene,
                                             const fftconv::Machine& machine,
                                             const RunContext& context,
                                             const SimulateOptions& options) {
  try {
    return plans_beside_psf(scene, machine, context, options);
  } catch (const PlanError&) {
    if (!options.psfs || !options.psfs->forget()) throw;
  }
  return plans_beside_psf(scene, machine, context, options);
}

}  // namespace synthoscope::simulator

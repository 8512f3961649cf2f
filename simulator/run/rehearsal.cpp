// SPDX-License-Identifier: MIT
#include "simulator/run/rehearsal.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <vector>
#include "core/run/labelled_run.hpp"
#include "core/run/memory_budget.hpp"
#include "fftconv/plan/gpu/cost.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/phantom/structure_source.hpp"
#include "simulator/run/additional_memory.hpp"
#include "simulator/run/dose.hpp"
#include "simulator/run/scene_run.hpp"
#include "simulator/scene/blur_setup.hpp"

namespace synthoscope::simulator {
namespace {

SceneSpec with_seed(SceneSpec scene) {
  if (!scene.seed) scene.seed = std::random_device{}();
  return scene;
}

/// Boxes of rows that lie evenly in a volume.
std::vector<Box3> samples_of(const Extent3& extent) {
  constexpr std::int64_t kRows = 32, kVoxels = std::int64_t{1} << 22, kMinBoxes = 24;
  constexpr double kGoldenSection = 0.6180339887498949;
  const Extent3 size{1, std::min(kRows, extent.y), extent.x};
  const std::int64_t bands = extent.y / size.y;
  const std::int64_t count =
      std::clamp(kVoxels / volume(size), std::min(kMinBoxes, extent.z * bands), extent.z * bands);
  std::vector<Box3> boxes;
  for (std::int64_t i = 0; i < count; ++i) {
    const double turn = std::fmod(static_cast<double>(i) * kGoldenSection, 1.0);
    const auto band = static_cast<std::int64_t>(turn * static_cast<double>(bands));
    boxes.push_back({{i * extent.z / count, band * size.y, 0}, size});
  }
  return boxes;
}

/// Returns the seconds in which all threads would read all voxels of `source`.
double seconds_to_read(Source& source, const RunContext& context) {
  const std::vector<Box3> boxes = samples_of(source.extent());
  const std::int64_t voxels = volume(boxes.front().size) * static_cast<std::int64_t>(boxes.size());
  Stages stages;
  Stopwatch watch{stages};
  context.pool.for_each(static_cast<std::int64_t>(boxes.size()), [&](std::int64_t i) {
    const Box3& box = boxes[static_cast<std::size_t>(i)];
    std::vector<std::byte> out(
        static_cast<std::size_t>(volume(box.size) * size_of(source.pixel_type())));
    source.read(box, {out.data(), source.pixel_type(), box.size});
  });
  return watch.total() * static_cast<double>(volume(source.extent())) / static_cast<double>(voxels);
}

/// Returns the seconds in which all threads would record a frame. Most pixels show little more than
/// the background; some cameras need more time for few photons.
double seconds_to_record(const SceneSpec& scene, const RunContext& context) {
  constexpr float kDim = 2, kBright = 100;
  const Extent3& extent = scene.grid.extent;
  CameraEpilogue camera{scene.camera, {.seed = 0}, extent};
  const Extent3 plane{1, extent.y, extent.x};
  const StreamFormat recorded = camera.format(plane);
  std::vector<float> photons(static_cast<std::size_t>(volume(plane)), kBright);
  std::fill_n(photons.begin(), photons.size() / 4 * 3,
              static_cast<float>(scene.background_photons) + kDim);
  // All threads at once, because cores share what they compute with
  const std::int64_t planes = std::min<std::int64_t>(extent.z, context.pool.threads());
  Stages stages;
  Stopwatch watch{stages};
  context.pool.for_each(planes, [&](std::int64_t z) {
    std::vector<std::byte> counts(
        static_cast<std::size_t>(volume(recorded.extent) * size_of(recorded.type)));
    camera.apply({{z, 0, 0}, plane}, HostView3<const float>{photons.data(), plane},
                 {counts.data(), recorded.type, recorded.extent});
  });
  return watch.total() * static_cast<double>(extent.z) / static_cast<double>(planes);
}

/// Predicts the seconds of reading photons and labels for the signal-to-noise ratios of objects.
double seconds_of_snr(const SceneSpec& scene, const fftconv::MachineRates& rates) {
  constexpr std::int64_t kVoxelBytes = sizeof(float) + sizeof(std::uint16_t);
  return static_cast<double>(volume(scene.grid.extent) * kVoxelBytes) /
         rates.memory_bytes_per_second;
}

double seconds_to_write(std::int64_t bytes, const fftconv::MachineRates& rates) {
  return static_cast<double>(bytes) / rates.disk_write_bytes_per_second;
}

/// Predicts the stages of one channel and frame; the PSF is made once for all frames.
class Prediction {
 public:
  Prediction(const PlannedChannel& channel, const Phantom& phantom, const RunContext& context)
      : channel_{channel}, scene_{channel.channel.scene}, phantom_{phantom}, context_{context} {}

  [[nodiscard]] double psf() const {
    // Seconds of one core for a voxel of a PSF that is symmetric about the optical axis
    constexpr double kVoxelSeconds = 8e-9;
    const std::int64_t voxels = channel_.references.count() * volume(channel_.additional.psf.size);
    return static_cast<double>(voxels) * kVoxelSeconds / context_.pool.threads() +
           seconds_to_write(voxels * size_of(PixelType::float32), rates());
  }

  /// Returns the seconds of rendering once.
  [[nodiscard]] double light() const {
    if (is_on_gpu()) return 0;
    const std::optional<Phantom> rendered = on_blur_grid(phantom_, scene_);
    PhantomSource light{rendered ? *rendered : phantom_, scene_.light};
    return seconds_to_read(light, context_);
  }

  [[nodiscard]] double blur() const {
    const fftconv::Candidate* const chosen = channel_.plan.chosen();
    const double once = chosen ? chosen->seconds - seconds_saved_by_cache(*chosen) : 0;
    const double all = static_cast<double>(channel_.references.count()) * once;
    if (is_on_gpu()) return all;
    const int threads = context_.pool.threads();
    return (all + seconds_to_record(scene_, context_)) * threads /
           threads_that_fit(channel_.plan, threads);
  }

  [[nodiscard]] bool keeps_light() const {
    return channel_.additional.keeping != LightKeeping::nowhere;
  }
  /// Returns how often light is rendered if it is kept nowhere.
  [[nodiscard]] double renderings() const {
    return image_reads(channel_.plan) * reads_of_all(channel_.references, blur_grid(scene_).extent);
  }
  [[nodiscard]] const fftconv::MachineRates& rates() const { return channel_.plan.machine.rates; }

 private:
  /// Light that was just written to a file is read from memory, if there is enough.
  [[nodiscard]] double seconds_saved_by_cache(const fftconv::Candidate& chosen) const {
    const bool is_cached =
        channel_.additional.keeping == LightKeeping::in_file &&
        KeptLight::bytes(blur_grid(scene_).extent) < available_memory_bytes() / 2;
    return is_cached ? static_cast<double>(chosen.read_bytes) / rates().disk_read_bytes_per_second
                     : 0;
  }

  [[nodiscard]] bool is_on_gpu() const { return channel_.plan.where == fftconv::Place::gpu; }

  const PlannedChannel& channel_;
  const SceneSpec& scene_;
  const Phantom& phantom_;
  const RunContext& context_;
};

double seconds_of_labels(const SceneSpec& scene, const Phantom& phantom,
                         const fftconv::MachineRates& rates, const RunContext& context) {
  const std::int64_t voxels = volume(scene.grid.extent);
  LabelSource labels{phantom};
  double seconds = seconds_to_read(labels, context) +
                   seconds_to_write(voxels * size_of(PixelType::uint16), rates);
  if (has_structures(phantom_of(scene), sample_grid(scene))) {
    StructureSource structures{phantom};
    seconds += seconds_to_read(structures, context) +
               seconds_to_write(voxels * size_of(PixelType::uint8), rates);
  }
  return seconds;
}

}  // namespace

Stages rehearse(const SceneSpec& requested, const fftconv::Machine& machine,
                const RunContext& context, const SimulateOptions& options) {
  constexpr double kStartSeconds = 0.03, kPreviewSeconds = 0.15;
  const SceneSpec scene = with_seed(requested);
  const auto channels = planned_channels(scene, machine, context, options);
  const auto held = context.memory.reserve(channels.front().additional.objects, "objects");
  const FrameRange frames = options.frames.value_or(FrameRange{0, scene.frames - 1});

  const double cuda = machine.gpu ? fftconv::device::kGpuStartSeconds : 0;
  Stages stages{{"start", std::max(kStartSeconds, cuda)}};
  Stopwatch watch{stages};
  const Timelapse timelapse{scene, context};
  watch.lap("world");
  PlacedFrame placed{timelapse, watch};
  for (std::int64_t frame = frames.last; frame >= frames.first; --frame) {
    LabelledProgress progress{context.progress, part_name(frame, scene.frames)};
    placed.place(frame, with_progress(progress, context));
  }

  const Phantom& phantom = placed.phantom();
  const auto count = static_cast<double>(frames.count());
  add_stage(
      stages, "labels",
      count * seconds_of_labels(scene, phantom, channels.front().plan.machine.rates, context));
  for (const PlannedChannel& channel : channels) {
    const Prediction one{channel, phantom, context};
    const double light = one.light();
    add_stage(stages, "psf and camera", one.psf());
    if (one.keeps_light()) add_stage(stages, "light", count * light);
    const double blur = one.blur() + (one.keeps_light() ? 0 : light * one.renderings());
    if (const SceneSpec& seen = channel.channel.scene; seen.illumination.snr)
      add_stage(
          stages, "dose",
          static_cast<double>(frames_for_dose(seen)) * (blur + (one.keeps_light() ? light : 0)));
    add_stage(stages, "blur and record", count * blur);
    add_stage(stages, "signal to noise",
              count * seconds_of_snr(channel.channel.scene, channel.plan.machine.rates));
  }
  add_stage(stages, "preview", kPreviewSeconds);
  return stages;
}

std::string prediction_of(const Stages& stages) {
  constexpr double kSmall = 0.02;
  const double all = std::accumulate(stages.begin(), stages.end(), 0.0,
                                     [](double sum, const auto& one) { return sum + one.second; });
  std::string parts;
  for (const auto& [stage, seconds] : stages)
    if (seconds >= kSmall * all)
      parts += fmt::format("{}{} {:.2g} s", parts.empty() ? "" : ", ", stage, seconds);
  return fmt::format("the simulation takes about {:.2g} s here: {}", all, parts);
}

}  // namespace synthoscope::simulator

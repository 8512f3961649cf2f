// SPDX-License-Identifier: MIT
#include "simulator/run/dose_series.hpp"
#include <algorithm>
#include <random>
#include "core/base/stopwatch.hpp"
#include "core/run/labelled_run.hpp"
#include "simulator/data_set/preview.hpp"
#include "simulator/run/additional_memory.hpp"
#include "simulator/run/dose.hpp"
#include "simulator/run/memory_stacks.hpp"
#include "simulator/run/microscope.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "simulator/truth/labelled_light.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the scene at dose 1, with a seed.
SceneSpec at_dose_one(SceneSpec scene) {
  if (!scene.seed) scene.seed = std::random_device{}();
  scene.illumination.dose = 1;
  scene.illumination.snr.reset();
  for (ChannelSpec& channel : scene.channels)
    std::erase_if(channel.keys, [](const auto& key) {
      return key.first == "illumination.dose" || key.first == "illumination.snr";
    });
  return scene;
}

/// Bytes of a pixel while it is recorded: photons, and counts of either type.
constexpr std::int64_t kRecordingBytes =
    sizeof(float) + sizeof(std::uint16_t) + sizeof(std::uint8_t);

/// Records a plane of photons that are multiplied by a dose.
class PlaneRecorder {
 public:
  PlaneRecorder(const Microscope& microscope, const Grid& grid, std::int64_t bin)
      : microscope_{microscope}, grid_{grid}, bin_{bin} {}

  [[nodiscard]] Slice record(Source& photons, std::int64_t z, double dose) const {
    const Extent3 plane{1, grid_.extent.y, grid_.extent.x};
    std::vector<float> light(static_cast<std::size_t>(volume(plane)));
    photons.read({{z, 0, 0}, plane}, VoxelView{HostView3<float>{light.data(), plane}});
    for (float& one : light) one = static_cast<float>(dose * static_cast<double>(one));
    CameraEpilogue camera{microscope_.camera(), 0};
    const StreamFormat format = camera.format(plane);
    std::vector<std::uint16_t> counts(static_cast<std::size_t>(volume(format.extent)));
    std::vector<std::uint8_t> few(counts.size());
    const bool is_wide = format.type == PixelType::uint16;
    camera.apply({{z, 0, 0}, plane}, HostView3<const float>{light.data(), plane},
                 is_wide ? VoxelView{HostView3<std::uint16_t>{counts.data(), format.extent}}
                         : VoxelView{HostView3<std::uint8_t>{few.data(), format.extent}});
    Slice slice{format.extent.y,
                format.extent.x,
                grid_.pitch.y_um * static_cast<double>(bin_),
                grid_.pitch.x_um * static_cast<double>(bin_),
                {}};
    if (is_wide)
      slice.values.assign(counts.begin(), counts.end());
    else
      slice.values.assign(few.begin(), few.end());
    return slice;
  }

 private:
  const Microscope& microscope_;
  const Grid& grid_;
  std::int64_t bin_;
};

}  // namespace

std::vector<DosedPlane> record_doses(const SceneSpec& requested, const std::vector<double>& doses,
                                     const std::optional<std::string>& channel,
                                     fftconv::Executor& blur, const RunContext& context) {
  require_valid(requested);
  const SceneSpec scene = at_dose_one(requested);
  SimulateOptions options;
  options.channel = channel;
  const auto channels = planned_channels(scene, blur.machine(), context, options);
  SceneInputs inputs{context.stop, &context.log};
  for (const PlannedChannel& one : channels) inputs.require_usable(one.channel.scene);
  const auto kept = context.memory.reserve(channels.front().additional.objects, "objects");
  const Timelapse timelapse{scene, context};
  const MemoryStacks stacks{channels, /*lends_photons=*/true, context};
  const Extent3& e = scene.grid.extent;
  const auto planes_held =
      context.memory.reserve(e.y * e.x *
                                 (kRecordingBytes + std::ssize(doses) * std::ssize(channels) *
                                                        std::int64_t{sizeof(float)}),
                             "planes at several doses");
  const std::int64_t z = meeting_point(timelapse.phantom(0, context)).z;

  std::vector<DosedPlane> planes;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const SceneSpec& seen = channels[i].channel.scene;
    const LabelledRun of_channel{context, channels[i].channel.description()};
    const RunContext& part = of_channel.context();
    const auto reserved = context.memory.reserve(channels[i].additional.of_channel(), "sums");
    Microscope microscope{channels[i],      stacks, i, static_cast<std::uint64_t>(*scene.seed),
                          /*psfs=*/nullptr, part};
    const ImageNoise noise = microscope.noise(0);
    const PlaneRecorder recorder{microscope, seen.grid, seen.camera.binning};
    look_at_light(
        microscope, seen, 1, timelapse, stacks, blur, part,
        [&](Source& photons, Source& ids, const std::vector<std::uint16_t>& labels,
            const Background& background, const RunContext& here) {
          LabelledLight light{noise, std::ssize(labels), here.memory};
          light.add(photons, ids, labels, background, here);
          for (const double dose : doses)
            planes.push_back({channels[i].channel.name, dose, light.median_snr(dose, here.pool),
                              recorder.record(photons, z, dose)});
        });
  }
  return planes;
}

}  // namespace synthoscope::simulator

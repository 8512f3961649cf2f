// SPDX-License-Identifier: MIT
#include "studio/preview/channel_image.hpp"
#include <fmt/format.h>
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
#include "simulator/truth/median.hpp"
#include "simulator/truth/object_signal.hpp"
#include "studio/preview/channel_dose.hpp"
#include "studio/stages.hpp"

namespace synthoscope::studio {
namespace {

/// Returns the text that the PSFs depend on: not the objects, except whether they are points.
std::string optics_key_of(const simulator::SceneSpec& scene, const PreviewFrame& of) {
  const simulator::Emitters emitters = simulator::emitters_of(scene);
  const VoxelSize& pitch = scene.grid.pitch;
  return fmt::format("{}{}{} {} {} {} {} {} {} {}", of.files_key, values_of(scene, {Stage::optics}),
                     emitters.extended, emitters.points, scene.grid.extent, margin_of(scene),
                     pitch.z_um, pitch.y_um, pitch.x_um, scene.oversample);
}

std::uint64_t seed_of_scene(const simulator::SceneSpec& scene) {
  return static_cast<std::uint64_t>(*scene.seed);
}

/// Returns the plan that was given, or one for the memory that is left.
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
  left.host_bytes = std::min(left.host_bytes, context.memory.limit()) - context.memory.used();
  if (!given) return plan_convolution(problem, left);
  require_for(*given, problem);
  require_fits(*given, left);
  return *given;
}

}  // namespace

/// The products of one request.
class ChannelImage::Making {
 public:
  Making(ChannelImage& kept, const simulator::Channel& channel, const PreviewFrame& of,
         const fftconv::Plan* plan, fftconv::Executor& blur, Stopwatch& watch,
         const RunContext& context)
      : kept_{kept},
        channel_{channel},
        scene_{channel.scene},
        of_{of},
        given_{plan},
        blur_{blur},
        watch_{watch},
        context_{context} {}

  ShownImage all() {
    keys_.optics = optics_key_of(scene_, of_);
    make_optics();
    find_keys();
    kept_.forget_changed(keys_);
    make_light();
    make_blurred();
    make_photons();
    make_recorded();
    return shown();
  }

 private:
  void make_optics() {
    kept_.optics_.update(keys_.optics, context_, [&](const RunContext& context) {
      return std::make_shared<ChannelOptics>(scene_, kept_.psfs_, context);
    });
    window_ = blur_window(scene_, of_.region, kept_.optics_->size());
    watch_.lap("psf");
  }

  void find_keys() {
    level_ = light_level(scene_) * dose();
    const std::string light = values_of(scene_, {Stage::phantom, Stage::light});
    keys_.light = fmt::format("{}{}{}", of_.sample_key, light, window_.light);
    keys_.shown_light = fmt::format("{}{}{} {}", of_.sample_key, light, of_.region, level_);
    keys_.blurred = fmt::format("{}{}{}{}", keys_.light, keys_.optics, of_.region,
                                given_ ? fftconv::to_json(*given_) : "");
    keys_.photons = fmt::format("{}{}{}", keys_.blurred,
                                values_of(scene_, {Stage::dose, Stage::background}), level_);
    keys_.recorded = fmt::format("{}{}{}{}", keys_.photons, of_.labels_key,
                                 values_of(scene_, {Stage::camera}), channel_.number);
  }

  /// Returns the factor of the dose that the scene asks for by a signal-to-noise ratio;
  /// otherwise 1.
  double dose() {
    if (!scene_.illumination.snr) return 1;
    const std::string key = fmt::format(
        "{}{}{}{}{}", of_.sample_key, keys_.optics,
        values_of(scene_,
                  {Stage::phantom, Stage::light, Stage::dose, Stage::background, Stage::camera}),
        channel_.number, given_ ? fftconv::to_json(*given_) : "");
    kept_.dose_.update(key, context_, [&](const RunContext& context) {
      return std::make_shared<double>(dose_of_channel(
          of_.scene, channel_, given_, of_.sample.timelapse(), kept_.psfs_, blur_, context));
    });
    watch_.lap("dose");
    return *kept_.dose_;
  }

  void make_light() {
    kept_.light_.update(keys_.light, context_, [&](const RunContext& context) {
      const simulator::Phantom& seen = of_.sample.seen();
      const auto counted = context.memory.reserve(
          has_own_blur_grid(scene_) ? phantom_bytes(fullest_phantom_of(scene_), sample_grid(scene_))
                                    : 0,
          "objects on the grid of the blur");
      const auto own = on_blur_grid(seen, scene_);
      simulator::PhantomSource rendered{own ? *own : seen, scene_.light};
      PartSource part{rendered, window_.light};
      auto light = std::make_shared<simulator::KeptLight>(window_.light.size, context.memory);
      light->render(part, context);
      return light;
    });
    watch_.lap("light");
    kept_.shown_light_.update(keys_.shown_light, context_,
                              [&](const RunContext& context) { return summed_light(context); });
    watch_.lap("shown light");
  }

  /// Returns the light of the region on the grid of the scene, as the data set has it.
  std::shared_ptr<Stack> summed_light(const RunContext& context) {
    auto light = new_stack("light of the preview", context);
    const simulator::Illumination even{{}, scene_.grid.extent, level_};
    simulator::ExpectedPhotons finish{simulator::Background{0}, even};
    StoreAs as_it_is{PixelType::float32};
    MemorySink pixels{light->view()};
    // The window of a whole grid without a margin has no part
    const Box3 part = window_.part == Box3{} ? whole(window_.light.size) : window_.part;
    PartSource fine{*kept_.light_, part};
    if (scene_.oversample == 1) {
      carry("light", fine, finish, pixels, context);
    } else {
      simulator::PixelSumSink summed{pixels, scene_.oversample, finish, context.pool};
      carry("light", fine, as_it_is, summed, context);
    }
    return light;
  }

  void make_blurred() {
    kept_.blurred_.update(keys_.blurred, context_, [&](const RunContext& context) {
      auto blurred = std::make_shared<Blurred>(
          Blurred{Stack{of_.region.size, PixelType::float32, context.memory, "blurred light"}, {}});
      const ChannelOptics& optics = *kept_.optics_;
      const auto counted =
          context.memory.reserve(simulator::Imaging::bytes(scene_), "sums of light");
      std::optional<ScratchVolume> sums;
      if (optics.references().vary())
        sums.emplace(of_.region.size, PixelType::float32, context.memory,
                     "images that are added up");
      const simulator::Illumination even{{}, scene_.grid.extent};
      simulator::Imaging imaging{scene_, seed_of_scene(scene_), optics.terms(), even,
                                 sums ? &*sums : nullptr};
      const fftconv::Plan plan = plan_of(scene_, optics, window_, given_, blur_.machine(), context);
      PlacedPart light{*kept_.light_, window_.light.origin, blur_grid(scene_).extent};
      StoreAs as_it_is{PixelType::float32};
      MemorySink pixels{blurred->photons.view()};
      imaging.run_into(as_it_is, pixels, blur_, plan, light, window_.light, of_.frame, context);
      blurred->light = imaging.energy();
      return blurred;
    });
    watch_.lap("blur");
  }

  void make_photons() {
    illumination_.emplace(scene_.illumination, scene_.grid.extent, level_);
    kept_.photons_.update(keys_.photons, context_, [&](const RunContext& context) {
      auto photons = new_stack("photons of the preview", context);
      simulator::ExpectedPhotons expected{background(), *illumination_};
      const Stack& blurred = kept_.blurred_->photons;
      for_each_plane(context, [&](std::int64_t z) {
        expected.apply(plane_of_grid(z), plane_in(blurred.view().as<float>(), z),
                       plane_in(photons->view().as<float>(), z));
      });
      return photons;
    });
    watch_.lap("photons");
  }

  void make_recorded() {
    kept_.recorded_.update(keys_.recorded, context_, [&](const RunContext& context) {
      auto recorded = std::make_shared<Recorded>();
      simulator::CameraEpilogue maps{
          scene_.camera, {seed_of_scene(scene_), 0, channel_.number}, scene_.grid.extent};
      simulator::CameraEpilogue camera{maps, of_.frame};
      recorded->counts = counts_of(camera, context);
      if (const auto text = saturation_warning(camera.report()); !text.empty())
        context.log.warn(text);
      watch_.lap("camera");
      recorded->median_snr = median_snr(camera, context);
      return recorded;
    });
    watch_.lap("signal to noise");
  }

  std::shared_ptr<Stack> counts_of(simulator::CameraEpilogue& camera, const RunContext& context) {
    const StreamFormat format = camera.format(of_.region.size);
    auto counts = std::make_shared<Stack>(format.extent, format.type, context.memory,
                                          "counts of the preview");
    const Stack& photons = *kept_.photons_;
    const std::int64_t bytes = format.extent.y * format.extent.x * size_of(format.type);
    for_each_plane(context, [&](std::int64_t z) {
      const VoxelView out{
          counts->voxels.data() + z * bytes, format.type, {1, format.extent.y, format.extent.x}};
      camera.apply(plane_of_grid(z), plane_in(photons.view().as<float>(), z), out);
    });
    return counts;
  }

  std::optional<double> median_snr(const simulator::CameraEpilogue& camera,
                                   const RunContext& context) {
    const Stack& photons = *kept_.photons_;
    MemorySource light{photons.view()}, ids{of_.labels->view()};
    const simulator::ImageNoise noise{camera, background(), *illumination_};
    return simulator::median_of_known(
        simulator::object_snr(light, ids, of_.sample.labels(), noise, context, of_.region.origin));
  }

  ShownImage shown() const {
    ShownImage image{channel_.name,
                     kept_.shown_light_.shared(),
                     kept_.photons_.shared(),
                     kept_.recorded_->counts,
                     kept_.optics_->psf(),
                     kept_.optics_->widths_um(),
                     kept_.recorded_->median_snr,
                     {}};
    if (kept_.blurred_->light) image.light_ledger = level_ * *kept_.blurred_->light;
    return image;
  }

  [[nodiscard]] simulator::Background background() const {
    return background_of(scene_, seed_of_scene(scene_), of_.frame);
  }

  std::shared_ptr<Stack> new_stack(std::string_view what, const RunContext& context) const {
    return std::make_shared<Stack>(of_.region.size, PixelType::float32, context.memory, what);
  }

  template <class Body>
  void for_each_plane(const RunContext& context, Body&& body) const {
    context.pool.for_each(of_.region.size.z, [&](std::int64_t z) {
      context.stop.check();
      body(z);
    });
  }

  /// Returns plane `z` of the region, in the grid.
  [[nodiscard]] Box3 plane_of_grid(std::int64_t z) const {
    return shifted(plane(of_.region.size, z), of_.region.origin);
  }

  template <class T>
  [[nodiscard]] static HostView3<T> plane_in(HostView3<T> voxels, std::int64_t z) {
    return {voxels.row(z, 0), {1, voxels.extent().y, voxels.extent().x}};
  }

  ChannelImage& kept_;
  const simulator::Channel& channel_;
  const simulator::SceneSpec& scene_;
  const PreviewFrame& of_;
  const fftconv::Plan* given_;
  fftconv::Executor& blur_;
  Stopwatch& watch_;
  const RunContext& context_;
  BlurWindow window_;
  double level_ = 1;
  std::optional<simulator::Illumination> illumination_;
  Keys keys_;
};

ShownImage ChannelImage::make(const simulator::Channel& channel, const PreviewFrame& of,
                              const fftconv::Plan* plan, fftconv::Executor& blur, Stopwatch& watch,
                              const RunContext& context) {
  return Making{*this, channel, of, plan, blur, watch, context}.all();
}

std::vector<std::string> ChannelImage::warnings() const {
  std::vector<std::string> all;
  const auto add = [&](const std::vector<std::string>& some) {
    all.insert(all.end(), some.begin(), some.end());
  };
  add(optics_.warnings());
  add(light_.warnings());
  add(blurred_.warnings());
  add(photons_.warnings());
  add(recorded_.warnings());
  return all;
}

/// Releases what the scene has changed before anything new takes memory.
void ChannelImage::forget_changed(const Keys& keys) {
  light_.forget_unless(keys.light);
  shown_light_.forget_unless(keys.shown_light);
  blurred_.forget_unless(keys.blurred);
  photons_.forget_unless(keys.photons);
  recorded_.forget_unless(keys.recorded);
}

}  // namespace synthoscope::studio

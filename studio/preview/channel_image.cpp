// SPDX-License-Identifier: MIT
#include "studio/preview/channel_image.hpp"
#include <fmt/format.h>
#include <cmath>
#include "core/stream/memory_stream.hpp"
#include "fftconv/plan.hpp"
#include "simulator/light/expected_photons.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/truth/median.hpp"
#include "simulator/truth/object_signal.hpp"
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

/// Returns whether a computed PSF is averaged over the pixels of the camera.
std::optional<bool> includes_pixel(const simulator::SceneSpec& scene) {
  if (scene.optics.model == simulator::PsfModel::file) return std::nullopt;
  return scene.oversample == 1 && *simulator::blur_optics(scene).pixel_integration;
}

/// Returns the count that half of the pixels do not exceed.
double median_of(const Stack& counts) {
  std::vector<std::int64_t> numbers(std::size_t{1} << 16);
  const auto count = [&](const auto& view) {
    for (std::int64_t z = 0; z < view.extent().z; ++z)
      for (std::int64_t y = 0; y < view.extent().y; ++y)
        for (std::int64_t x = 0; x < view.extent().x; ++x) ++numbers[view.row(z, y)[x]];
  };
  if (counts.type == PixelType::uint8)
    count(counts.view().as<std::uint8_t>());
  else
    count(counts.view().as<std::uint16_t>());
  std::int64_t left = (volume(counts.extent) + 1) / 2;
  std::size_t value = 0;
  while ((left -= numbers[value]) > 0) ++value;
  return static_cast<double>(value);
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
    const std::string light =
        fmt::format("{}{}{}", of_.sample_key, values_of(scene_, {Stage::phantom, Stage::light}),
                    blur_grid(scene_).extent);
    light_box_ = box_of_light(light);
    keys_.light = fmt::format("{}{}", light, light_box_);
    keys_.shown_light = fmt::format("{}{} {}", light, of_.region, level_);
    keys_.blurred = fmt::format("{}{}{}{}", light, keys_.optics, of_.region,
                                given_ ? fftconv::to_json(*given_) : "");
    keys_.photons = fmt::format("{}{}{}", keys_.blurred,
                                values_of(scene_, {Stage::dose, Stage::background}), level_);
    keys_.recorded = fmt::format("{}{}{}{}", keys_.photons, of_.labels_key,
                                 values_of(scene_, {Stage::camera}), channel_.number);
  }

  /// Returns the box that light is rendered in: that of the light that is kept, if it is the same
  /// light and the blur reads a part of it.
  /// @param light  what the light depends on
  [[nodiscard]] Box3 box_of_light(const std::string& light) const {
    if (const auto kept = kept_.light_.shared()) {
      const Box3& box = kept->box;
      if (kept_.light_.is_for(fmt::format("{}{}", light, box)) &&
          contains(box.size, shifted(window_.light, box.origin, -1)))
        return box;
    }
    return with_reserve(window_.light, blur_grid(scene_).extent);
  }

  /// Returns the factor of the dose that the scene asks for by a signal-to-noise ratio;
  /// otherwise 1.
  double dose() {
    if (!scene_.illumination.snr) return 1;
    const std::string key = dose_light_key();
    kept_.dose_.forget_unless(key + dose_key());
    kept_.dose_light_.update(key, context_, [&](const RunContext& context) {
      return std::make_shared<DoseLight>(of_.scene, channel_, given_, of_.sample.timelapse(),
                                         kept_.psfs_, blur_, context);
    });
    kept_.dose_.update(key + dose_key(), context_, [&](const RunContext& context) {
      return std::make_shared<double>(kept_.dose_light_->dose_for(channel_, context));
    });
    watch_.lap("dose");
    return *kept_.dose_;
  }

  /// Returns what the light depends on that decides the dose: all frames and their blur, but
  /// neither the ratio nor the camera, except for its binning.
  [[nodiscard]] std::string dose_light_key() const {
    simulator::SceneSpec any_ratio = scene_;
    any_ratio.illumination.snr = 1;
    return fmt::format("{}{}{}{} {} {} {}", values_of(of_.scene, {Stage::phantom}), keys_.optics,
                       values_of(scene_, {Stage::phantom, Stage::light}),
                       values_of(any_ratio, {Stage::dose, Stage::background}),
                       scene_.camera.binning, channel_.number,
                       given_ ? fftconv::to_json(*given_) : "");
  }

  [[nodiscard]] std::string dose_key() const {
    return fmt::format("{}{}", *scene_.illumination.snr, values_of(scene_, {Stage::camera}));
  }

  void make_light() {
    const simulator::Phantom& seen = of_.sample.seen();
    kept_.light_.update(keys_.light, context_, [&](const RunContext& context) {
      return rendered_light(scene_, seen, light_box_, context);
    });
    watch_.lap("light");
    kept_.shown_light_.update(keys_.shown_light, context_, [&](const RunContext& context) {
      return light_of_region(*kept_.light_, scene_, window_, of_.region, level_, context);
    });
    watch_.lap("shown light");
  }

  void make_blurred() {
    kept_.blurred_.update(keys_.blurred, context_, [&](const RunContext& context) {
      return blurred_light(*kept_.light_, scene_, *kept_.optics_, window_, of_.region, of_.frame,
                           given_, blur_, context);
    });
    watch_.lap("blur");
  }

  void make_photons() {
    illumination_.emplace(scene_.illumination, scene_.grid.extent, level_);
    kept_.photons_.update(keys_.photons, context_, [&](const RunContext& context) {
      auto photons = std::make_shared<Stack>(of_.region.size, PixelType::float32, context.memory,
                                             "photons of the preview");
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
      recorded->numbers.saturated = saturated_part(camera.report());
      recorded->numbers.median_counts = median_of(*recorded->counts);
      watch_.lap("camera");
      measure_objects(recorded->numbers, camera, context);
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

  void measure_objects(ImageNumbers& numbers, const simulator::CameraEpilogue& camera,
                       const RunContext& context) {
    const Stack& photons = *kept_.photons_;
    MemorySource light{photons.view()}, ids{of_.labels->view()};
    const simulator::ImageNoise noise{camera, background(), *illumination_};
    auto ratios =
        simulator::object_snr(light, ids, of_.sample.labels(), noise, context, of_.region.origin);
    std::erase_if(ratios, [](double ratio) { return std::isnan(ratio); });  // beside the region
    numbers.median_snr = simulator::median_of_known(std::move(ratios));
  }

  ShownImage shown() const {
    ShownImage image{channel_.name,           kept_.shown_light_.shared(),
                     kept_.photons_.shared(), kept_.recorded_->counts,
                     kept_.optics_->psf(),    kept_.optics_->psf_middle(),
                     kept_.recorded_->numbers};
    image.numbers.psf_widths_um = kept_.optics_->widths_um();
    image.numbers.psf_includes_pixel = includes_pixel(scene_);
    if (scene_.illumination.snr) image.numbers.found_dose = *kept_.dose_;
    if (kept_.blurred_->balance) image.numbers.light_ledger = level_ * *kept_.blurred_->balance;
    image.numbers.collects_all = scene_.optics.collection == simulator::Collection::all;
    return image;
  }

  [[nodiscard]] simulator::Background background() const {
    return background_of(scene_, seed_of_scene(scene_), of_.frame);
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
  Box3 light_box_;
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

// SPDX-License-Identifier: MIT
#include "simulator/imaging.hpp"
#include <algorithm>
#include <deque>
#include "core/elementary.hpp"
#include "core/memory_stream.hpp"
#include "core/store_as.hpp"
#include "simulator/blur_setup.hpp"
#include "simulator/device/camera_arguments.hpp"
#include "simulator/device/flat_phantom.hpp"
#include "simulator/expected_photons.hpp"
#include "simulator/pixel_sum.hpp"
#include "simulator/stripes.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {

namespace {

/// Those that an image is blurred by, each with light of its own.
std::int64_t kernels_of(const SceneSpec& scene) {
  return scene.pattern.kind == PatternKind::three_beam ? 2 : 1;
}

/// Whether a camera records photons where they are made: pixel by pixel, of the blur's own.
bool is_recorded_at_once(const SceneSpec& scene) {
  return scene.oversample == 1 && scene.camera.binning == 1;
}

/// What light, photons and camera keep on a GPU that renders, counts, finishes and records them, at
/// most.
std::int64_t gpu_bytes(const SceneSpec& scene) {
  const Extent3& pixels = scene.grid.extent;
  const Extent3 fine = blur_grid(scene).extent;
  const bool is_uneven =
      scene.illumination.falloff > 0 || scene.illumination.flat_field || light_level(scene) != 1;
  return device::flat_phantom_bytes(fullest_phantom_of(scene), scene.grid, fine) +
         std::int64_t{sizeof(HarmonicFactors)} +
         (1 + kernels_of(scene)) * fine.z * std::int64_t{sizeof(device::PlaneSum)} +
         (scene.pattern.is_on() ? kernels_of(scene) * Stripes::bytes(blur_grid(scene)) : 0) +
         (is_uneven ? pixels.y * pixels.x * std::int64_t{sizeof(double)} : 0) +
         (is_recorded_at_once(scene)
              ? device::camera_bytes((scene.camera.has_dark_map() ? 4 : 3) * pixels.y * pixels.x)
              : 0);
}

/// Planes of a PSF times the cosine of so many cycles of their distance from the focus.
Volume<float> modulated(const Psf& psf, double pitch_um, double cycles_per_um) {
  Volume<float> kernel{psf.voxels.extent};
  const std::int64_t area = kernel.extent.y * kernel.extent.x;
  for (std::int64_t z = 0; z < kernel.extent.z; ++z) {
    const double um = static_cast<double>(z - psf.centre.z) * pitch_um;
    const double weight = portable::cosine_and_sine(cycles_per_um * um).cosine;
    std::transform(psf.voxels.view().row(z, 0), psf.voxels.view().row(z, 0) + area,
                   kernel.view().row(z, 0),
                   [&](float voxel) { return static_cast<float>(weight * voxel); });
  }
  return kernel;
}

/// Light on its way to the kernel that blurs it: counted, and before that lit in stripes, if there
/// are any. Stays where it is.
class Summand {
 public:
  Summand(Source& light, const Volume<float>& kernel, LightLedger& emitted)
      : kernel_{kernel.view()} {
    counted_.emplace(light, emitted);
  }
  Summand(Source& light, const Stripes& stripes, const Volume<float>& kernel, LightLedger& emitted)
      : kernel_{kernel.view()}, stripes_{stripes} {
    striped_.emplace(light, *stripes_);
    counted_.emplace(*striped_, emitted);
  }

  fftconv::Term term() {
    return {.image = &*counted_, .kernel = {.voxels = &kernel_}, .weight_z = {}};
  }
  void finish() { counted_->finish(); }

 private:
  MemorySource kernel_;
  std::optional<Stripes> stripes_;
  std::optional<StripedSource> striped_;
  std::optional<CountedSource> counted_;
};

}  // namespace

fftconv::Problem blur_problem(const SceneSpec& scene, const PsfRoom& psf, BoxOrder stored) {
  fftconv::Problem problem;
  problem.image = blur_grid(scene).extent;
  problem.kernel = psf.size;
  problem.center = psf.centre;
  problem.terms = kernels_of(scene);
  // Pixels are added up from whole planes
  problem.order = scene.oversample > 1 ? BoxOrder::planes_in_order : stored;
  problem.image_voxel_bytes = 0;  // light is rendered where it is needed
  const std::int64_t voxels_of_pixel = scene.oversample * scene.oversample;
  problem.result_voxel_bytes =
      (size_of(PixelType::float32) + size_of(PixelType::uint16) + voxels_of_pixel - 1) /
      voxels_of_pixel;
  problem.image_made_on_gpu = true;
  problem.gpu_beside_bytes = gpu_bytes(scene);
  if (is_recorded_at_once(scene)) problem.beside_voxel_bytes = size_of(PixelType::uint16);
  problem.source_voxel_bytes = problem.sink_voxel_bytes = size_of(PixelType::float32);
  return problem;
}

Imaging::Imaging(const SceneSpec& scene, const Psf& psf, const Illumination& illumination)
    : scene_{scene},
      psf_{psf},
      illumination_{illumination},
      emitted_{blur_grid(scene).extent, true},
      blurred_{blur_grid(scene).extent, false} {
  if (kernels_of(scene) == 1) return;
  const double axial = raw_pattern(scene.pattern, scene.optics, 0).axial_cycles_per_um;
  coarse_.emplace(axial, modulated(psf, scene.grid.pitch.z_um, axial), blur_grid(scene).extent);
}

std::int64_t Imaging::bytes(const SceneSpec& scene, const PsfRoom& psf) {
  const Extent3 fine = blur_grid(scene).extent;
  return kernels_of(scene) * LightLedger::bytes(fine, true) + LightLedger::bytes(fine, false) +
         (kernels_of(scene) - 1) * volume(psf.size) * std::int64_t{sizeof(float)} +
         (scene.pattern.is_on() ? kernels_of(scene) * Stripes::bytes(blur_grid(scene)) : 0) +
         (scene.oversample > 1 ? PixelSumSink::bytes(scene.grid.extent) : 0);
}

fftconv::RunReport Imaging::run(fftconv::Executor& blur, const fftconv::Plan& plan, Source& light,
                                std::int64_t frame, Sink& photons, const RunContext& context) {
  emitted_.clear();
  blurred_.clear();
  if (coarse_) coarse_->emitted.clear();
  std::deque<Summand> summands;
  if (scene_.pattern.is_on()) {
    const RawPattern raw = raw_pattern(scene_.pattern, scene_.optics, frame);
    const Grid fine = blur_grid(scene_);
    const bool is_averaged = emitters_of(scene_).extended;
    summands.emplace_back(light, Stripes{raw.fine, 1, fine, is_averaged}, psf_.voxels, emitted_);
    if (coarse_)
      summands.emplace_back(light, Stripes{raw.coarse, 0, fine, is_averaged}, coarse_->kernel,
                            coarse_->emitted);
  } else {
    summands.emplace_back(light, psf_.voxels, emitted_);
  }
  std::vector<fftconv::Term> terms;
  for (Summand& one : summands) terms.push_back(one.term());

  ExpectedPhotons expected{scene_.background_photons, illumination_};
  fftconv::RunReport report;
  if (scene_.oversample == 1) {
    CountedEpilogue finish{expected, blurred_};
    report = blur.run(plan, terms, finish, photons, context);
  } else {
    StoreAs as_it_is{PixelType::float32};
    CountedEpilogue finish{as_it_is, blurred_};
    PixelSumSink pixels{photons, scene_.oversample, expected, context.pool};
    report = blur.run(plan, terms, finish, pixels, context);
  }
  for (Summand& one : summands) one.finish();
  return report;
}

std::optional<EnergyBalance> Imaging::energy() const {
  if (!emitted_.is_complete() || !blurred_.is_complete()) return std::nullopt;
  if (coarse_ && !coarse_->emitted.is_complete()) return std::nullopt;
  const OpticsSpec optics = blur_optics(scene_);
  const VoxelSize pitch = blur_grid(scene_).pitch;
  std::vector<SpreadLight> light{spread_by(emitted_.planes(), optics, pitch, psf_)};
  if (coarse_)
    light.push_back(
        spread_by(coarse_->emitted.planes(), optics, pitch, psf_, coarse_->axial_cycles_per_um));
  return light_level(scene_) * balance_of(light, blurred_.planes());
}

}  // namespace synthoscope::simulator

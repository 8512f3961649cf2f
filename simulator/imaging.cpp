// SPDX-License-Identifier: MIT
#include "simulator/imaging.hpp"
#include <algorithm>
#include "core/memory_stream.hpp"
#include "core/store_as.hpp"
#include "simulator/blur_setup.hpp"
#include "simulator/device/camera_arguments.hpp"
#include "simulator/device/flat_phantom.hpp"
#include "simulator/expected_photons.hpp"
#include "simulator/pixel_sum.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {

namespace {

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
         2 * fine.z * std::int64_t{sizeof(device::PlaneSum)} +
         (is_uneven ? pixels.y * pixels.x * std::int64_t{sizeof(double)} : 0) +
         (is_recorded_at_once(scene)
              ? device::camera_bytes((scene.camera.has_dark_map() ? 4 : 3) * pixels.y * pixels.x)
              : 0);
}

}  // namespace

fftconv::Problem blur_problem(const SceneSpec& scene, const PsfRoom& psf, BoxOrder stored) {
  fftconv::Problem problem;
  problem.image = blur_grid(scene).extent;
  problem.kernel = psf.size;
  problem.center = psf.centre;
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
      blurred_{blur_grid(scene).extent, false} {}

std::int64_t Imaging::bytes(const SceneSpec& scene) {
  const Extent3 fine = blur_grid(scene).extent;
  return LightLedger::bytes(fine, true) + LightLedger::bytes(fine, false) +
         (scene.oversample > 1 ? PixelSumSink::bytes(scene.grid.extent) : 0);
}

fftconv::RunReport Imaging::run(fftconv::Executor& blur, const fftconv::Plan& plan, Source& light,
                                Sink& photons, const RunContext& context) {
  emitted_.clear();
  blurred_.clear();
  CountedSource counted{light, emitted_};
  MemorySource kernel{psf_.voxels.view()};
  const fftconv::Term term{.image = &counted, .kernel = {.voxels = &kernel}, .weight_z = {}};
  ExpectedPhotons expected{scene_.background_photons, illumination_};
  if (scene_.oversample == 1) {
    CountedEpilogue finish{expected, blurred_};
    auto report = blur.run(plan, {&term, 1}, finish, photons, context);
    counted.finish();
    return report;
  }
  StoreAs as_it_is{PixelType::float32};
  CountedEpilogue finish{as_it_is, blurred_};
  PixelSumSink pixels{photons, scene_.oversample, expected, context.pool};
  auto report = blur.run(plan, {&term, 1}, finish, pixels, context);
  counted.finish();
  return report;
}

std::optional<EnergyBalance> Imaging::energy() const {
  if (!emitted_.is_complete() || !blurred_.is_complete()) return std::nullopt;
  return light_level(scene_) * balance_of(emitted_.planes(), blurred_.planes(), blur_optics(scene_),
                                          blur_grid(scene_).pitch, psf_);
}

}  // namespace synthoscope::simulator

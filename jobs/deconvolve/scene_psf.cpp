// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/scene_psf.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/memory_stream.hpp"
#include "deconvolution/image/recorded_light.hpp"
#include "simulator/imaging/lens.hpp"
#include "simulator/imaging/references.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"

namespace synthoscope::jobs {
namespace {

using simulator::SceneSpec;

/// Returns the only channel of a scene.
SceneSpec only_channel(const SceneSpec& scene) {
  const auto channels = simulator::channels_of(scene);
  if (channels.size() > 1)
    throw InvalidSpec(
        fmt::format("deconvolve --optics: the scene has {} channels, each with its own PSF; give a "
                    "scene of one channel",
                    channels.size()));
  const SceneSpec& only = channels.front().scene;
  if (only.pattern.is_on())
    throw InvalidSpec(
        "deconvolve --optics: the scene's light has a pattern, and raw images of patterns cannot "
        "be deconvolved one by one; give a scene without [pattern]");
  return only;
}

/// Returns the voxel size of an image; of the scene's pixels where the image does not know it.
VoxelSize pitch_of(const SceneSpec& scene, const imageio::ImageInfo& image, Log& log) {
  constexpr double kTolerance = 0.01;  // relative
  VoxelSize pitch = scene.grid.pitch;
  pitch.y_um *= static_cast<double>(scene.camera.binning);
  pitch.x_um *= static_cast<double>(scene.camera.binning);
  const auto take = [&](double& ours, const std::optional<double>& known, const char* axis) {
    if (!known || !(*known > 0)) return;
    if (std::abs(*known - ours) > kTolerance * ours)
      log.warn(
          fmt::format("voxels of the image are {:g} um along {}, but the scene's are {:g} um; the "
                      "PSF is computed for the image's",
                      *known, axis, ours));
    ours = *known;
  };
  take(pitch.z_um, image.extent.z > 1 ? image.z_um : std::nullopt, "z");
  take(pitch.y_um, image.y_um, "y");
  take(pitch.x_um, image.x_um, "x");
  return pitch;
}

/// Returns a scene on the grid of the image.
SceneSpec on_image(const SceneSpec& given, const imageio::ImageInfo& image, Log& log) {
  SceneSpec scene = only_channel(given);
  const double beyond_um =
      static_cast<double>(simulator::margin_of(scene).z) * scene.grid.pitch.z_um;
  scene.optics.depth_um += beyond_um;  // the image begins where the grid does, not its margin
  scene.grid = {image.extent, pitch_of(scene, image, log)};
  scene.margin_um = {0, 0, 0};
  scene.oversample = 1;
  return scene;
}

/// Returns weights of planes of the field as weights of planes of the estimate.
std::vector<double> of_estimate(const std::vector<double>& field,
                                const deconvolution::Geometry& geometry) {
  std::vector<double> weights;
  const std::int64_t first = field_in_estimate(geometry).origin.z;
  const auto last = static_cast<std::int64_t>(field.size()) - 1;
  for (std::int64_t z = 0; !field.empty() && z < estimate_extent(geometry).z; ++z)
    weights.push_back(
        field[static_cast<std::size_t>(std::clamp<std::int64_t>(z - first, 0, last))]);
  return weights;
}

void require_depth_alone(const simulator::References& references) {
  for (const simulator::Reference& one : references.all)
    if (!one.weights.y.empty() || !one.weights.x.empty())
      throw InvalidSpec(
          "deconvolve --optics: the scene's PSF or light varies along y or x; only what varies "
          "with "
          "depth can be deconvolved, so leave sheet_along and excitation_along out of the scene");
}

double mean_of(const std::vector<double>& weights) {
  if (weights.empty()) return 1;
  return std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
}

/// Copies the voxels of a PSF, and returns their sum.
double keep(const simulator::Psf& psf, ScratchVolume& voxels, const RunContext& context) {
  MemorySource computed{psf.voxels.view()};
  deconvolution::RecordedLight positive{{}};  // interpolation may leave values below 0
  carry("copy PSF", computed, positive, voxels, context);
  return std::transform_reduce(psf.voxels.voxels.begin(), psf.voxels.voxels.end(), 0.0,
                               std::plus<>{},
                               [](float v) { return std::max(static_cast<double>(v), 0.0); });
}

void tell(const simulator::Psf& psf, Log& log) {
  for (const std::string& note : psf.notes) log.note(note);
  for (const std::string& warning : psf.warnings) log.warn(warning);
}

}  // namespace

ScenePsf make_scene_psf(const SceneSpec& given, const imageio::ImageInfo& image,
                        deconvolution::Edge edge, fftconv::KernelNormalization normalization,
                        const RunContext& context) {
  const SceneSpec scene = on_image(given, image, context.log);
  const simulator::References references = simulator::references_of(scene, context.pool);
  require_depth_alone(references);
  if (const auto said = references.description(); !said.empty()) context.log.note(said);
  const auto size = psf_size_of(references, scene, context.pool, context.stop);
  simulator::ReferencePsfs computed{scene, references, size};
  ScenePsf made;
  for (std::size_t i = 0; i < references.all.size(); ++i) {
    context.stop.check();
    const simulator::Psf psf = computed.make(i, context.pool, &context.memory, context.stop);
    if (i == 0 || i + 1 == references.all.size()) tell(psf, context.log);
    made.extent = psf.voxels.extent;
    made.center = psf.centre;
    made.voxels.push_back(std::make_unique<ScratchVolume>(made.extent, PixelType::float32,
                                                          context.memory, "a PSF of the scene"));
    const std::vector<double>& weights = references.all[i].weights.z;
    made.sum += mean_of(weights) * keep(psf, *made.voxels.back(), context);
    const deconvolution::Geometry geometry{image.extent, made.extent, made.center, edge};
    made.psfs.push_back({{made.voxels.back().get(), 0, 1}, of_estimate(weights, geometry)});
  }
  if (!(made.sum > 0))
    throw InvalidSpec("deconvolve --optics: the PSF of the scene has no light; give other optics");
  if (normalization == fftconv::KernelNormalization::sum)
    for (deconvolution::WeightedPsf& psf : made.psfs) psf.kernel.scale = 1 / made.sum;
  const Json all = parse_json(simulator::to_json(scene));
  made.request = text_of(
      Json{{"optics", all.at("optics")},
           {"medium", all.at("medium")},
           {"voxel_um", {references.pitch.z_um, references.pitch.y_um, references.pitch.x_um}}});
  return made;
}

}  // namespace synthoscope::jobs

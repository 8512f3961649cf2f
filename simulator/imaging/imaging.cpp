// SPDX-License-Identifier: MIT
#include "simulator/imaging/imaging.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <deque>
#include "core/math/elementary.hpp"
#include "core/stream/part_source.hpp"
#include "core/stream/store_as.hpp"
#include "simulator/detector/camera_arguments.hpp"
#include "simulator/light/expected_photons.hpp"
#include "simulator/light/light_sums.hpp"
#include "simulator/light/stripes.hpp"
#include "simulator/light/weighted_source.hpp"
#include "simulator/phantom/flat/flat_phantom.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {

namespace {

/// Returns the number of kernels that an image is blurred by, each with its own light.
std::int64_t kernels_of(const SceneSpec& scene) {
  return scene.pattern.kind == PatternKind::three_beam ? 2 : 1;
}

/// Returns whether the camera records photons where they are made: its pixels are the blur's
/// voxels.
bool is_recorded_at_once(const SceneSpec& scene) {
  return scene.oversample == 1 && scene.camera.binning == 1;
}

/// Returns the most bytes that light, photons and camera keep on a GPU that renders, counts,
/// finishes and records them.
std::int64_t gpu_bytes(const SceneSpec& scene) {
  const Extent3& pixels = scene.grid.extent;
  const Extent3 fine = blur_grid(scene).extent;
  const IlluminationSpec& lamp = scene.illumination;
  const bool is_uneven = lamp.falloff > 0 || lamp.flat_field || lamp.snr || light_level(scene) != 1;
  return kernels_of(scene) *
             (device::flat_phantom_bytes(fullest_phantom_of(scene), sample_grid(scene), fine) +
              std::int64_t{sizeof(HarmonicFactors)}) +
         (1 + kernels_of(scene)) * fine.z * std::int64_t{sizeof(device::PlaneSum)} +
         (scene.pattern.is_on() ? kernels_of(scene) * Stripes::bytes(blur_grid(scene)) : 0) +
         kernels_of(scene) * (fine.z + fine.y + fine.x) * std::int64_t{sizeof(double)} +  // weights
         (is_uneven ? pixels.y * pixels.x * std::int64_t{sizeof(double)} : 0) +
         Background::bytes(scene.background, pixels) +
         (is_recorded_at_once(scene)
              ? device::camera_bytes((scene.camera.has_dark_map() ? 4 : 3) * pixels.y * pixels.x)
              : 0);
}

/// Returns cosines of `cycles_per_um` at `planes` distances, 0 in the middle, a plane apart.
std::vector<double> cosines(std::int64_t planes, double pitch_um, double cycles_per_um) {
  std::vector<double> all;
  for (std::int64_t z = 0; z < planes; ++z) {
    const double um = static_cast<double>(z - planes / 2) * pitch_um;
    all.push_back(portable::cosine_and_sine(cycles_per_um * um).cosine);
  }
  return all;
}

/// Light on its way to the kernel that blurs it: lit in stripes and weighted if needed, then
/// counted. Cannot be moved.
class Summand {
 public:
  Summand(Source& light, std::optional<Stripes> stripes, const VoxelWeights& weights,
          Source& kernel, LightLedger& emitted)
      : kernel_{kernel}, stripes_{std::move(stripes)} {
    Source* seen = &light;
    if (stripes_) seen = &striped_.emplace(*seen, *stripes_);
    if (!weights.is_one()) seen = &weighted_.emplace(*seen, weights);
    counted_.emplace(*seen, emitted);
  }
  Summand(const Summand&) = delete;
  Summand& operator=(const Summand&) = delete;

  fftconv::Term term() {
    return {.image = &*counted_, .kernel = {.voxels = &kernel_}, .weight_z = {}};
  }

 private:
  Source& kernel_;
  std::optional<Stripes> stripes_;
  std::optional<StripedSource> striped_;
  std::optional<WeightedSource> weighted_;
  std::optional<CountedSource> counted_;
};

}  // namespace

fftconv::Problem blur_problem(const SceneSpec& scene, const PsfSize& psf, BoxOrder stored) {
  fftconv::Problem problem;
  problem.image = blur_grid(scene).extent;
  problem.part = recorded_part(scene);
  problem.kernel = psf.size;
  problem.center = psf.centre;
  problem.terms = kernels_of(scene);
  // Pixels are summed from whole planes
  problem.order = scene.oversample > 1 ? BoxOrder::planes_in_order : stored;
  problem.image_voxel_bytes = 0;  // light is rendered on demand
  const std::int64_t voxels_of_pixel = scene.oversample * scene.oversample;
  problem.result_voxel_bytes =
      (size_of(PixelType::float32) + size_of(PixelType::uint16) + voxels_of_pixel - 1) /
      voxels_of_pixel;
  problem.image_made_on_gpu = true;
  problem.gpu_stream_bytes = gpu_bytes(scene);
  if (is_recorded_at_once(scene)) problem.second_voxel_bytes = size_of(PixelType::uint16);
  problem.source_voxel_bytes = problem.sink_voxel_bytes = size_of(PixelType::float32);
  return problem;
}

void add(fftconv::RunReport& all, const fftconv::RunReport& one) {
  all.instruction_set = one.instruction_set;
  all.fft = one.fft;
  all.seconds += one.seconds;
  all.peak_memory_bytes = std::max(all.peak_memory_bytes, one.peak_memory_bytes);
  all.peak_device_bytes = std::max(all.peak_device_bytes, one.peak_device_bytes);
  all.stages.resize(one.stages.size());  // one plan has the same stages each time
  for (std::size_t i = 0; i < one.stages.size(); ++i) {
    all.stages[i].first = one.stages[i].first;
    all.stages[i].second += one.stages[i].second;
  }
}

Imaging::CoarseStripes::CoarseStripes(const SceneSpec& scene, const Extent3& psf)
    : emitted{blur_grid(scene).extent, true} {
  const double axial = raw_pattern(scene.pattern, scene.optics, 0).axial_cycles_per_um;
  of_kernel.z = cosines(psf.z, scene.grid.pitch.z_um, axial);
  of_distances = cosines(2 * blur_grid(scene).extent.z - 1, scene.grid.pitch.z_um, axial);
}

Imaging::Imaging(const SceneSpec& scene, std::uint64_t seed, const std::vector<BlurTerm>& terms,
                 const Illumination& illumination, ScratchVolume* sums)
    : scene_{scene},
      seed_{seed},
      terms_{terms},
      illumination_{illumination},
      emitted_{blur_grid(scene).extent, true},
      blurred_{refined(scene.grid, scene.oversample).extent, false} {
  SYNTHOSCOPE_ASSERT(terms.size() == 1 || sums != nullptr, ==, true);
  if (sums) sums_.emplace(*sums);
  if (kernels_of(scene) > 1) coarse_.emplace(scene, terms.front().psf->extent());
}

std::int64_t Imaging::bytes(const SceneSpec& scene) {
  const Extent3 fine = blur_grid(scene).extent;
  return kernels_of(scene) * LightLedger::bytes(fine, true) + LightLedger::bytes(fine, false) +
         (scene.pattern.is_on() ? kernels_of(scene) * Stripes::bytes(blur_grid(scene)) : 0) +
         (scene.oversample > 1 ? PixelSumSink::bytes(scene.grid.extent) : 0) +
         Background::bytes(scene.background, scene.grid.extent);
}

fftconv::RunReport Imaging::run(fftconv::Executor& blur, const fftconv::Plan& plan, Source& light,
                                std::int64_t frame, Sink& photons, const RunContext& context) {
  ExpectedPhotons expected{background_of(scene_, seed_, frame), illumination_};
  return run_into(expected, photons, blur, plan, light, whole(light.extent()), frame, context);
}

fftconv::RunReport Imaging::run_into(Epilogue& finish, Sink& pixels, fftconv::Executor& blur,
                                     const fftconv::Plan& plan, Source& light, const Box3& window,
                                     std::int64_t frame, const RunContext& context) {
  if (terms_.size() == 1) {
    auto report =
        blur_term(terms_.front(), blur, plan, light, window, frame, finish, pixels, context);
    energy_ = balance_of_term(terms_.front());
    return report;
  }

  // Images of all PSFs but the last are summed in `sums_`, to which the last is added on its way
  StoreAs as_it_is{PixelType::float32};
  SummedEpilogue sum_up{*sums_, finish};
  fftconv::RunReport report;
  energy_ = EnergyBalance{};
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    LabelledProgress progress{context.progress, fmt::format("psf {}/{}", i + 1, terms_.size())};
    const RunContext part = with_progress(progress, context);
    const bool is_last = i + 1 == terms_.size();
    sums_->begin(i == 0);
    Epilogue& stores = is_last ? static_cast<Epilogue&>(sum_up) : as_it_is;
    Sink& takes = is_last ? pixels : *sums_;
    add(report, blur_term(terms_[i], blur, plan, light, window, frame, stores, takes, part));
    const auto its = balance_of_term(terms_[i]);
    if (energy_ && its)
      *energy_ += *its;
    else
      energy_.reset();
  }
  return report;
}

/// Blurs light through one PSF; `finish` turns its photons into what `pixels` takes.
fftconv::RunReport Imaging::blur_term(const BlurTerm& term, fftconv::Executor& blur,
                                      const fftconv::Plan& plan, Source& light, const Box3& window,
                                      std::int64_t frame, Epilogue& finish, Sink& pixels,
                                      const RunContext& context) {
  emitted_.clear();
  blurred_.clear();
  std::deque<Summand> summands;
  std::optional<WeightedSource> coarse_kernel;
  if (scene_.pattern.is_on()) {
    const RawPattern raw = raw_pattern(scene_.pattern, scene_.optics, frame);
    const Grid fine = blur_grid(scene_);
    const bool is_averaged = emitters_of(scene_).extended;
    summands.emplace_back(light, Stripes{raw.fine, 1, fine, is_averaged}, *term.weights, *term.psf,
                          emitted_);
    if (coarse_) {
      coarse_->emitted.clear();
      coarse_kernel.emplace(*term.psf, coarse_->of_kernel);
      summands.emplace_back(light, Stripes{raw.coarse, 0, fine, is_averaged}, *term.weights,
                            *coarse_kernel, coarse_->emitted);
    }
  } else {
    summands.emplace_back(light, std::nullopt, *term.weights, *term.psf, emitted_);
  }
  std::vector<fftconv::Term> terms;
  for (Summand& one : summands) terms.push_back(one.term());
  std::deque<PartSource> parts;
  if (window != whole(light.extent()))
    for (fftconv::Term& one : terms) one.image = &parts.emplace_back(*one.image, window);

  fftconv::RunReport report;
  if (scene_.oversample == 1) {
    CountedEpilogue finished{finish, blurred_};
    report = blur.run(plan, terms, finished, pixels, context);
  } else {
    StoreAs as_it_is{PixelType::float32};
    CountedEpilogue finished{as_it_is, blurred_};
    PixelSumSink gathered{pixels, scene_.oversample, finish, context.pool};
    report = blur.run(plan, terms, finished, gathered, context);
  }
  return report;
}

std::optional<EnergyBalance> Imaging::balance_of_term(const BlurTerm& term) const {
  if (!emitted_.is_complete() || !blurred_.is_complete()) return std::nullopt;
  if (recorded_part(scene_) != Box3{}) return std::nullopt;  // light that falls beside the grid
  if (coarse_ && !coarse_->emitted.is_complete()) return std::nullopt;
  std::vector<SpreadLight> light{{emitted_.planes(), term.energies}};
  if (coarse_)
    light.push_back({coarse_->emitted.planes(), term.energies.times(coarse_->of_distances)});
  return illumination_.level() *
         balance_of(light, blurred_.planes(), collected_part(scene_.optics));
}

}  // namespace synthoscope::simulator

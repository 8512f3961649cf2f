// SPDX-License-Identifier: MIT
// simulator/imaging/imaging.hpp — the second phase: what the lens makes of the phantom's light.
#pragma once
#include <optional>
#include <vector>
#include "core/stream/partial_sums.hpp"
#include "fftconv/executor.hpp"
#include "simulator/light/energy.hpp"
#include "simulator/light/illumination.hpp"
#include "simulator/light/light_ledger.hpp"
#include "simulator/light/weighted_source.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// Returns what determines the plan of a blur, in addition to the machine. `stored` is the order
/// that the sink of the photons asks for.
fftconv::Problem blur_problem(const SceneSpec& scene, const PsfSize& psf, BoxOrder stored);

/// A PSF and the light that it applies to: one of several whose images are added up, or the only
/// one.
struct BlurTerm {
  Source* psf = nullptr;
  PlaneEnergies energies;
  const VoxelWeights* weights = nullptr;  ///< of the light
};

/// Adds the blur of one more image or PSF to a report, as if all were one blur.
void add(fftconv::RunReport& all, const fftconv::RunReport& one);

/// The blur of light on blur_grid(scene) into noise-free photons per pixel of the scene's grid, PSF
/// by PSF, with an account of the light. All references must outlive it.
class Imaging {
 public:
  /// Three-beam stripes are blurred in two summands: the coarse ones fade along z with the distance
  /// from the focus, so their kernel is the PSF times a cosine of that distance.
  /// @param seed  of the scene, for its background
  /// @param sums  volume on the scene's grid where the images of all PSFs but the last are added
  ///              up; null if there is one PSF
  Imaging(const SceneSpec& scene, std::uint64_t seed, const std::vector<BlurTerm>& terms,
          const Illumination& illumination, ScratchVolume* sums = nullptr);

  /// Returns the bytes that it holds, apart from the convolution and `sums`.
  static std::int64_t bytes(const SceneSpec& scene);

  /// Blurs raw image `frame` and writes its expected photons to `photons`, a float32 sink on the
  /// scene's grid, without closing it.
  /// @throws what the executor throws.
  fftconv::RunReport run(fftconv::Executor& blur, const fftconv::Plan& plan, Source& light,
                         std::int64_t frame, Sink& photons, const RunContext& context);

  /// Blurs raw image `frame`, or a part of it, into photons per pixel without illumination and
  /// background. `finish` turns them into what `pixels` takes.
  /// @param light   on the whole grid of the blur
  /// @param window  box of `light` that is blurred: the image of the plan
  /// @param finish  keeps extents and makes float32
  fftconv::RunReport run_into(Epilogue& finish, Sink& pixels, fftconv::Executor& blur,
                              const fftconv::Plan& plan, Source& light, const Box3& window,
                              std::int64_t frame, const RunContext& context);

  /// Returns the balance of the last run; absent if the executor did not read all of the light.
  [[nodiscard]] const std::optional<EnergyBalance>& energy() const { return energy_; }

 private:
  struct CoarseStripes {
    CoarseStripes(const SceneSpec& scene, const Extent3& psf);
    VoxelWeights of_kernel;
    std::vector<double> of_distances;  ///< one per distance, as in PlaneEnergies
    LightLedger emitted;
  };

  fftconv::RunReport blur_term(const BlurTerm& term, fftconv::Executor& blur,
                               const fftconv::Plan& plan, Source& light, const Box3& window,
                               std::int64_t frame, Epilogue& finish, Sink& pixels,
                               const RunContext& context);
  [[nodiscard]] std::optional<EnergyBalance> balance_of_term(const BlurTerm& term) const;

  const SceneSpec& scene_;
  std::uint64_t seed_;
  const std::vector<BlurTerm>& terms_;
  const Illumination& illumination_;
  std::optional<PartialSums> sums_;
  LightLedger emitted_, blurred_;
  std::optional<CoarseStripes> coarse_;  ///< for three beams only
  std::optional<EnergyBalance> energy_;
};

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// simulator/imaging.hpp — the second phase: what the lens makes of the phantom's light.
#pragma once
#include <optional>
#include <utility>
#include "fftconv/executor.hpp"
#include "simulator/energy.hpp"
#include "simulator/illumination.hpp"
#include "simulator/light_ledger.hpp"
#include "simulator/scene.hpp"

namespace synthoscope::simulator {

/// What determines the plan of a blur, beside the machine. `stored` is the order that the sink of
/// the photons asks for.
fftconv::Problem blur_problem(const SceneSpec& scene, const PsfRoom& psf, BoxOrder stored);

/// Blurs light on blur_grid(scene) into noise-free photons per pixel of the scene's grid, and keeps
/// account of it. All references must outlive this.
class Imaging {
 public:
  /// Light in stripes of three beams is blurred in two summands: the coarse ones fade along z with
  /// the distance from the focus, so their kernel is the PSF times a cosine of that.
  Imaging(const SceneSpec& scene, const Psf& psf, const Illumination& illumination);

  /// What it holds beside the convolution.
  static std::int64_t bytes(const SceneSpec& scene, const PsfRoom& psf);

  /// Hands expected photons of raw image `frame` to `photons`, a float32 sink on the scene's grid;
  /// does not close it.
  /// @throws what the executor throws.
  fftconv::RunReport run(fftconv::Executor& blur, const fftconv::Plan& plan, Source& light,
                         std::int64_t frame, Sink& photons, const RunContext& context);

  /// Of the last run; absent if the executor did not read all of the light.
  [[nodiscard]] std::optional<EnergyBalance> energy() const;

 private:
  struct CoarseStripes {
    CoarseStripes(double axial, Volume<float> modulated, const Extent3& blurred)
        : axial_cycles_per_um{axial}, kernel{std::move(modulated)}, emitted{blurred, true} {}
    double axial_cycles_per_um;
    Volume<float> kernel;
    LightLedger emitted;
  };

  const SceneSpec& scene_;
  const Psf& psf_;
  const Illumination& illumination_;
  LightLedger emitted_, blurred_;
  std::optional<CoarseStripes> coarse_;  ///< of three beams
};

}  // namespace synthoscope::simulator

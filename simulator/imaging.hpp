// SPDX-License-Identifier: MIT
// simulator/imaging.hpp — the second phase: what the lens makes of the phantom's light.
#pragma once
#include <optional>
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
  Imaging(const SceneSpec& scene, const Psf& psf, const Illumination& illumination);

  /// What it holds beside the convolution.
  static std::int64_t bytes(const SceneSpec& scene);

  /// Hands expected photons to `photons`, a float32 sink on the scene's grid; does not close it.
  /// @throws what the executor throws.
  fftconv::RunReport run(fftconv::Executor& blur, const fftconv::Plan& plan, Source& light,
                         Sink& photons, const RunContext& context);

  /// Of the last run; absent if the executor did not read all of the light.
  [[nodiscard]] std::optional<EnergyBalance> energy() const;

 private:
  const SceneSpec& scene_;
  const Psf& psf_;
  const Illumination& illumination_;
  LightLedger emitted_, blurred_;
};

}  // namespace synthoscope::simulator

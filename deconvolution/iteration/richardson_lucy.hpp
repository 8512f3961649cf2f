// SPDX-License-Identifier: MIT
// deconvolution/iteration/richardson_lucy.hpp — the light that most likely made an image.
#pragma once
#include <optional>
#include <vector>
#include "core/stream/scratch_volume.hpp"
#include "deconvolution/iteration/depth_psf.hpp"
#include "deconvolution/iteration/estimate_update.hpp"
#include "deconvolution/iteration/geometry.hpp"
#include "deconvolution/iteration/relative_residual.hpp"
#include "deconvolution/iteration/seen_share.hpp"
#include "deconvolution/iteration/start.hpp"
#include "deconvolution/iteration/total_variation.hpp"
#include "fftconv/executor.hpp"

namespace synthoscope::deconvolution {

/// What an image is explained by.
struct Model {
  Geometry geometry;
  fftconv::Kernel kernel;  ///< its weights are not negative, and their sum is 1
  double background = 0;   ///< in the units of the image
  /// If given, takes the place of the kernel in the adjoint (make_back_projector): the same extent
  /// and centre, sum 1. Not with momentum.
  std::optional<fftconv::Kernel> back = {};
  /// If given, the estimate has a penalty for its total variation. Not with `back`.
  std::optional<VariationSpec> variation = {};
  /// If not empty, these take the place of the kernel: the PSF varies with depth. Not with `back`.
  std::vector<WeightedPsf> depths = {};
};

/// The volumes of a run, float32. With those in memory a run is in core; those in files leave
/// memory to the convolutions.
struct WorkingVolumes {
  ScratchVolume& estimate;        ///< of estimate_extent
  ScratchVolume& residual;        ///< of the field
  ScratchVolume* last = nullptr;  ///< of estimate_extent; with it, iterations have momentum
  /// Of estimate_extent, for a copy of the estimate; only with Model::variation.
  ScratchVolume* copy = nullptr;
  ScratchVolume* sum = nullptr;  ///< of estimate_extent, for H^T d; only with Model::depths
};

/// How both convolutions of an iteration are done.
struct StepPlans {
  fftconv::Plan blur, adjoint;
};

/// @param machine  its memory is what the volumes in memory leave
/// @throws as plan_convolution
StepPlans plan_steps(const Geometry& geometry, const fftconv::Machine& machine,
                     fftconv::Strategy wanted = fftconv::Strategy::automatic);

/// Blurs light with the PSF, or with those of all depths, and writes what `epilogue` makes of it.
/// @param blur  of the plans for this model  @throws as Executor::run
void blur_light(const Model& model, const fftconv::Plan& blur, Source& light, Epilogue& epilogue,
                ScratchVolume& field, fftconv::Executor& executor, const RunContext& context);

/// Finds the light u >= 0 that maximises the likelihood of an image f under Poisson noise:
///
///     e = max(H u + b, least),      u <- u H^T (f / e) / (H^T 1)
///
/// computed from the RelativeResidual f / e - 1 (EstimateUpdate), which keeps errors of rounding
/// small.
///
/// An iteration never makes the likelihood smaller. Without background, the sum of (H^T 1) u is
/// that of f after every iteration; with one it is that of f H u / (H u + b).
/// With momentum (EstimateUpdate), of the weight (k - 1) / (k + 2) in iteration k, some five times
/// fewer iterations reach the same light; the likelihood is not promised to grow.
/// With another kernel in the adjoint (Model::back), 1 to 3 iterations are enough if noise is low;
/// see make_back_projector, and EstimateUpdate for the formula. The run then starts from the image
/// above its background, with its faces repeated outside the field: on simulated stacks, errors
/// near the edges were half those from an even start. Neither likelihood nor sum is promised.
/// With a penalty for total variation (TotalVariation), the likelihood less the penalty never gets
/// smaller without momentum; the sum is not promised.
/// @source Richardson, J. Opt. Soc. Am. 62 (1972) 55, doi:10.1364/JOSA.62.000055; Lucy, Astron. J.
///         79 (1974) 745, doi:10.1086/111605; Shepp, Vardi, IEEE Trans. Med. Imaging 1 (1982) 113,
///         doi:10.1109/TMI.1982.4307558 (likelihood)
class RichardsonLucy {
 public:
  /// All must outlive this.
  /// @param image  float32 and not negative, of model.geometry.field
  /// @throws InvalidInput  the image has no light above the background.
  /// @throws InvalidSpec   there is another kernel in the adjoint, and momentum, a penalty or
  /// several
  ///                       PSFs.
  /// @throws PlanError     beyond the budget.
  RichardsonLucy(const Model& model, Source& image, const WorkingVolumes& volumes, StepPlans plans,
                 fftconv::Executor& executor, const RunContext& context);

  /// Begins with an even estimate that has the light of the image; if Model::back is given, with
  /// the image.
  void begin();

  /// Goes on after `iterations` of an earlier run, whose estimate, and last one, the volumes hold.
  void go_on_after(int iterations) { iterations_ = iterations; }

  /// Does one iteration. Returns the logarithm of the likelihood of the estimate before it; with
  /// momentum, of the point that the iteration starts from.
  /// @throws as Executor::run
  double iterate();

  /// Returns the volume that holds the estimate after an iteration.
  [[nodiscard]] ScratchVolume& result() {
    return volumes_.last ? *volumes_.last : volumes_.estimate;
  }

  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  void update_estimate();

  Model model_;
  WorkingVolumes volumes_;
  fftconv::Executor& executor_;
  const RunContext& context_;
  ImageLight light_;
  SeenShare share_;
  float even_;  ///< even_light
  std::optional<TotalVariation> variation_;
  Source& image_;
  RelativeResidual to_residual_;
  EstimateUpdate to_estimate_;
  StepPlans plans_;
  int iterations_ = 0;
};

}  // namespace synthoscope::deconvolution

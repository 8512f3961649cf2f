// SPDX-License-Identifier: MIT
// jobs/deconvolve/scene_psf.hpp — the PSF of a scene's optics, which may vary with depth.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/scratch_volume.hpp"
#include "deconvolution/iteration/depth_psf.hpp"
#include "deconvolution/iteration/geometry.hpp"
#include "fftconv/kernel/kernel.hpp"
#include "imageio/image/info.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::jobs {

/// PSFs of a scene, and the planes that each applies to.
struct ScenePsf {
  std::vector<std::unique_ptr<ScratchVolume>> voxels;
  std::vector<deconvolution::WeightedPsf> psfs;  ///< of these voxels
  Extent3 extent;
  Index3 center;
  double sum = 0;  ///< of the PSF of a plane, the mean of all planes
  /// Everything that determines the PSFs and weights, as a JSON object.
  std::string request;

  /// Returns whether there is one PSF for all planes.
  [[nodiscard]] bool is_same_everywhere() const {
    return psfs.size() == 1 && psfs.front().weights.empty();
  }
};

/// Computes the PSFs that a simulation of the scene would use for the planes of an image, with the
/// voxel size of the image where that is known. Its first plane lies where the scene's does. Light
/// beyond the first and the last plane counts as theirs.
/// @throws InvalidSpec  the scene has several channels or patterns of light, or its PSF varies
/// along
///                      y or x.
/// @throws PlanError    beyond the budget.  @throws as simulator::references_of and make_psf
ScenePsf make_scene_psf(const simulator::SceneSpec& scene, const imageio::ImageInfo& image,
                        deconvolution::Edge edge, fftconv::KernelNormalization normalization,
                        const RunContext& context);

}  // namespace synthoscope::jobs

// SPDX-License-Identifier: MIT
// textures/models/train.hpp — words learned from images, and the images measured by them.
#pragma once
#include <string>
#include <vector>
#include "textures/images/image_runner.hpp"
#include "textures/images/image_set.hpp"
#include "textures/models/texture_model.hpp"

namespace synthoscope::textures {

struct TrainingSpec {
  TextureSpec texture;
  std::int64_t words = 200;
  std::int64_t samples_each = 1000;  ///< drawn in each image, or patch
  int most_iterations = 100;
  std::uint64_t seed = 0;
};

/// A model, and what its histograms hold.
struct Trained {
  TextureModel model;
  Reservation held;
};

/// Learns words from voxels that are drawn in every image, and measures all images by them. The
/// result depends on images and specification, not on memory or threads; a runner that computes
/// responses on a GPU rounds them differently.
/// @throws InvalidSpec   spec is out of range; images differ in their number of features (planes
///                       and volumes are mixed); and as kernels::k_means.
/// @throws InvalidInput  a voxel is NaN or infinite.
/// @throws PlanError     the memory budget is smaller than the samples and the histograms.
/// @throws what opening images and the runner throw.
Trained train(const ImageSet& set, const TrainingSpec& spec, const imageio::OpenOptions& open,
              ImageRunner& runner, const RunContext& context);

/// The first half of it: a model without images.
TextureModel learn_words(const std::vector<std::filesystem::path>& images, const TrainingSpec& spec,
                         const imageio::OpenOptions& open, ImageRunner& runner,
                         const RunContext& context);

}  // namespace synthoscope::textures

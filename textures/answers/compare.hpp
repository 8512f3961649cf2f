// SPDX-License-Identifier: MIT
// textures/answers/compare.hpp — the distance between two sets of images, and whether they can be
// told apart.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "textures/answers/set_comparison.hpp"
#include "textures/images/image_runner.hpp"
#include "textures/models/measure.hpp"

namespace synthoscope::textures {

/// Images of set A, then of set B.
struct TwoSets {
  std::vector<std::filesystem::path> images;
  std::int64_t of_a = 0;
};

/// @param a, b  an image each, or a folder of them.  @throws as images_in
TwoSets two_sets(const std::filesystem::path& a, const std::filesystem::path& b);

struct ComparisonSpec {
  std::optional<Extent3> patch;  ///< in place of the model's
  std::int64_t permutations = 999;
  std::uint64_t seed = 0;  ///< of the permutations
};

/// An image compared with the others of both sets. If whole images are permuted, textures of the
/// same image are excluded; otherwise only the texture itself is.
struct ComparedImage {
  bool is_of_a = false;
  std::int64_t textures = 0;
  double to_own = 0, to_other = 0;  ///< mean distance of its textures to others of the two sets
  double nearest_of_own = 0;  ///< fraction of its textures whose nearest other one belongs to the
                              ///< same set
};

struct Compared {
  SetComparison found;
  std::vector<ComparedImage> images;  ///< as many as were given
  std::int64_t textures_of_a = 0, textures_of_b = 0;
};

/// Measures all images by the words of a model and compares the sets. Warns of voxel sizes that
/// differ from the model's, and if patches are permuted one by one.
/// @throws as measure, distances_of and compare_sets.
Compared compare(const TextureModel& model, const TwoSets& sets, const ComparisonSpec& spec,
                 const imageio::OpenOptions& open, ImageRunner& runner, const RunContext& context);

/// The distances of what was measured, on the threads of the context, and room for compare_sets.
struct MeasuredDistances {
  SetDistances distances;
  Reservation held;
};

/// @param images_of_a  so many images of `measured`, the first ones, are set A
/// @throws Interrupted  a stop was requested.
/// @throws PlanError  the memory has no room for the square of their number.
MeasuredDistances distances_of(const Measured& measured, std::int64_t images_of_a,
                               kernels::HistogramDistance how, const RunContext& context);

/// Returns how each image of `count` compares with the others.
std::vector<ComparedImage> compared_images(const SetDistances& distances,
                                           const SetComparison& found, std::int64_t count);

}  // namespace synthoscope::textures

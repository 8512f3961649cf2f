// SPDX-License-Identifier: MIT
// textures/two_sample/likeness.hpp — how alike real and synthetic images are, beside how alike
// synthetic images are among themselves.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>
#include "core/run/run_context.hpp"
#include "textures/patches/statistic_table.hpp"
#include "textures/two_sample/classifiers.hpp"
#include "textures/two_sample/image_distances.hpp"
#include "textures/two_sample/measured_image.hpp"

namespace synthoscope::textures {

struct LikenessSpec {
  std::uint64_t seed = 0;
  std::int64_t permutations = 999;  ///< of images between the sets, for p
  std::int64_t null_draws = 39;     ///< synthetic images that are taken as if they were real
  ForestSpec forest;
};

/// Fewest values of the null for its range of 95 %.
inline constexpr std::int64_t kLeastNullDraws = 19;
/// Fewest synthetic images for a verdict: the null then has 20 values.
inline constexpr std::int64_t kLeastSynthetic = kLeastNullDraws + 1;

/// Where a measure of the real images lies in its null. The null has the same measure of synthetic
/// images, taken as if they were real.
enum class NullPlace { inside, above, open };  ///< open: too few values for a verdict

struct MeasureBesideNull {
  std::optional<double> value;  ///< nothing: too few patches to learn from
  std::vector<double> null;     ///< in the order of the draws
  double low = 0, high = 0;     ///< 2.5 % and 97.5 % quantiles of the null, if it has values
  std::int64_t below = 0;       ///< values of the null that are smaller
  NullPlace place = NullPlace::open;
};

/// What the two sets differ in.
struct StatisticEffect {
  std::size_t statistic = 0;         ///< in kPatchStatistics
  double effect = 0;                 ///< synthetic minus real mean, over the deviation of patches
  double difference = 0;             ///< the same in the statistic's unit
  std::optional<double> null_bound;  ///< 95 % quantile of the size of effects of the null
  [[nodiscard]] bool gives_away() const;
};

struct Likeness {
  std::int64_t real_images = 0, synthetic_images = 0, real_patches = 0, synthetic_patches = 0;
  MeasureBesideNull logistic,
      forest;                        ///< area under the ROC curve: 0.5 by chance, at most 1
  MeasureBesideNull energy, sliced;  ///< distances: 0 for equal sets
  EnergyTest test;
  std::vector<std::pair<double, double>> logistic_roc, forest_roc;  ///< of the first task
  std::vector<StatisticEffect> effects;  ///< of all statistics; largest beside its null first
};

/// Compares two sets of images. The result does not depend on the threads of the context.
/// @param real, synthetic  at least one image each, with at least one patch each
/// @source Lopez-Paz, Oquab, ICLR 2017, arXiv:1610.06545 (classifiers as two-sample tests).
/// @throws Interrupted  a stop was requested.  @throws PlanError  the memory has no room.
Likeness compare_likeness(const std::vector<MeasuredImage>& real,
                          const std::vector<MeasuredImage>& synthetic, const LikenessSpec& spec,
                          const RunContext& context);

}  // namespace synthoscope::textures

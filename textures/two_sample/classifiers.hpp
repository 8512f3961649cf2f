// SPDX-License-Identifier: MIT
// textures/two_sample/classifiers.hpp — two learners that tell synthetic patches from real ones,
// and how well they do.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>
#include "textures/two_sample/measured_image.hpp"

namespace synthoscope::textures {

/// Scores of the test rows by logistic regression: larger for those that look synthetic.
/// Statistics are standardised by the training rows and limited to 8 standard deviations. Both
/// kinds weigh alike. Minimises w.w / 2 + C sum of losses with C = 0.1, by Newton's method; the
/// intercept is free.
std::vector<double> logistic_scores(const LearningTask& task);

struct ForestSpec {
  int trees = 100;
  std::int64_t most_of_kind = 256;  ///< rows of a kind that a tree learns from
  std::size_t least_in_leaf = 3;
};

/// Scores by a balanced random forest: every tree learns from equally many rows of both kinds,
/// drawn with replacement, and chooses each split among the square root of the number of
/// statistics. The result depends on task and seed alone.
/// @source Breiman, Mach. Learn. 45 (2001) 5, doi:10.1023/A:1010933404324; Chen, Liaw, Breiman,
///         Using random forest to learn imbalanced data, Univ. of California, Berkeley, Tech. Rep.
///         666 (2004).
std::vector<double> forest_scores(const LearningTask& task, const ForestSpec& spec,
                                  std::uint64_t seed);

/// Returns the area under the ROC curve: how often a synthetic row has a larger score than a real
/// one, where equal scores count half.
/// @param is_synthetic  holds both kinds
double area_under_curve(const std::vector<double>& scores, const std::vector<char>& is_synthetic);

/// Returns the points (false alarms, hits) of the ROC curve, from (0, 0) to (1, 1).
std::vector<std::pair<double, double>> roc_curve(const std::vector<double>& scores,
                                                 const std::vector<char>& is_synthetic);

}  // namespace synthoscope::textures

// SPDX-License-Identifier: MIT
// fit/shapes/keys_from_statistics.hpp — keys of a scene from statistics that jump when the keys
// change, as places of objects do: from many single scenes with other keys.
#pragma once
#include <Eigen/Core>
#include <optional>
#include <vector>

namespace synthoscope::fit {

/// The statistics of a simulated set of images, and the keys of its scene, each as a share of its
/// range, 0 ... 1.
struct KeyedStatistics {
  Eigen::VectorXd shares;
  Eigen::VectorXd values;
};

/// A share of the range of a key, and its 95 % interval.
struct ShareEstimate {
  double value = 0, low = 0, high = 0;
};

/// Returns point `number` of a sequence that fills the cube of so many shares evenly.
/// @source Halton, Numer. Math. 2 (1960) 84, doi:10.1007/BF01386213. @pre 1 to 4 dimensions
Eigen::VectorXd even_shares(std::size_t number, Eigen::Index dimensions);

/// Finds the keys at which statistics have the values `wanted`, if every share is equally likely
/// before: the logits of the shares are regressed on what the statistics say about each, and the
/// squares of that, among the scenes nearest to the one that is wanted. What the regression leaves
/// over gives the intervals, so that they contain as many of such scenes' own keys as they say.
/// Values are those within their intervals at which polynomials of second degree through the
/// statistics of all scenes come nearest to those wanted, in the metric of what is left over.
/// @source Beaumont, Zhang, Balding, Genetics 162 (2002) 2025, doi:10.1093/genetics/162.4.2025.
/// @param scenes  with keys that fill their ranges evenly
/// @return  an estimate for each key; nothing if there are too few scenes: fewer than four for each
///          statistic
std::optional<std::vector<ShareEstimate>> keys_from_statistics(
    const std::vector<KeyedStatistics>& scenes, const Eigen::VectorXd& wanted);

}  // namespace synthoscope::fit

// SPDX-License-Identifier: MIT
// fit/estimates/statistics.hpp — numbers that describe a population of objects or an image, with
// how much they vary from sample to sample.
#pragma once
#include <Eigen/Core>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace synthoscope::fit {

/// Numbers that are measured alike in real and in simulated images.
struct Statistics {
  std::vector<std::string> names;
  Eigen::VectorXd values;
  Eigen::MatrixXd covariance;  ///< of the values, over samples of the same size
  double units = 0;            ///< number of objects or tiles that were sampled
};

/// Computes values from a sample of objects, which are named by their numbers; an object may occur
/// several times.
using SampleStatistics = std::function<Eigen::VectorXd(std::span<const std::size_t>)>;

/// Returns the values of all of `count` objects, and their covariance over `draws` samples of as
/// many objects, drawn with replacement. A covariance of n objects is enlarged by n / (n - 1).
/// @source Efron, Ann. Stat. 7 (1979) 1, doi:10.1214/aos/1176344552 (bootstrap).
/// @param count  at least 1; the covariance of a single object is 0
Statistics bootstrap(std::vector<std::string> names, std::size_t count,
                     const SampleStatistics& of_sample, int draws = 200);

/// Returns the statistics of both, side by side, as independent of each other.
Statistics joined(const Statistics& a, const Statistics& b);

/// Returns half the width of a 95 % interval in standard deviations that are estimated from so many
/// objects: the quantile of Student's distribution, by its expansion around the normal one. At
/// most that of 3 objects.
/// @source Abramowitz, Stegun, Handbook of Mathematical Functions, 26.7.5.
double half_width(double units);

}  // namespace synthoscope::fit

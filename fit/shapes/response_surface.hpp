// SPDX-License-Identifier: MIT
// fit/shapes/response_surface.hpp — two numbers of a scene from statistics that jump when they
// change, as places of objects do: a smooth surface is laid through many single images.
#pragma once
#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

namespace synthoscope::fit {

/// The statistics of one simulated image, made with two numbers.
struct SurfacePoint {
  std::array<double, 2> at = {};
  Eigen::VectorXd values;
};

struct ValueRange {
  double least = 0, most = 0;
};

/// The most likely value, and the shortest 95 % interval.
struct SurfaceEstimate {
  double value = 0, low = 0, high = 0;
};

/// Finds the two numbers at which statistics have the values `wanted`. Each statistic is a
/// polynomial of second degree in both, fitted to all points; how single images differ from it is
/// normal, with a covariance that is the same everywhere, enlarged by a half. Every pair of numbers
/// in the ranges is equally likely before.
/// @source Box, Wilson, J. R. Stat. Soc. B 13 (1951) 1 (response surfaces).
/// @param images  the number of images that `wanted` is the mean of
/// @param ranges  of both numbers; one may be a single value
/// @return  nothing if there are too few points: 6 more than statistics
std::optional<std::array<SurfaceEstimate, 2>> on_surface(const std::vector<SurfacePoint>& points,
                                                         const Eigen::VectorXd& wanted,
                                                         double images,
                                                         const std::array<ValueRange, 2>& ranges);

}  // namespace synthoscope::fit

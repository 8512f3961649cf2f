// SPDX-License-Identifier: MIT
#include "fit/shapes/response_surface.hpp"
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace synthoscope::fit {
namespace {

constexpr int kGridSteps = 81;      ///< of each range, at which likelihoods are computed
constexpr Eigen::Index kTerms = 6;  ///< 1, a, b, a^2, b^2, a b
constexpr double kCovered = 0.95;
/// Of the variance: the surface is not quite of second degree, and sizes are known from as few
/// objects. With it, 95 % intervals cover as often.
constexpr double kEnlarged = 1.5;

double scaled(double value, const ValueRange& range) {
  const double half = (range.most - range.least) / 2;
  return half > 0 ? (value - range.least) / half - 1 : 0;
}

Eigen::VectorXd terms_at(const std::array<double, 2>& at, const std::array<ValueRange, 2>& ranges) {
  const double a = scaled(at[0], ranges[0]), b = scaled(at[1], ranges[1]);
  Eigen::VectorXd terms(kTerms);
  terms << 1, a, b, a * a, b * b, a * b;
  return terms;
}

/// Polynomials through all points.
struct FittedSurface {
  Eigen::MatrixXd coefficients;  ///< a column for each statistic
  Eigen::MatrixXd of_terms;      ///< covariance of coefficients, in that of single images
  Eigen::MatrixXd inverse;       ///< of the covariance of single images
};

FittedSurface surface_through(const std::vector<SurfacePoint>& points,
                              const std::array<ValueRange, 2>& ranges) {
  const auto n = static_cast<Eigen::Index>(points.size());
  const Eigen::Index statistics = points.front().values.size();
  Eigen::MatrixXd terms{n, kTerms}, values{n, statistics};
  for (Eigen::Index i = 0; i < n; ++i) {
    const SurfacePoint& point = points[static_cast<std::size_t>(i)];
    terms.row(i) = terms_at(point.at, ranges);
    values.row(i) = point.values;
  }
  FittedSurface surface;
  const Eigen::MatrixXd product = terms.transpose() * terms;
  // A range of one value leaves terms without effect, which the pseudo-inverse leaves out
  surface.of_terms = product.completeOrthogonalDecomposition().pseudoInverse();
  surface.coefficients = surface.of_terms * (terms.transpose() * values);
  const Eigen::MatrixXd rest = values - terms * surface.coefficients;
  Eigen::MatrixXd covariance = rest.transpose() * rest / static_cast<double>(n - kTerms);
  // A statistic that is the same in all images would otherwise tell everything
  covariance.diagonal().array() += 1e-4;
  surface.inverse = covariance.inverse();
  return surface;
}

/// The logarithm of the likelihood of two numbers, up to a constant.
double likelihood(const FittedSurface& surface, const Eigen::VectorXd& terms,
                  const Eigen::VectorXd& wanted, double images) {
  const double variance = kEnlarged * (1 / images + terms.dot(surface.of_terms * terms));
  const Eigen::VectorXd off = surface.coefficients.transpose() * terms - wanted;
  return -0.5 * (off.dot(surface.inverse * off) / variance +
                 static_cast<double>(off.size()) * std::log(variance));
}

/// The shortest interval of the likelihoods of one number that holds 95 %.
SurfaceEstimate shortest(const std::vector<double>& density, int most_likely,
                         const ValueRange& range) {
  const auto value_at = [&](int i) {
    return range.least + (range.most - range.least) * i / (kGridSteps - 1);
  };
  std::vector<int> order(density.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return density[at(a)] > density[at(b)]; });
  const double all = std::accumulate(density.begin(), density.end(), 0.0);
  int low = most_likely, high = most_likely;
  double sum = 0;
  for (const int i : order) {
    if (sum >= kCovered * all) break;
    sum += density[at(i)];
    low = std::min(low, i);
    high = std::max(high, i);
  }
  return {value_at(most_likely), value_at(low), value_at(high)};
}

}  // namespace

std::optional<std::array<SurfaceEstimate, 2>> on_surface(const std::vector<SurfacePoint>& points,
                                                         const Eigen::VectorXd& wanted,
                                                         double images,
                                                         const std::array<ValueRange, 2>& ranges) {
  if (static_cast<Eigen::Index>(points.size()) < kTerms + wanted.size()) return std::nullopt;
  const FittedSurface surface = surface_through(points, ranges);
  Eigen::MatrixXd logarithms{kGridSteps, kGridSteps};
  for (Eigen::Index i = 0; i < kGridSteps; ++i)
    for (Eigen::Index j = 0; j < kGridSteps; ++j) {
      const auto along = [&](const ValueRange& range, Eigen::Index step) {
        return range.least +
               (range.most - range.least) * static_cast<double>(step) / (kGridSteps - 1);
      };
      logarithms(i, j) = likelihood(
          surface, terms_at({along(ranges[0], i), along(ranges[1], j)}, ranges), wanted, images);
    }
  Eigen::Index first = 0, second = 0;
  const double most = logarithms.maxCoeff(&first, &second);
  const Eigen::MatrixXd density = (logarithms.array() - most).exp();
  const Eigen::VectorXd of_first = density.rowwise().sum(), of_second = density.colwise().sum();
  return std::array{
      shortest({of_first.begin(), of_first.end()}, static_cast<int>(first), ranges[0]),
      shortest({of_second.begin(), of_second.end()}, static_cast<int>(second), ranges[1])};
}

}  // namespace synthoscope::fit

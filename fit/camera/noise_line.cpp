// SPDX-License-Identifier: MIT
#include "fit/camera/noise_line.hpp"
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/base/assert.hpp"
#include "fit/estimates/robust.hpp"
#include "fit/estimates/statistics.hpp"

namespace synthoscope::fit {
namespace {

constexpr int kRounds = 12;
constexpr int kLineDraws = 100;          ///< of the bootstrap
constexpr double kOutlier = 3;           ///< deviations
constexpr double kToDeviation = 1.4826;  ///< from a median of absolute values, if normal
constexpr double kLeastShare = 0.01;     ///< of the median variance: the line is not taken as less

/// Of coordinates that are centred and scaled, so that sums do not cancel.
struct Frame {
  double middle = 0, width = 1, variance = 1;
};

/// Coefficients of 1, u and (u - u0)^2, and the normal equations they came from.
struct Solved {
  Eigen::Vector3d values = Eigen::Vector3d::Zero();
  Eigen::Matrix3d normal = Eigen::Matrix3d::Identity();  ///< with the prior
  double prior_weight = 0;
};

class LineSearch {
 public:
  LineSearch(const std::vector<NoisePoint>& points, std::span<const std::size_t> sample,
             const SpreadPrior& prior)
      : prior_{prior} {
    std::vector<double> variances;
    double least = points[sample[0]].mean, most = least;
    for (const std::size_t i : sample) {
      points_.push_back(points[i]);
      variances.push_back(points[i].variance);
      least = std::min(least, points[i].mean);
      most = std::max(most, points[i].mean);
    }
    frame_ = {least, std::max(most - least, 1e-9), std::max(robust_median(variances), 1e-12)};
    fitted_.assign(points_.size(), 1.0);
    kept_.assign(points_.size(), true);
  }

  NoiseLine run() {
    for (int round = 0; round < kRounds; ++round) {
      measure_scatter(round > 0);
      solved_ = solve();
      for (std::size_t i = 0; i < points_.size(); ++i)
        fitted_[i] = std::max(row_of(points_[i]).dot(solved_.values), kLeastShare);
      if (solved_.values[1] > 0) zero_ = -solved_.values[0] / solved_.values[1];
    }
    return line();
  }

  /// What the uncertainty of the prior adds to the variances of slope, zero and spread.
  [[nodiscard]] Eigen::Matrix3d prior_covariance() const {
    const Eigen::Matrix3d inverse = solved_.normal.inverse();
    const Eigen::Vector3d shift = inverse.col(2) * std::sqrt(solved_.prior_weight);
    const double b = solved_.values[1], a = solved_.values[0];
    Eigen::Vector3d moved;
    moved[0] = shift[1] * frame_.variance / frame_.width;
    moved[1] = b > 0 ? (-shift[0] / b + a * shift[1] / (b * b)) * frame_.width : 0;
    moved[2] = shift[2] * frame_.variance / (frame_.width * frame_.width);
    return moved * moved.transpose();
  }

 private:
  [[nodiscard]] double u_of(const NoisePoint& p) const {
    return (p.mean - frame_.middle) / frame_.width;
  }
  /// What the coefficients are multiplied with.
  [[nodiscard]] Eigen::Vector3d row_of(const NoisePoint& p) const {
    const double u = u_of(p);
    return {1, u, (u - zero_) * (u - zero_) + p.unevenness / (frame_.width * frame_.width)};
  }

  void measure_scatter(bool leave_out) {
    std::vector<double> roots, off;
    for (std::size_t i = 0; i < points_.size(); ++i)
      roots.push_back(std::cbrt(points_[i].variance / frame_.variance / fitted_[i]));
    const double middle = robust_median(roots);
    for (const double root : roots) off.push_back(std::abs(root - middle));
    const double deviation = std::max(kToDeviation * robust_median(off), 1e-6);
    scatter_ = 3 * deviation;
    if (!leave_out) return;
    const double expected = 1 - deviation * deviation;
    for (std::size_t i = 0; i < roots.size(); ++i)
      kept_[i] = std::abs(roots[i] - expected) < kOutlier * deviation;
  }

  [[nodiscard]] Solved solve() const {
    Solved result;
    Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (!kept_[i]) continue;
      const double weight = 1 / std::pow(fitted_[i] * scatter_, 2);
      const Eigen::Vector3d row = row_of(points_[i]);
      normal += weight * row * row.transpose();
      right += weight * points_[i].variance / frame_.variance * row;
    }
    const double unit = frame_.width * frame_.width / frame_.variance;  // of a spread
    const double known = prior_.square * unit;
    if (prior_.deviation > 0) {
      result.prior_weight = 1 / std::pow(prior_.deviation * unit, 2);
      normal(2, 2) += result.prior_weight;
      right[2] += result.prior_weight * known;
      result.values = normal.ldlt().solve(right);
    }
    if (prior_.deviation <= 0 || result.values[2] < 0) {
      const double fixed = prior_.deviation > 0 ? 0 : known;
      const Eigen::Vector2d rest = right.head<2>() - fixed * normal.block<2, 1>(0, 2);
      result.values << normal.topLeftCorner<2, 2>().ldlt().solve(rest), fixed;
      if (prior_.deviation <= 0) {
        result.prior_weight = 0;
        normal.row(2).setZero();
        normal.col(2).setZero();
        normal(2, 2) = 1;
      }
    }
    result.normal = normal;
    return result;
  }

  [[nodiscard]] NoiseLine line() const {
    NoiseLine result;
    result.slope = solved_.values[1] * frame_.variance / frame_.width;
    result.zero = frame_.middle + frame_.width * zero_;
    result.spread = solved_.values[2] * frame_.variance / (frame_.width * frame_.width);
    result.scatter = scatter_;
    result.kept = kept_;
    return result;
  }

  SpreadPrior prior_;
  std::vector<NoisePoint> points_;
  std::vector<double> fitted_;  ///< in units of the frame
  std::vector<bool> kept_;
  Frame frame_;
  Solved solved_;
  double zero_ = 0, scatter_ = 1;
};

}  // namespace

double NoiseLine::at(double mean) const {
  return slope * (mean - zero) + spread * (mean - zero) * (mean - zero);
}

double NoiseLine::floor_error(double level) const {
  const double distance = level - zero;
  const double variance = distance * distance * slope_error * slope_error +
                          slope * slope * zero_error * zero_error - 2 * distance * slope * cross;
  return std::sqrt(std::max(variance, 0.0));
}

NoiseLine noise_line_of(const std::vector<NoisePoint>& points, std::span<const std::size_t> sample,
                        const SpreadPrior& prior) {
  return LineSearch{points, sample, prior}.run();
}

NoiseLine noise_line(const std::vector<NoisePoint>& points, const SpreadPrior& prior,
                     double repeats) {
  SYNTHOSCOPE_ASSERT(points.size(), >=, std::size_t{3});
  std::vector<std::size_t> all(points.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  LineSearch search{points, all, prior};
  NoiseLine line = search.run();
  const Statistics drawn = bootstrap(
      {"slope", "zero", "spread"}, points.size(),
      [&](std::span<const std::size_t> sample) {
        const NoiseLine one = noise_line_of(points, sample, prior);
        return Eigen::VectorXd{Eigen::Vector3d{one.slope, one.zero, one.spread}};
      },
      kLineDraws);
  const Eigen::Matrix3d covariance = repeats * drawn.covariance + search.prior_covariance();
  line.slope_error = std::sqrt(covariance(0, 0));
  line.zero_error = std::sqrt(covariance(1, 1));
  line.spread_error = std::sqrt(covariance(2, 2));
  line.cross = covariance(0, 1);
  return line;
}

}  // namespace synthoscope::fit

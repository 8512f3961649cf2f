// SPDX-License-Identifier: MIT
#include "fit/shapes/keys_from_statistics.hpp"
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include "core/base/assert.hpp"
#include "fit/estimates/statistics.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kNearest = 0.5;      ///< of the scenes: those with some weight
constexpr double kEnds = 0.01;        ///< shares nearer to an end count as this far from it
constexpr double kFarthestLogit = 4;  ///< logit beyond which nothing is extrapolated
constexpr double kAtEnd = 0.05;       ///< an interval that ends nearer to an end contains the end
constexpr double kLeastScatter = 1e-6;

double logit(double share) {
  const double inside = std::clamp(share, kEnds, 1 - kEnds);
  return std::log(inside / (1 - inside));
}

double share_at(double logit) {
  return 1 / (1 + std::exp(-logit));
}

/// Differences of the statistics from those wanted, in standard deviations over all scenes: a row
/// for each scene.
Eigen::MatrixXd differences(const std::vector<KeyedStatistics>& scenes,
                            const Eigen::VectorXd& wanted) {
  Eigen::MatrixXd rows{static_cast<Eigen::Index>(scenes.size()), wanted.size()};
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    rows.row(i) = scenes[static_cast<std::size_t>(i)].values - wanted;
  const Eigen::MatrixXd from_mean = rows.rowwise() - rows.colwise().mean().eval();
  const Eigen::RowVectorXd scatter =
      (from_mean.colwise().squaredNorm() / static_cast<double>(rows.rows() - 1)).cwiseSqrt();
  for (Eigen::Index i = 0; i < rows.cols(); ++i) rows.col(i) /= std::max(scatter[i], kLeastScatter);
  return rows;
}

/// What the statistics and their squares say about each key, over all scenes: logits, less those at
/// the statistics that are wanted, in standard deviations. A few such numbers keep what many
/// statistics tell.
/// @source Fearnhead, Prangle, J. R. Stat. Soc. B 74 (2012) 419,
///         doi:10.1111/j.1467-9868.2011.01010.x.
Eigen::MatrixXd predicted(const Eigen::MatrixXd& rows, const Eigen::MatrixXd& logits) {
  Eigen::MatrixXd terms{rows.rows(), 1 + 2 * rows.cols()};
  terms << Eigen::VectorXd::Ones(rows.rows()), rows, rows.cwiseAbs2();
  const Eigen::MatrixXd lines = terms.completeOrthogonalDecomposition().solve(logits);
  // At the wanted statistics all differences are 0
  Eigen::MatrixXd found = (terms * lines).rowwise() - lines.row(0);
  for (Eigen::Index key = 0; key < found.cols(); ++key) {
    const double scatter = (found.col(key).array() - found.col(key).mean()).matrix().norm() /
                           std::sqrt(static_cast<double>(found.rows()));
    found.col(key) /= std::max(scatter, kLeastScatter);
  }
  return found;
}

/// Epanechnikov's kernel, which ends behind the nearest scenes.
Eigen::VectorXd weights_of(const Eigen::MatrixXd& rows) {
  const Eigen::VectorXd squares = rows.rowwise().squaredNorm();
  std::vector<double> sorted{squares.begin(), squares.end()};
  const auto at = static_cast<std::ptrdiff_t>(kNearest * static_cast<double>(sorted.size()));
  std::nth_element(sorted.begin(), sorted.begin() + at, sorted.end());
  const double reach = std::max(sorted[static_cast<std::size_t>(at)], kLeastScatter);
  return (1 - squares.array() / reach).max(0);
}

/// A line through logits, at the statistics that are wanted.
struct LocalLine {
  double logit = 0, deviation = 0;
  double units = 0;  ///< scenes that the deviation rests on
};

LocalLine local_line(const Eigen::MatrixXd& terms, const Eigen::VectorXd& weights,
                     const Eigen::VectorXd& logits) {
  const Eigen::VectorXd roots = weights.cwiseSqrt();
  const Eigen::MatrixXd weighted = roots.asDiagonal() * terms;
  const Eigen::VectorXd line =
      weighted.completeOrthogonalDecomposition().solve(roots.cwiseProduct(logits));
  const Eigen::VectorXd rest = logits - terms * line;
  const double sum = weights.sum(), scenes = sum * sum / weights.squaredNorm();
  const double freedom = std::max(scenes - static_cast<double>(terms.cols()), 1.0);
  const double variance = weights.dot(rest.cwiseAbs2()) / sum * scenes / freedom;
  // The line itself is known as well as so many scenes tell it
  return {std::clamp(line[0], -kFarthestLogit, kFarthestLogit),
          std::sqrt(variance * (1 + static_cast<double>(terms.cols()) / scenes)), freedom};
}

ShareEstimate estimate_at(const LocalLine& line) {
  const double width = half_width(line.units) * line.deviation;
  ShareEstimate found{share_at(line.logit), share_at(line.logit - width),
                      share_at(line.logit + width)};
  if (found.low < kAtEnd) found.low = 0;
  if (found.high > 1 - kAtEnd) found.high = 1;
  return found;
}

/// 1, all shares, and all products of two of them.
Eigen::VectorXd second_degree(const Eigen::VectorXd& shares) {
  const Eigen::Index keys = shares.size();
  Eigen::VectorXd terms(1 + keys + keys * (keys + 1) / 2);
  terms.head(1 + keys) << 1, shares;
  Eigen::Index at = 1 + keys;
  for (Eigen::Index a = 0; a < keys; ++a)
    for (Eigen::Index b = a; b < keys; ++b) terms[at++] = shares[a] * shares[b];
  return terms;
}

/// Statistics as polynomials of second degree of the shares.
struct StatisticsSurface {
  Eigen::MatrixXd coefficients;  ///< a column for each statistic
  Eigen::MatrixXd inverse;       ///< of the covariance of single scenes around it

  [[nodiscard]] double misfit(const Eigen::VectorXd& shares, const Eigen::VectorXd& wanted) const {
    const Eigen::VectorXd off = coefficients.transpose() * second_degree(shares) - wanted;
    return off.dot(inverse * off);
  }
};

StatisticsSurface surface_through(const std::vector<KeyedStatistics>& scenes) {
  const auto count = static_cast<Eigen::Index>(scenes.size());
  const Eigen::Index size = second_degree(scenes.front().shares).size();
  Eigen::MatrixXd terms{count, size}, values{count, scenes.front().values.size()};
  for (Eigen::Index i = 0; i < count; ++i) {
    terms.row(i) = second_degree(scenes[static_cast<std::size_t>(i)].shares);
    values.row(i) = scenes[static_cast<std::size_t>(i)].values;
  }
  StatisticsSurface surface;
  surface.coefficients = terms.completeOrthogonalDecomposition().solve(values);
  const Eigen::MatrixXd rest = values - terms * surface.coefficients;
  Eigen::MatrixXd covariance =
      rest.transpose() * rest / static_cast<double>(std::max<Eigen::Index>(count - size, 1));
  // A statistic that is the same in all images would otherwise tell everything
  constexpr double kLeastVariance = 1e-4;
  covariance.diagonal().array() += kLeastVariance;
  surface.inverse = covariance.inverse();
  return surface;
}

/// Moves values within their intervals to where all statistics together agree best: what keys tell
/// of each other is not in the intervals of single ones. A key that nothing tells stays near the
/// middle of its interval.
void agree_together(const std::vector<KeyedStatistics>& scenes, const Eigen::VectorXd& wanted,
                    std::vector<ShareEstimate>& found) {
  constexpr std::size_t kTried = 4000;
  const StatisticsSurface surface = surface_through(scenes);
  const auto keys = static_cast<Eigen::Index>(found.size());
  double least = std::numeric_limits<double>::infinity();
  Eigen::VectorXd best = Eigen::VectorXd::Zero(keys);
  for (std::size_t number = 0; number < kTried; ++number) {
    Eigen::VectorXd shares = even_shares(number, keys);
    for (Eigen::Index key = 0; key < keys; ++key) {
      const ShareEstimate& one = found[static_cast<std::size_t>(key)];
      shares[key] = one.low + (one.high - one.low) * shares[key];
    }
    double misfit = surface.misfit(shares, wanted);
    for (Eigen::Index key = 0; key < keys; ++key) {
      const ShareEstimate& one = found[static_cast<std::size_t>(key)];
      const double half = std::max((one.high - one.low) / 2, kLeastScatter);
      misfit += std::pow((shares[key] - one.value) / half, 2);
    }
    if (misfit >= least) continue;
    least = misfit;
    best = shares;
  }
  for (Eigen::Index key = 0; key < keys; ++key)
    found[static_cast<std::size_t>(key)].value = best[key];
}

}  // namespace

Eigen::VectorXd even_shares(std::size_t number, Eigen::Index dimensions) {
  constexpr std::array<std::size_t, 4> kBases{2, 3, 5, 7};
  SYNTHOSCOPE_ASSERT(dimensions, <=, Eigen::Index{4});
  Eigen::VectorXd shares{dimensions};
  for (Eigen::Index i = 0; i < dimensions; ++i) {
    const std::size_t base = kBases[static_cast<std::size_t>(i)];
    double share = 0, place = 1;
    for (std::size_t rest = number + 1; rest > 0; rest /= base) {
      place /= static_cast<double>(base);
      share += place * static_cast<double>(rest % base);
    }
    shares[i] = share;
  }
  return shares;
}

std::optional<std::vector<ShareEstimate>> keys_from_statistics(
    const std::vector<KeyedStatistics>& scenes, const Eigen::VectorXd& wanted) {
  constexpr Eigen::Index kForEach = 4;
  const auto count = static_cast<Eigen::Index>(scenes.size());
  if (count < kForEach * wanted.size() || count < 3) return std::nullopt;
  const Eigen::Index keys = scenes.front().shares.size();
  Eigen::MatrixXd logits{count, keys};
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index key = 0; key < keys; ++key)
      logits(i, key) = logit(scenes[static_cast<std::size_t>(i)].shares[key]);
  const Eigen::MatrixXd rows = predicted(differences(scenes, wanted), logits);
  Eigen::MatrixXd terms{count, 2 * keys + 1};
  terms << Eigen::VectorXd::Ones(count), rows, rows.cwiseAbs2();
  const Eigen::VectorXd weights = weights_of(rows);
  std::vector<ShareEstimate> found;
  for (Eigen::Index key = 0; key < keys; ++key)
    found.push_back(estimate_at(local_line(terms, weights, logits.col(key))));
  agree_together(scenes, wanted, found);
  return found;
}

}  // namespace synthoscope::fit

// SPDX-License-Identifier: MIT
#include "fit/light/background_model.hpp"
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include "fit/estimates/robust.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::size_t kFewestTiles = 6, kMostFieldImages = 8;
constexpr double kTileOutlier = 6;  ///< in standard deviations
constexpr int kLengths = 9;
constexpr double kMostExponent = 2.1;  ///< of 10, of the ratio: fields are never quite of the model
constexpr double kMostPatches = 64;    ///< of a field that are told apart, for its errors
constexpr double kHalfQuantile = 1.92;  ///< of chi square with 1 degree of freedom, at 95 %

Eigen::MatrixXd design_of(const Tiles& tiles, bool falloff) {
  Eigen::MatrixXd design{static_cast<Eigen::Index>(tiles.size()), falloff ? 4 : 3};
  for (Eigen::Index i = 0; i < design.rows(); ++i) {
    const BackgroundTile& tile = tiles[static_cast<std::size_t>(i)];
    design(i, 0) = 1;
    design(i, 1) = tile.along_x;
    design(i, 2) = tile.along_y;
    if (falloff) design(i, 3) = tile.radial;
  }
  return design;
}

Eigen::VectorXd means_of(const Tiles& tiles) {
  Eigen::VectorXd means{static_cast<Eigen::Index>(tiles.size())};
  for (Eigen::Index i = 0; i < means.size(); ++i)
    means[i] = tiles[static_cast<std::size_t>(i)].mean;
  return means;
}

Eigen::MatrixXd squared_distances_of(const Tiles& tiles) {
  const auto n = static_cast<Eigen::Index>(tiles.size());
  Eigen::MatrixXd squares{n, n};
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < n; ++k) {
      const BackgroundTile &a = tiles[static_cast<std::size_t>(i)],
                           &b = tiles[static_cast<std::size_t>(k)];
      const double z = a.z_um - b.z_um, y = a.y_um - b.y_um, x = a.x_um - b.x_um;
      squares(i, k) = z * z + y * y + x * x;
    }
  return squares;
}

/// Tiles of an image as a regression.
struct Regression {
  Eigen::MatrixXd design, squared_distances;
  Eigen::VectorXd means, noise;  ///< noise: variance of each tile on its own, relative to the mean
  std::array<double, 3> extents_um{};  ///< of the tiles' places

  Regression(const Tiles& tiles, bool falloff)
      : design{design_of(tiles, falloff)},
        squared_distances{squared_distances_of(tiles)},
        means{means_of(tiles)},
        noise{means.size()} {
    for (Eigen::Index i = 0; i < noise.size(); ++i)
      noise[i] = 1 / tiles[static_cast<std::size_t>(i)].pixels;
    noise /= noise.mean();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      constexpr double BackgroundTile::*kPlaces[] = {&BackgroundTile::z_um, &BackgroundTile::y_um,
                                                     &BackgroundTile::x_um};
      const auto [first, last] = std::minmax_element(
          tiles.begin(), tiles.end(), [&](const BackgroundTile& a, const BackgroundTile& b) {
            return a.*kPlaces[axis] < b.*kPlaces[axis];
          });
      extents_um[axis] = (*last).*kPlaces[axis] - (*first).*kPlaces[axis];
    }
  }
};

struct Solution {
  Eigen::VectorXd values;
  Eigen::MatrixXd covariance;
  double variance = 0;        ///< of a tile of mean size on its own
  double log_likelihood = 0;  ///< restricted, but for a constant
};

Solution solve(const Regression& of, const FieldShape& shape) {
  Eigen::MatrixXd covariance =
      shape.ratio *
      (of.squared_distances * (-0.5 / (shape.length_um * shape.length_um))).array().exp().matrix();
  covariance.diagonal() += of.noise;
  const Eigen::LLT<Eigen::MatrixXd> factor{covariance};
  const Eigen::MatrixXd white_design = factor.matrixL().solve(of.design);
  const Eigen::VectorXd white = factor.matrixL().solve(of.means);
  const Eigen::LLT<Eigen::MatrixXd> normal{white_design.transpose() * white_design};
  Solution found;
  found.values = normal.solve(white_design.transpose() * white);
  const auto freedom = static_cast<double>(of.design.rows() - of.design.cols());
  found.variance = std::max((white - white_design * found.values).squaredNorm() / freedom, 1e-12);
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(of.design.cols(), of.design.cols());
  found.covariance = found.variance * normal.solve(identity);
  const auto log_determinant = [](const Eigen::LLT<Eigen::MatrixXd>& of_matrix) {
    return 2 * of_matrix.matrixLLT().diagonal().array().log().sum();
  };
  found.log_likelihood = -0.5 * (freedom * std::log(found.variance) + log_determinant(factor) +
                                 log_determinant(normal));
  return found;
}

std::vector<Regression> regressions_of(std::span<const Tiles> images, bool falloff,
                                       std::size_t most) {
  std::vector<Regression> all;
  for (const Tiles& tiles : images)
    if (tiles.size() >= kFewestTiles && all.size() < most) all.emplace_back(tiles, falloff);
  return all;
}

/// The same field in all images: its likelihood, and its mean standard deviation.
struct FieldTrial {
  FieldShape shape;
  double deviation = 0, log_likelihood = 0;
};

FieldTrial tried(const std::vector<Regression>& images, const FieldShape& shape) {
  FieldTrial trial{shape, 0, 0};
  for (const Regression& image : images) {
    const Solution found = solve(image, shape);
    trial.log_likelihood += found.log_likelihood;
    trial.deviation += std::sqrt(shape.ratio * found.variance) / static_cast<double>(images.size());
  }
  return trial;
}

std::vector<FieldTrial> trials_of(const std::vector<Regression>& images) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Regression& image : images) {
    const Eigen::MatrixXd& squares = image.squared_distances;
    most = std::max(most, squares.maxCoeff());
    for (Eigen::Index i = 1; i < squares.rows(); ++i) least = std::min(least, squares(i, i - 1));
  }
  const double shortest = 0.7 * std::sqrt(std::max(least, 1e-12)),
               longest = std::max(std::sqrt(most), 2 * shortest);
  std::vector<FieldTrial> trials{tried(images, {0, shortest})};
  for (int i = 0; i < kLengths; ++i) {
    const double length = shortest * std::pow(longest / shortest, i / (kLengths - 1.0));
    for (double exponent = -1.5; exponent < kMostExponent; exponent += 0.25)
      trials.push_back(tried(images, {std::pow(10, exponent), length}));
  }
  return trials;
}

/// Places of a field whose values are independent: areas, or volumes, of its correlation.
double patches_of(const Regression& image, double length_um) {
  double patches = 1;
  const double integral_um = std::sqrt(2 * std::numbers::pi) * length_um;
  for (const double extent_um : image.extents_um) patches *= std::max(extent_um / integral_um, 1.0);
  return patches;
}

}  // namespace

Tiles without_outliers(const Tiles& tiles, bool falloff) {
  Tiles kept = tiles;
  for (int round = 0; round < 3 && kept.size() >= kFewestTiles; ++round) {
    const Eigen::MatrixXd design = design_of(kept, falloff);
    const Eigen::VectorXd means = means_of(kept);
    const Eigen::VectorXd off = means - design * design.colPivHouseholderQr().solve(means);
    const std::vector<double> list(off.begin(), off.end());
    const double middle = robust_median(list), limit = kTileOutlier * robust_deviation(list);
    Tiles next;
    for (std::size_t i = 0; i < kept.size(); ++i)
      if (std::abs(list[i] - middle) <= limit) next.push_back(kept[i]);
    if (next.size() == kept.size() || next.size() < kFewestTiles) break;
    kept = std::move(next);
  }
  return kept;
}

BackgroundFit fit_background(std::span<const Tiles> images, bool falloff, const FieldShape& shape) {
  BackgroundFit result;
  std::vector<Solution> all;
  for (const Regression& image : regressions_of(images, falloff, images.size()))
    all.push_back(solve(image, shape));
  if (all.empty()) return result;
  const auto count = static_cast<double>(all.size());
  const Eigen::Index size = all.front().values.size();
  result.values = Eigen::VectorXd::Zero(size);
  result.covariance = Eigen::MatrixXd::Zero(size, size);
  for (const Solution& one : all) {
    result.values += one.values / count;
    result.covariance += one.covariance / (count * count);
  }
  if (all.size() < 2) return result;
  // Images may differ by more than their own errors
  Eigen::MatrixXd between = Eigen::MatrixXd::Zero(size, size);
  for (const Solution& one : all) {
    const Eigen::VectorXd off = one.values - result.values;
    between += off * off.transpose() / (count * (count - 1));
  }
  if (between.trace() > result.covariance.trace()) result.covariance = between;
  return result;
}

FieldFit fit_field(std::span<const Tiles> images, bool falloff) {
  const auto regressions = regressions_of(images, falloff, kMostFieldImages);
  FieldFit result;
  if (regressions.empty()) return result;
  const std::vector<FieldTrial> trials = trials_of(regressions);
  const auto best = std::max_element(
      trials.begin(), trials.end(),
      [](const auto& a, const auto& b) { return a.log_likelihood < b.log_likelihood; });
  result.shape = best->shape;
  result.evidence = 2 * (best->log_likelihood - trials.front().log_likelihood);
  result.deviation_dn = {best->deviation, best->deviation, best->deviation};
  result.length_um = {best->shape.length_um, best->shape.length_um, best->shape.length_um};
  const auto widen = [](Spanned& span, double value) {
    span.low = std::min(span.low, value);
    span.high = std::max(span.high, value);
  };
  for (const FieldTrial& trial : trials)
    if (trial.log_likelihood > best->log_likelihood - kHalfQuantile) {
      widen(result.deviation_dn, trial.deviation);
      if (trial.shape.ratio > 0) widen(result.length_um, trial.shape.length_um);
    }
  // Fields of the same spectrum still differ by their number of patches
  double patches = 0;
  for (const Regression& image : regressions) patches += patches_of(image, best->shape.length_um);
  const double wide = std::exp(1.96 / std::sqrt(2 * std::min(patches, kMostPatches)));
  widen(result.deviation_dn, best->deviation / wide);
  widen(result.deviation_dn, best->deviation * wide);
  widen(result.length_um, best->shape.length_um / wide);
  widen(result.length_um, best->shape.length_um * wide);
  return result;
}

}  // namespace synthoscope::fit

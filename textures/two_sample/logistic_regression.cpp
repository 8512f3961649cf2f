// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include "core/math/linear_system.hpp"
#include "textures/two_sample/classifiers.hpp"

namespace synthoscope::textures {
namespace {

constexpr double kLossWeight = 0.1;    ///< C: strong regularisation, as rows are few and alike
constexpr double kMostDeviations = 8;  ///< outliers are limited to them
constexpr double kLeastDeviation = 1e-9;
constexpr int kMostSteps = 50, kMostHalvings = 30;
constexpr double kConverged = 1e-8;  ///< change of the largest weight

/// Mean and standard deviation of every column of the rows that are learned from.
struct ColumnScales {
  std::vector<double> mean, deviation;

  explicit ColumnScales(const Rows& rows) : mean(rows.columns), deviation(rows.columns) {
    const auto count = static_cast<double>(rows.count());
    for (std::size_t i = 0; i < rows.count(); ++i)
      for (std::size_t j = 0; j < rows.columns; ++j) mean[j] += rows.row(i)[j] / count;
    for (std::size_t i = 0; i < rows.count(); ++i)
      for (std::size_t j = 0; j < rows.columns; ++j)
        deviation[j] += (rows.row(i)[j] - mean[j]) * (rows.row(i)[j] - mean[j]) / count;
    for (double& one : deviation) one = std::max(std::sqrt(one), kLeastDeviation);
  }

  /// Returns rows with a last column of 1, for the intercept.
  [[nodiscard]] Rows scaled(const Rows& rows) const {
    Rows result{rows.columns + 1, {}};
    for (std::size_t i = 0; i < rows.count(); ++i) {
      for (std::size_t j = 0; j < rows.columns; ++j)
        result.values.push_back(std::clamp((rows.row(i)[j] - mean[j]) / deviation[j],
                                           -kMostDeviations, kMostDeviations));
      result.values.push_back(1);
    }
    return result;
  }
};

double product(std::span<const double> a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The loss of weights, whose last is the intercept.
class LogisticLoss {
 public:
  LogisticLoss(const Rows& rows, const std::vector<char>& is_synthetic)
      : rows_{rows}, is_synthetic_{is_synthetic} {
    const auto all = static_cast<double>(is_synthetic.size());
    const auto synthetic =
        static_cast<double>(std::count(is_synthetic.begin(), is_synthetic.end(), char{1}));
    weight_of_[0] = kLossWeight * all / (2 * (all - synthetic));
    weight_of_[1] = kLossWeight * all / (2 * synthetic);
  }

  [[nodiscard]] double at(const std::vector<double>& weights) const {
    double loss = 0;
    for (std::size_t j = 0; j + 1 < weights.size(); ++j) loss += weights[j] * weights[j] / 2;
    for (std::size_t i = 0; i < rows_.count(); ++i) {
      const double margin = sign(i) * product(rows_.row(i), weights);
      loss += weight(i) *
              (margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin);
    }
    return loss;
  }

  /// Returns Newton's step: what is to be added to the weights.
  [[nodiscard]] std::vector<double> step_from(const std::vector<double>& weights) const {
    const std::size_t n = weights.size();
    std::vector<std::vector<double>> system(n, std::vector<double>(n + 1));
    for (std::size_t j = 0; j + 1 < n; ++j) {
      system[j][j] = 1;
      system[j][n] = -weights[j];
    }
    system[n - 1][n - 1] = 1e-6;  // the intercept is free, but rows that are all sure leave it open
    for (std::size_t i = 0; i < rows_.count(); ++i) {
      const auto row = rows_.row(i);
      const double share = 1 / (1 + std::exp(-product(row, weights)));
      const double curvature = weight(i) * share * (1 - share);
      const double slope = weight(i) * ((is_synthetic_[i] ? 1 : 0) - share);
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k <= j; ++k) system[j][k] += curvature * row[j] * row[k];
        system[j][n] += slope * row[j];
      }
    }
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = j + 1; k < n; ++k) system[j][k] = system[k][j];
    std::vector<double> step(n);
    if (!solve_linear(system)) return step;
    for (std::size_t j = 0; j < n; ++j) step[j] = system[j][n];
    return step;
  }

 private:
  [[nodiscard]] double sign(std::size_t i) const { return is_synthetic_[i] ? 1 : -1; }
  [[nodiscard]] double weight(std::size_t i) const { return weight_of_[is_synthetic_[i] ? 1 : 0]; }

  const Rows& rows_;
  const std::vector<char>& is_synthetic_;
  double weight_of_[2] = {};
};

std::vector<double> least_loss(const LogisticLoss& loss, std::size_t count) {
  std::vector<double> weights(count);
  double here = loss.at(weights);
  for (int step = 0; step < kMostSteps; ++step) {
    std::vector<double> change = loss.step_from(weights);
    std::vector<double> next = weights;
    for (int halving = 0; halving < kMostHalvings; ++halving) {
      for (std::size_t j = 0; j < count; ++j) next[j] = weights[j] + change[j];
      const double there = loss.at(next);
      if (there <= here) {
        here = there;
        break;
      }
      for (double& one : change) one /= 2;
      next = weights;
    }
    double largest = 0;
    for (std::size_t j = 0; j < count; ++j)
      largest = std::max(largest, std::abs(next[j] - weights[j]));
    weights = std::move(next);
    if (largest < kConverged) break;
  }
  return weights;
}

}  // namespace

std::vector<double> logistic_scores(const LearningTask& task) {
  const ColumnScales scales{task.train};
  const Rows train = scales.scaled(task.train), test = scales.scaled(task.test);
  const LogisticLoss loss{train, task.train_is_synthetic};
  const std::vector<double> weights = least_loss(loss, train.columns);
  std::vector<double> scores;
  for (std::size_t i = 0; i < test.count(); ++i) scores.push_back(product(test.row(i), weights));
  return scores;
}

}  // namespace synthoscope::textures

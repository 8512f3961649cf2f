// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/math/random.hpp"
#include "textures/two_sample/classifiers.hpp"

namespace synthoscope::textures {
namespace {

/// Draws of one tree, one after another.
class TreeDraws {
 public:
  TreeDraws(std::uint64_t seed, int tree)
      : stream_{seed, RandomStage::forest}, tree_{static_cast<std::uint32_t>(tree)} {}
  std::size_t below(std::size_t count) {
    const double share = uniform32(stream_.block(next_++, 0, tree_)[0]);
    return std::min(static_cast<std::size_t>(share * static_cast<double>(count)), count - 1);
  }

 private:
  RandomStream stream_;
  std::uint32_t tree_;
  std::uint64_t next_ = 0;
};

struct TreeNode {
  std::size_t column = 0;
  double limit = 0;                 ///< rows with at most this value go left
  std::size_t left = 0, right = 0;  ///< of a leaf 0
  double share = 0;                 ///< of synthetic rows, in a leaf
};

struct TreeSplit {
  double gain = 0;
  std::size_t column = 0;
  double limit = 0;
};

/// One tree, grown by Gini impurity until leaves are pure or small.
class DecisionTree {
 public:
  DecisionTree(const LearningTask& task, const ForestSpec& spec, TreeDraws draws)
      : task_{task}, spec_{spec}, draws_{draws}, columns_(task.train.columns) {
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
    std::vector<std::size_t> rows = drawn_rows();
    grow(rows);
  }

  [[nodiscard]] double score(std::span<const double> row) const {
    std::size_t at = 0;
    while (nodes_[at].left != 0)
      at = row[nodes_[at].column] <= nodes_[at].limit ? nodes_[at].left : nodes_[at].right;
    return nodes_[at].share;
  }

 private:
  [[nodiscard]] bool is_synthetic(std::size_t row) const {
    return task_.train_is_synthetic[row] != 0;
  }

  /// Equally many rows of both kinds, with replacement.
  std::vector<std::size_t> drawn_rows() {
    std::vector<std::size_t> of_kind[2], rows;
    for (std::size_t i = 0; i < task_.train_is_synthetic.size(); ++i)
      of_kind[is_synthetic(i) ? 1 : 0].push_back(i);
    const std::size_t each = std::min(
        {of_kind[0].size(), of_kind[1].size(), static_cast<std::size_t>(spec_.most_of_kind)});
    for (const auto& kind : of_kind)
      for (std::size_t i = 0; i < each; ++i) rows.push_back(kind[draws_.below(kind.size())]);
    return rows;
  }

  /// Grows a node from rows, and returns its number.
  std::size_t grow(std::span<std::size_t> rows) {
    const std::size_t number = nodes_.size();
    nodes_.emplace_back();
    std::size_t synthetic = 0;
    for (const std::size_t row : rows) synthetic += is_synthetic(row);
    nodes_[number].share = static_cast<double>(synthetic) / static_cast<double>(rows.size());
    if (synthetic == 0 || synthetic == rows.size() || rows.size() < 2 * spec_.least_in_leaf)
      return number;
    const TreeSplit split = best_split(rows, synthetic);
    if (!(split.gain > 0)) return number;
    const auto middle = std::partition(rows.begin(), rows.end(), [&](std::size_t row) {
      return task_.train.row(row)[split.column] <= split.limit;
    });
    const auto below = static_cast<std::size_t>(middle - rows.begin());
    nodes_[number].column = split.column;
    nodes_[number].limit = split.limit;
    const std::size_t left = grow(rows.first(below)), right = grow(rows.subspan(below));
    nodes_[number].left = left;
    nodes_[number].right = right;
    return number;
  }

  TreeSplit best_split(std::span<const std::size_t> rows, std::size_t synthetic) {
    const auto tried = static_cast<std::size_t>(std::sqrt(static_cast<double>(columns_.size())));
    TreeSplit best;
    for (std::size_t i = 0; i < tried; ++i) {
      std::swap(columns_[i], columns_[i + draws_.below(columns_.size() - i)]);
      try_column(columns_[i], rows, synthetic, best);
    }
    return best;
  }

  void try_column(std::size_t column, std::span<const std::size_t> rows, std::size_t synthetic,
                  TreeSplit& best) {
    values_.clear();
    for (const std::size_t row : rows)
      values_.emplace_back(task_.train.row(row)[column], is_synthetic(row));
    std::sort(values_.begin(), values_.end());
    const auto all = static_cast<double>(rows.size()), of_all = static_cast<double>(synthetic);
    const double before = of_all * (all - of_all) / all;
    double below = 0, of_below = 0;
    for (std::size_t i = 0; i + 1 < values_.size(); ++i) {
      ++below;
      of_below += values_[i].second;
      if (i + 1 < spec_.least_in_leaf || values_.size() - i - 1 < spec_.least_in_leaf) continue;
      const double value = values_[i].first, next = values_[i + 1].first;
      if (!(value < next)) continue;
      const double above = all - below, of_above = of_all - of_below;
      const double gain =
          before - of_below * (below - of_below) / below - of_above * (above - of_above) / above;
      if (gain > best.gain + 1e-12) best = {gain, column, value + (next - value) / 2};
    }
  }

  const LearningTask& task_;
  const ForestSpec& spec_;
  TreeDraws draws_;
  std::vector<std::size_t> columns_;
  std::vector<std::pair<double, bool>> values_;
  std::vector<TreeNode> nodes_;
};

}  // namespace

std::vector<double> forest_scores(const LearningTask& task, const ForestSpec& spec,
                                  std::uint64_t seed) {
  std::vector<double> scores(task.test.count());
  for (int number = 0; number < spec.trees; ++number) {
    const DecisionTree tree{task, spec, TreeDraws{seed, number}};
    for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += tree.score(task.test.row(i));
  }
  for (double& score : scores) score /= spec.trees;
  return scores;
}

}  // namespace synthoscope::textures

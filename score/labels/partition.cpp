// SPDX-License-Identifier: MIT
#include "score/labels/partition.hpp"
#include <cmath>
#include <vector>

namespace synthoscope::score {
namespace {

/// Voxels of a part of the truth (a row), of the result (a column), and of both.
struct Cell {
  std::size_t row = 0, column = 0;
  std::int64_t voxels = 0;
};

/// The parts of both partitions. The background is the last row and the last column.
struct Contingency {
  std::vector<std::int64_t> rows, columns;
  std::vector<Cell> cells;
  std::int64_t voxels = 0;

  void add(std::size_t row, std::size_t column, std::int64_t count) {
    if (count == 0) return;
    cells.push_back({row, column, count});
    rows[row] += count;
    columns[column] += count;
    voxels += count;
  }
};

Contingency contingency_of(const OverlapTable& table, Over over) {
  const std::size_t truths = table.truth.size(), results = table.results.size();
  Contingency parts;
  parts.rows.resize(truths + 1);
  parts.columns.resize(results + 1);
  std::vector<std::int64_t> truth_outside, result_outside;  // voxels on the other's background
  for (const LabelledObject& object : table.truth) truth_outside.push_back(object.voxels);
  for (const LabelledObject& object : table.results) result_outside.push_back(object.voxels);
  for (const Overlap& overlap : table.overlaps) {
    parts.add(overlap.truth, overlap.result, overlap.voxels);
    truth_outside[overlap.truth] -= overlap.voxels;
    result_outside[overlap.result] -= overlap.voxels;
  }
  for (std::size_t i = 0; i < truths; ++i) parts.add(i, results, truth_outside[i]);
  if (over == Over::true_objects) return parts;
  for (std::size_t j = 0; j < results; ++j) parts.add(truths, j, result_outside[j]);
  parts.add(truths, results, volume(table.extent) - parts.voxels);
  return parts;
}

/// Returns n (n - 1): twice the number of pairs of voxels.
double pairs_in(std::int64_t n) {
  const auto voxels = static_cast<long double>(n);
  return static_cast<double>(voxels * (voxels - 1));
}

double pairs_in(const std::vector<std::int64_t>& parts) {
  double pairs = 0;
  for (const std::int64_t voxels : parts) pairs += pairs_in(voxels);
  return pairs;
}

double adapted_rand_error_of(const Contingency& parts) {
  double together = 0;
  for (const Cell& cell : parts.cells) together += pairs_in(cell.voxels);
  const double pairs = (pairs_in(parts.rows) + pairs_in(parts.columns)) / 2;
  return pairs > 0 ? 1 - together / pairs : 0;
}

}  // namespace

PartitionScores partition_scores(const OverlapTable& table, Over over) {
  const Contingency parts = contingency_of(table, over);
  PartitionScores scores;
  if (parts.voxels == 0) return scores;
  const auto of = [](std::int64_t voxels) { return static_cast<double>(voxels); };
  for (const Cell& cell : parts.cells) {
    const double share = of(cell.voxels) / of(parts.voxels);
    scores.vi_split += share * std::log2(of(parts.rows[cell.row]) / of(cell.voxels));
    scores.vi_merge += share * std::log2(of(parts.columns[cell.column]) / of(cell.voxels));
  }
  scores.adapted_rand_error = adapted_rand_error_of(parts);
  return scores;
}

double foreground_dice(const OverlapTable& table) {
  std::int64_t truth = 0, results = 0, both = 0;
  for (const LabelledObject& object : table.truth) truth += object.voxels;
  for (const LabelledObject& object : table.results) results += object.voxels;
  for (const Overlap& overlap : table.overlaps) both += overlap.voxels;
  if (truth + results == 0) return 1;
  return 2 * static_cast<double>(both) / static_cast<double>(truth + results);
}

}  // namespace synthoscope::score

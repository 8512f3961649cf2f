// SPDX-License-Identifier: MIT
#include "score/labels/label_scores.hpp"
#include <algorithm>
#include <cmath>
#include "score/labels/partition.hpp"

namespace synthoscope::score {
namespace {

constexpr int kFirstPercent = 10, kLastPercent = 95, kPercentStep = 5, kMeanFromPercent = 50;

/// Returns a share of objects. Without any, nothing was missed if none was there.
double share_of(double found, double all, bool is_all_empty) {
  if (is_all_empty) return 1;
  return all > 0 ? found / all : 0;
}

bool is_empty(const ThresholdScores& scores) {
  return scores.tp + scores.fp + scores.fn == 0;
}

double number(std::int64_t count) {
  return static_cast<double>(count);
}

void add_matches(const OverlapTable& table, const std::vector<Match>& matches,
                 ThresholdScores& to) {
  const std::int64_t found = std::ssize(matches);
  to.tp += found;
  to.fp += std::ssize(table.results) - found;
  to.fn += std::ssize(table.truth) - found;
  for (const Match& match : matches) to.iou_sum += match.iou;
}

/// Returns how many of `wholes` hold over half of at least two `parts` each.
std::int64_t holders_of_several(const std::vector<Overlap>& overlaps, std::size_t wholes,
                                std::size_t Overlap::*whole,
                                const std::vector<LabelledObject>& parts,
                                std::size_t Overlap::*part) {
  std::vector<int> held(wholes, 0);
  for (const Overlap& overlap : overlaps)
    if (2 * overlap.voxels > parts[overlap.*part].voxels) ++held[overlap.*whole];
  return std::count_if(held.begin(), held.end(), [](int count) { return count >= 2; });
}

void add_partitions(const OverlapTable& table, LabelScores& to) {
  const PartitionScores all = partition_scores(table, Over::all_voxels);
  const PartitionScores inside = partition_scores(table, Over::true_objects);
  to.dice += foreground_dice(table);
  to.vi_split += all.vi_split;
  to.vi_merge += all.vi_merge;
  to.vi_split_foreground += inside.vi_split;
  to.vi_merge_foreground += inside.vi_merge;
  to.adapted_rand_error += inside.adapted_rand_error;
  to.adapted_rand_error_all += all.adapted_rand_error;
}

}  // namespace

double ThresholdScores::precision() const {
  return share_of(number(tp), number(tp + fp), is_empty(*this));
}

double ThresholdScores::recall() const {
  return share_of(number(tp), number(tp + fn), is_empty(*this));
}

double ThresholdScores::f1() const {
  return share_of(2 * number(tp), number(2 * tp + fp + fn), is_empty(*this));
}

double ThresholdScores::ap() const {
  return share_of(number(tp), number(tp + fp + fn), is_empty(*this));
}

std::optional<double> ThresholdScores::mean_iou() const {
  if (tp > 0) return iou_sum / number(tp);
  if (is_empty(*this)) return 1;
  if (fp == 0 || fn == 0) return 0;
  return {};
}

const ThresholdScores& LabelScores::at(double threshold) const {
  return *std::min_element(thresholds.begin(), thresholds.end(),
                           [&](const ThresholdScores& a, const ThresholdScores& b) {
                             return std::abs(a.threshold - threshold) <
                                    std::abs(b.threshold - threshold);
                           });
}

std::vector<double> seg_scores(const OverlapTable& table) {
  std::vector<double> scores(table.truth.size(), 0.0);
  for (const Overlap& overlap : table.overlaps)
    if (2 * overlap.voxels > table.truth[overlap.truth].voxels)
      scores[overlap.truth] = table.iou(overlap);
  return scores;
}

LabelScorer::LabelScorer() {
  for (int percent = kFirstPercent; percent <= kLastPercent; percent += kPercentStep)
    sums_.thresholds.push_back({.threshold = percent / 100.0});
  sums_.panoptic.threshold = 0.5;
}

void LabelScorer::add(const OverlapTable& objects, const OverlapTable& voxels) {
  ++sums_.images;
  sums_.truth += std::ssize(objects.truth);
  sums_.results += std::ssize(objects.results);
  for (ThresholdScores& at : sums_.thresholds)
    add_matches(objects, matches_of(objects, at.threshold), at);
  add_matches(objects, matches_of(objects, std::nextafter(0.5, 1.0)), sums_.panoptic);
  for (const double score : seg_scores(objects)) sums_.seg += score;
  sums_.splits += holders_of_several(objects.overlaps, objects.truth.size(), &Overlap::truth,
                                     objects.results, &Overlap::result);
  sums_.merges += holders_of_several(objects.overlaps, objects.results.size(), &Overlap::result,
                                     objects.truth, &Overlap::truth);
  add_partitions(voxels, sums_);
}

LabelScores LabelScorer::scores() const {
  LabelScores scores = sums_;
  const bool is_all_empty = is_empty(scores.panoptic);
  const ThresholdScores& half = scores.panoptic;
  scores.pq = share_of(2 * half.iou_sum, number(2 * half.tp + half.fp + half.fn), is_all_empty);
  scores.seg = share_of(scores.seg, number(scores.truth), is_all_empty);
  int averaged = 0;
  for (const ThresholdScores& at : scores.thresholds)
    if (at.threshold * 100 > kMeanFromPercent - 1) {
      scores.mean_ap += at.ap();
      ++averaged;
    }
  scores.mean_ap /= averaged;
  const double images = std::max(number(scores.images), 1.0);
  for (double* mean :
       {&scores.dice, &scores.vi_split, &scores.vi_merge, &scores.vi_split_foreground,
        &scores.vi_merge_foreground, &scores.adapted_rand_error, &scores.adapted_rand_error_all})
    *mean /= images;
  return scores;
}

}  // namespace synthoscope::score

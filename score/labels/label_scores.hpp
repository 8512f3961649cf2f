// SPDX-License-Identifier: MIT
// score/labels/label_scores.hpp — the scores of a segmentation, over one image or several.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>
#include "score/labels/matching.hpp"
#include "score/labels/overlap.hpp"

namespace synthoscope::score {

/// Counts at one threshold of intersection over union, and what follows from them.
struct ThresholdScores {
  double threshold = 0;
  std::int64_t tp = 0, fp = 0, fn = 0;  ///< matches, results and true objects without a match
  double iou_sum = 0;                   ///< over all matches

  // 0 to 1. Without any object they are 1; without a true object, or without a result, 0.

  [[nodiscard]] double precision() const;  ///< TP / (TP + FP)
  [[nodiscard]] double recall() const;     ///< TP / (TP + FN)
  [[nodiscard]] double f1() const;         ///< 2 TP / (2 TP + FP + FN)
  [[nodiscard]] double ap() const;         ///< TP / (TP + FP + FN)
  /// Returns the mean over all matches; nothing if there are objects on both sides, but no match.
  [[nodiscard]] std::optional<double> mean_iou() const;
};

/// Scores of a segmentation. Those of objects are counted over all images together; those of voxels
/// (Dice, variation of information, Rand error) are means over the images.
struct LabelScores {
  std::int64_t images = 0, truth = 0, results = 0;
  std::vector<ThresholdScores> thresholds;  ///< 0.10, 0.15 ... 0.95
  ThresholdScores panoptic;                 ///< matches above 0.5
  double mean_ap = 0;                       ///< over the thresholds 0.50 ... 0.95
  double pq = 0;   ///< panoptic quality: the sum over matches / (TP + FP / 2 + FN / 2)
  double seg = 0;  ///< mean of intersection over union over all true objects: see seg_scores
  std::int64_t splits = 0;  ///< true objects that hold over half of two or more results each
  std::int64_t merges = 0;  ///< results that hold over half of two or more true objects each
  double dice = 0;          ///< of the foreground
  double vi_split = 0, vi_merge = 0;                        ///< bits; 0 is a label like others
  double vi_split_foreground = 0, vi_merge_foreground = 0;  ///< inside true objects
  double adapted_rand_error = 0;                            ///< inside true objects
  double adapted_rand_error_all = 0;                        ///< 0 is a label like others

  [[nodiscard]] const ThresholdScores& at(double threshold) const;
};

/// Returns for each true object the intersection over union with the result that holds more than
/// half of it; 0 if there is none. Their mean is SEG.
/// @source  M. Maska et al., "A benchmark for comparison of cell tracking algorithms",
///          Bioinformatics 30 (2014) 1609-1617.
std::vector<double> seg_scores(const OverlapTable& table);

/// Adds up the scores of images.
class LabelScorer {
 public:
  LabelScorer();

  /// @param objects  of one image, with those left out that are not to be scored
  /// @param voxels   of the same image, with all objects
  void add(const OverlapTable& objects, const OverlapTable& voxels);
  [[nodiscard]] LabelScores scores() const;

 private:
  LabelScores sums_;
};

}  // namespace synthoscope::score

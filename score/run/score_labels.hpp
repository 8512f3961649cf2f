// SPDX-License-Identifier: MIT
// score/run/score_labels.hpp — scores a segmentation, frame by frame, from files to numbers.
#pragma once
#include <optional>
#include <vector>
#include "core/run/run_context.hpp"
#include "score/labels/label_scores.hpp"
#include "score/run/label_task.hpp"
#include "score/strata/scored_object.hpp"
#include "score/strata/strata.hpp"

namespace synthoscope::score {

/// All that is said of a segmentation.
struct LabelReport {
  LabelScores scores;                 ///< of all tasks
  std::vector<LabelScores> of_tasks;  ///< of each
  std::vector<Stratum> strata;
  std::vector<ScoredObject> truth, results;       ///< of all tasks and frames
  std::vector<std::optional<VoxelSize>> pitches;  ///< of each task; nothing: it is not known
  bool is_plane = false;                          ///< images have one plane
  Reservation counted;                            ///< of the objects

  /// Returns whether lengths are in micrometres: of all tasks or of none.
  [[nodiscard]] bool has_um() const;
};

/// Reads every voxel of truths and results once. Voxels of objects that the selection leaves out
/// still count for Dice, variation of information and Rand error.
/// @throws InvalidSpec  some tasks know the size of voxels and others do not, or some have planes
///                      and others stacks.
/// @throws as overlap_of, and what opening throws
LabelReport score_labels(const std::vector<LabelTask>& tasks, const Selection& selection,
                         const RunContext& context);

}  // namespace synthoscope::score

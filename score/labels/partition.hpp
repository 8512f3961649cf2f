// SPDX-License-Identifier: MIT
// score/labels/partition.hpp — two label images compared as partitions of their voxels.
#pragma once
#include "score/labels/overlap.hpp"

namespace synthoscope::score {

/// How far two partitions differ; 0 if they are the same. Which voxels take part is said by `Over`.
struct PartitionScores {
  double vi_split = 0;  ///< conditional entropy of the result where the truth is known, in bits
  double vi_merge = 0;  ///< conditional entropy of the truth where the result is known, in bits
  double adapted_rand_error = 0;  ///< 1 - F score of the pairs of voxels that are together, 0 to 1
};

/// All voxels, where 0 is a label like others; or those inside true objects.
enum class Over { all_voxels, true_objects };

/// Returns both measures by the definitions of scikit-image. If no voxel takes part, all are 0.
/// @source  M. Meila, "Comparing clusterings", J. Multivariate Anal. 98 (2007) 873-895;
///          I. Arganda-Carreras et al., "Crowdsourcing the creation of image segmentation
///          algorithms for connectomics", Front. Neuroanat. 9 (2015) 142.
PartitionScores partition_scores(const OverlapTable& table, Over over);

/// Returns 2 n / (a + b) for a voxels inside true objects, b inside results and n inside both: the
/// coefficient of Dice. 1 if there is no object at all.
double foreground_dice(const OverlapTable& table);

}  // namespace synthoscope::score

// SPDX-License-Identifier: MIT
// score/pages/gallery.hpp — pictures of the objects where a segmentation fails most.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "score/run/score_labels.hpp"

namespace synthoscope::score {

/// An object that is worth a look.
struct WorstObject {
  ScoredObject object;
  bool is_truth = true;  ///< or it is a result that is no true object
};

/// Returns true objects that were missed, from the largest on, or agree worst with their results;
/// and the largest results without a true object.
std::vector<WorstObject> worst_objects(const LabelReport& report, std::size_t truths = 12,
                                       std::size_t results = 6);

/// Returns pictures of these objects for a page: the plane of the centroid around each, with the
/// outlines of all true objects in green and of all results in magenta. Reads the parts that are
/// shown once more.
/// @throws PlanError  the memory has no room.  @throws what opening and reading throw
std::string gallery(const std::vector<LabelTask>& tasks, const std::vector<WorstObject>& objects,
                    const RunContext& context);

}  // namespace synthoscope::score

// SPDX-License-Identifier: MIT
#include "score/strata/scored_object.hpp"
#include <algorithm>
#include <limits>
#include "score/labels/matching.hpp"
#include "simulator/truth/nearest_neighbour.hpp"

namespace synthoscope::score {
namespace {

constexpr double kFoundFrom = 0.5;
constexpr std::size_t kGone = std::numeric_limits<std::size_t>::max();

/// Returns the volume of a voxel; of an image of one plane, the area of a pixel.
double voxel_volume(const Extent3& image, const std::optional<VoxelSize>& known_pitch) {
  const VoxelSize pitch = known_pitch.value_or(VoxelSize{1, 1, 1});
  return (image.z > 1 ? pitch.z_um : 1) * pitch.y_um * pitch.x_um;
}

/// Returns for each result the true object that it shares the most voxels with; kGone for none.
std::vector<std::size_t> main_truths(const OverlapTable& table) {
  std::vector<std::size_t> of_result(table.results.size(), kGone);
  std::vector<std::int64_t> most(table.results.size(), 0);
  for (const Overlap& overlap : table.overlaps)
    if (overlap.voxels > most[overlap.result]) {
      most[overlap.result] = overlap.voxels;
      of_result[overlap.result] = overlap.truth;
    }
  return of_result;
}

/// Keeps some objects, and returns the new place of each; kGone for those that are left out.
template <class IsKept>
std::vector<std::size_t> keep(const std::vector<LabelledObject>& from,
                              std::vector<LabelledObject>& to, IsKept&& is_kept) {
  std::vector<std::size_t> places(from.size(), kGone);
  for (std::size_t i = 0; i < from.size(); ++i)
    if (is_kept(i)) {
      places[i] = to.size();
      to.push_back(from[i]);
    }
  return places;
}

Point3 centroid_of(const LabelledObject& object, const VoxelSize& pitch) {
  return {(object.mean(object.sum_z) + 0.5) * pitch.z_um,
          (object.mean(object.sum_y) + 0.5) * pitch.y_um,
          (object.mean(object.sum_x) + 0.5) * pitch.x_um};
}

std::vector<ScoredObject> described(const std::vector<LabelledObject>& objects,
                                    const Extent3& image, std::int64_t frame,
                                    const std::optional<VoxelSize>& known_pitch) {
  const VoxelSize pitch = known_pitch.value_or(VoxelSize{1, 1, 1});
  const double of_voxel = voxel_volume(image, known_pitch);
  std::vector<ScoredObject> list;
  std::vector<Point3> centroids;
  for (const LabelledObject& object : objects) {
    ScoredObject one;
    one.frame = frame;
    one.id = object.id;
    one.low = object.low;
    one.high = object.high;
    one.centroid = centroid_of(object, pitch);
    one.volume = static_cast<double>(object.voxels) * of_voxel;
    one.touches_border = object.touches_border(image);
    centroids.push_back(one.centroid);
    list.push_back(one);
  }
  const std::vector<double> nearest = simulator::nearest_distances_um(centroids);
  for (std::size_t i = 0; i < list.size(); ++i) list[i].nearest = nearest[i];
  return list;
}

}  // namespace

OverlapTable selected(const OverlapTable& table, const Selection& selection,
                      const std::optional<VoxelSize>& pitch) {
  const double of_voxel = voxel_volume(table.extent, pitch);
  const auto is_large_and_inside = [&](const LabelledObject& object) {
    return static_cast<double>(object.voxels) * of_voxel >= selection.min_volume &&
           !(selection.ignore_border && object.touches_border(table.extent));
  };
  const auto is_truth_kept = [&](std::size_t i) { return is_large_and_inside(table.truth[i]); };
  const std::vector<std::size_t> main = main_truths(table);
  OverlapTable kept;
  kept.extent = table.extent;
  const auto truths = keep(table.truth, kept.truth, is_truth_kept);
  const auto results = keep(table.results, kept.results, [&](std::size_t j) {
    return main[j] == kGone ? is_large_and_inside(table.results[j]) : is_truth_kept(main[j]);
  });
  for (const Overlap& overlap : table.overlaps)
    if (truths[overlap.truth] != kGone && results[overlap.result] != kGone)
      kept.overlaps.push_back({truths[overlap.truth], results[overlap.result], overlap.voxels});
  return kept;
}

std::vector<ScoredObject> scored_truth(const OverlapTable& table, std::int64_t frame,
                                       const std::optional<VoxelSize>& pitch) {
  std::vector<ScoredObject> objects = described(table.truth, table.extent, frame, pitch);
  for (const Match& match : matches_of(table, kFoundFrom)) {
    objects[match.truth].partner = table.results[match.result].id;
    objects[match.truth].iou = match.iou;
  }
  return objects;
}

std::vector<ScoredObject> scored_results(const OverlapTable& table, std::int64_t frame,
                                         const std::optional<VoxelSize>& pitch) {
  std::vector<ScoredObject> objects = described(table.results, table.extent, frame, pitch);
  for (const Match& match : matches_of(table, kFoundFrom)) {
    objects[match.result].partner = table.truth[match.truth].id;
    objects[match.result].iou = match.iou;
  }
  return objects;
}

}  // namespace synthoscope::score

// SPDX-License-Identifier: MIT
#include "score/run/score_surfaces.hpp"
#include <algorithm>
#include <map>
#include <utility>
#include <vector>
#include "core/run/host_buffer.hpp"

namespace synthoscope::score {
namespace {

/// A true object, its result, and the smallest box that holds both.
struct Pair {
  std::int64_t truth = 0, result = 0;  ///< ids
  Box3 box;
};

/// Voxels of a label image in a box, and which are those of one object.
std::vector<std::uint8_t> mask_of(Source& labels, const Box3& box, std::int64_t id,
                                  MemoryBudget& memory) {
  const PixelType type = labels.pixel_type();
  const std::int64_t count = volume(box.size);
  const HostBuffer<std::byte> bytes{memory, count * size_of(type), "labels of an object"};
  labels.read(box, {bytes.data(), type, box.size});
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(count));
  visit_pixel_type(type, [&]<class T>(T) {
    const T* const voxels = reinterpret_cast<const T*>(bytes.data());
    for (std::size_t i = 0; i < mask.size(); ++i)
      mask[i] = static_cast<std::int64_t>(voxels[i]) == id ? 1 : 0;
  });
  return mask;
}

std::int64_t bytes_of(const Pair& pair, const imageio::OpenImage& truth,
                      const imageio::OpenImage& result) {
  const std::int64_t voxels = volume(pair.box.size);
  const std::int64_t labels = std::max(size_of(truth.info.type), size_of(result.info.type));
  return voxels * (labels + 2) + surface_distance_bytes(voxels);
}

Box3 box_around(const ScoredObject& a, const ScoredObject& b) {
  const Index3 low{std::min(a.low.z, b.low.z), std::min(a.low.y, b.low.y),
                   std::min(a.low.x, b.low.x)};
  const Index3 high{std::max(a.high.z, b.high.z), std::max(a.high.y, b.high.y),
                    std::max(a.high.x, b.high.x)};
  return {low, {high.z - low.z + 1, high.y - low.y + 1, high.x - low.x + 1}};
}

/// A frame of a task.
using Frame = std::pair<std::size_t, std::int64_t>;

/// Returns the pairs of each frame, in the order of their true objects.
std::map<Frame, std::vector<Pair>> pairs_by_frame(const LabelReport& report) {
  std::map<std::pair<Frame, std::int64_t>, const ScoredObject*> results;
  const auto frame_of = [](const ScoredObject& object) { return Frame{object.set, object.frame}; };
  for (const ScoredObject& object : report.results)
    results[{frame_of(object), object.id}] = &object;
  std::map<Frame, std::vector<Pair>> pairs;
  for (const ScoredObject& object : report.truth)
    if (object.is_found())
      pairs[frame_of(object)].push_back(
          {object.id, object.partner,
           box_around(object, *results.at({frame_of(object), object.partner}))});
  return pairs;
}

/// Measures the pairs of one frame on all threads. A pair for which not every thread would have the
/// memory is measured alone.
std::vector<SurfaceDistance> measured(const std::vector<Pair>& pairs,
                                      const imageio::OpenImage& truth,
                                      const imageio::OpenImage& result, const VoxelSize& pitch,
                                      double tolerance, const RunContext& context) {
  std::vector<SurfaceDistance> distances(pairs.size());
  const auto measure = [&](std::size_t i) {
    context.stop.check();
    const Pair& pair = pairs[i];
    const auto masks = context.memory.reserve(
        volume(pair.box.size) * 2 + surface_distance_bytes(volume(pair.box.size)),
        "distances between the surfaces of an object");
    const auto in_truth = mask_of(*truth.source, pair.box, pair.truth, context.memory);
    const auto in_result = mask_of(*result.source, pair.box, pair.result, context.memory);
    distances[i] = surface_distance({pair.box.size, in_truth, in_result}, pitch, tolerance);
    context.progress.advance(1);
  };
  const std::int64_t share =
      (context.memory.limit() - context.memory.used()) / context.pool.threads();
  std::vector<std::size_t> small;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (bytes_of(pairs[i], truth, result) > share)
      measure(i);
    else
      small.push_back(i);
  context.pool.for_each(std::ssize(small),
                        [&](std::int64_t i) { measure(small[static_cast<std::size_t>(i)]); });
  return distances;
}

void add(const SurfaceDistance& one, SurfaceScores& sums) {
  ++sums.pairs;
  sums.mean.hausdorff_um += one.hausdorff_um;
  sums.mean.hausdorff95_um += one.hausdorff95_um;
  sums.mean.mean_um += one.mean_um;
  sums.mean.boundary_f += one.boundary_f;
  sums.largest_hausdorff = std::max(sums.largest_hausdorff, one.hausdorff_um);
}

}  // namespace

SurfaceScores score_surfaces(const std::vector<LabelTask>& tasks, const LabelReport& report,
                             std::optional<double> tolerance, const RunContext& context) {
  const auto pitch_of_task = [&](std::size_t task) {
    return report.pitches.at(task).value_or(VoxelSize{1, 1, 1});
  };
  SurfaceScores scores;
  const VoxelSize first = pitch_of_task(0);
  scores.tolerance = tolerance.value_or(std::max(first.y_um, first.x_um));
  const auto frames = pairs_by_frame(report);
  std::int64_t all = 0;
  for (const auto& [frame, pairs] : frames) all += std::ssize(pairs);
  context.progress.begin("surfaces", all);
  for (const auto& [frame, pairs] : frames) {
    const LabelTask& task = tasks.at(frame.first);
    const imageio::CountedImage truth = task.truth.open(frame.second - task.first_frame, context);
    const imageio::CountedImage result =
        task.results.open(frame.second - task.first_frame, context);
    for (const SurfaceDistance& distance :
         measured(pairs, truth, result, pitch_of_task(frame.first), scores.tolerance, context))
      add(distance, scores);
  }
  if (scores.pairs == 0) return scores;
  const auto count = static_cast<double>(scores.pairs);
  for (double* mean : {&scores.mean.hausdorff_um, &scores.mean.hausdorff95_um, &scores.mean.mean_um,
                       &scores.mean.boundary_f})
    *mean /= count;
  return scores;
}

}  // namespace synthoscope::score

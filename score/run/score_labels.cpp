// SPDX-License-Identifier: MIT
#include "score/run/score_labels.hpp"
#include <fmt/format.h>
#include <cmath>
#include <utility>
#include "core/base/error.hpp"

namespace synthoscope::score {
namespace {

bool is_near(double a, double b) {
  constexpr double kSameVoxel = 0.01;  // files round the size of voxels
  return std::abs(a - b) <= kSameVoxel * std::max(a, b);
}

/// Returns the size of voxels that the truth gives; the result's if it gives none.
std::optional<VoxelSize> pitch_of(const imageio::CountedImage& truth,
                                  const imageio::CountedImage& result, Log& log) {
  const auto in_truth = truth.info.voxel_size(), in_result = result.info.voxel_size();
  if (in_truth && in_result &&
      !(is_near(in_truth->y_um, in_result->y_um) && is_near(in_truth->x_um, in_result->x_um) &&
        (truth.info.extent.z == 1 || is_near(in_truth->z_um, in_result->z_um))))
    log.warn(fmt::format(
        "{} and {} give different sizes of voxels, and that of the truth is used: {:g}, {:g}, {:g} "
        "um (z, y, x)",
        result.info.path.string(), truth.info.path.string(), in_truth->z_um, in_truth->y_um,
        in_truth->x_um));
  return in_truth ? in_truth : in_result;
}

/// What has been read so far.
class LabelRun {
 public:
  LabelRun(const Selection& selection, const RunContext& context)
      : selection_{selection}, context_{context} {}

  void add(const LabelTask& task) {
    LabelScorer of_task;
    for (std::int64_t i = 0; i < task.truth.count; ++i) {
      const imageio::CountedImage truth = task.truth.open(i, context_);
      const imageio::CountedImage result = task.results.open(i, context_);
      if (i == 0) begin(truth, result);
      const OverlapTable all = overlap_of({*truth.source, truth.info.path.string()},
                                          {*result.source, result.info.path.string()}, context_);
      const OverlapTable chosen = selected(all, selection_, report_.pitches.back());
      of_task.add(chosen, all);
      of_all_.add(chosen, all);
      add_objects(chosen, task.first_frame + i, task.snr);
    }
    report_.of_tasks.push_back(of_task.scores());
  }

  LabelReport finish() {
    report_.scores = of_all_.scores();
    report_.strata = strata_of(report_.truth, report_.results, report_.has_um(), report_.is_plane);
    return std::move(report_);
  }

 private:
  void begin(const imageio::CountedImage& truth, const imageio::CountedImage& result) {
    const auto pitch = pitch_of(truth, result, context_.log);
    const bool is_plane = truth.info.extent.z == 1;
    const bool is_first = report_.pitches.empty();
    if (!is_first && (pitch.has_value() != report_.has_um() || is_plane != report_.is_plane))
      throw InvalidSpec(fmt::format(
          "score {}: it has {}, unlike the data sets before it; score data sets of one kind "
          "together",
          truth.info.path.string(),
          is_plane != report_.is_plane ? is_plane ? "one plane" : "several planes"
          : pitch                      ? "a known size of voxels"
                                       : "no known size of voxels"));
    report_.pitches.push_back(pitch);
    report_.is_plane = is_plane;
  }

  void add_objects(const OverlapTable& table, std::int64_t frame, const ObjectSnr& snr) {
    count(std::ssize(table.truth) + std::ssize(table.results));
    const auto& pitch = report_.pitches.back();
    std::vector<ScoredObject> truth = scored_truth(table, frame, pitch);
    for (ScoredObject& object : truth)
      if (const auto known = snr.find({frame, object.id}); known != snr.end())
        object.snr = known->second;
    append(truth, report_.truth);
    append(scored_results(table, frame, pitch), report_.results);
  }

  void append(const std::vector<ScoredObject>& from, std::vector<ScoredObject>& to) const {
    for (const ScoredObject& object : from) {
      to.push_back(object);
      to.back().set = report_.of_tasks.size();
    }
  }

  void count(std::int64_t more) {
    objects_ += more;
    if (objects_ <= counted_) return;
    counted_ = 2 * objects_;  // vectors grow by doubling, and copy what they hold
    report_.counted = {};
    report_.counted = context_.memory.reserve(2 * counted_ * std::int64_t{sizeof(ScoredObject)},
                                              "what is known of the objects");
  }

  const Selection& selection_;
  const RunContext& context_;
  LabelReport report_;
  LabelScorer of_all_;
  std::int64_t objects_ = 0, counted_ = 0;
};

}  // namespace

bool LabelReport::has_um() const {
  return !pitches.empty() && pitches.front().has_value();
}

LabelReport score_labels(const std::vector<LabelTask>& tasks, const Selection& selection,
                         const RunContext& context) {
  LabelRun run{selection, context};
  for (const LabelTask& task : tasks) run.add(task);
  return run.finish();
}

}  // namespace synthoscope::score

// SPDX-License-Identifier: MIT
#include "score/run/score_tracks.hpp"
#include <fmt/format.h>
#include <optional>
#include "core/base/error.hpp"
#include "score/labels/overlap.hpp"

namespace synthoscope::score {
namespace {

/// Returns the table of tracks of a folder of the challenge.
std::optional<std::filesystem::path> table_in(const std::filesystem::path& folder) {
  for (const char* name : {"res_track.txt", "man_track.txt", "TRA/man_track.txt"}) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(folder / name, ignored)) return folder / name;
  }
  return std::nullopt;
}

TrackedMovie movie_of_data_set(const std::filesystem::path& folder) {
  const simulator::DataSetReader set{folder};
  if (!set.is_movie())
    throw InvalidSpec(
        fmt::format("score {}: its frames are independent and have no tracks; give a movie, which "
                    "a scene with time.interval_seconds makes, or --kind labels",
                    folder.string()));
  if (set.made().count() != set.frames())
    throw InvalidSpec(
        fmt::format("score {}: it holds frames {} to {} of a movie of {}; score the whole movie, "
                    "which finalize joins",
                    folder.string(), set.made().first, set.made().last, set.frames()));
  return {labels_in(set), read_tracks(set.tracks_csv())};
}

}  // namespace

bool has_tracks(const std::filesystem::path& folder) {
  return table_in(folder).has_value();
}

TrackedMovie tracked_movie(const std::filesystem::path& folder, const imageio::OpenOptions& options,
                           const RunContext& context) {
  if (is_data_set(folder)) return movie_of_data_set(folder);
  const auto table = table_in(folder);
  if (!table)
    throw InvalidSpec(
        fmt::format("score {}: it has no table of tracks; give a data set of a movie, or a folder "
                    "with masks and res_track.txt or man_track.txt",
                    folder.string()));
  return {truth_frames(table->parent_path(), options, context), read_tracks(*table)};
}

TrackScores score_tracks(const TrackedMovie& truth, const TrackedMovie& result,
                         const RunContext& context) {
  if (truth.labels.count != result.labels.count)
    throw InvalidSpec(fmt::format(
        "score {}: it has {} frames, and the truth {} has {}; give masks for every frame",
        result.labels.path.string(), result.labels.count, truth.labels.path.string(),
        truth.labels.count));
  TrackScorer scorer{truth.tracks, result.tracks, truth.labels.count, context.memory};
  for (std::int64_t frame = 0; frame < truth.labels.count; ++frame) {
    const imageio::CountedImage in_truth = truth.labels.open(frame, context);
    const imageio::CountedImage in_result = result.labels.open(frame, context);
    scorer.add(overlap_of({*in_truth.source, in_truth.info.path.string()},
                          {*in_result.source, in_result.info.path.string()}, context));
  }
  return scorer.finish();
}

}  // namespace synthoscope::score

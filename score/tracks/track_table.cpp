// SPDX-License-Identifier: MIT
#include "score/tracks/track_table.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include "core/base/error.hpp"
#include "imageio/input/text_file.hpp"

namespace synthoscope::score {
namespace {

void require_possible(const TrackLine& line, const std::string& name) {
  constexpr std::int64_t kLastFrame = std::numeric_limits<std::int32_t>::max();
  if (line.id < 1)
    throw InvalidInput(
        fmt::format("score {}: a track has the label {}, and labels of tracks are 1 or more; 0 is "
                    "the background",
                    name, line.id));
  if (line.begin < 0 || line.end < line.begin || line.end > kLastFrame)
    throw InvalidInput(
        fmt::format("score {}: track {} goes from frame {} to frame {}, and the frames of a track "
                    "are numbered from 0 and in order, up to {}; correct its line",
                    name, line.id, line.begin, line.end, kLastFrame));
}

/// @param tracks  by rising id, then frame
void require_one_label_a_frame(const std::vector<TrackSpan>& tracks, const std::string& name) {
  for (std::size_t i = 1; i < tracks.size(); ++i) {
    const TrackSpan &before = tracks[i - 1], &after = tracks[i];
    if (before.id != after.id || before.end < after.begin) continue;
    throw InvalidInput(
        fmt::format("score {}: two tracks have the label {}, from frame {} to {} and from frame {} "
                    "to {}, and tracks that share a frame need different labels; give one of them "
                    "another label",
                    name, after.id, before.begin, before.end, after.begin, after.end));
  }
}

/// Returns the last track of the parent's id that ended before the child begins.
/// @param tracks  by rising id, then frame; those of one id share no frame
std::int32_t parent_of(const TrackLine& child, const std::vector<TrackSpan>& tracks,
                       const std::string& name) {
  if (child.parent == 0) return kNoTrack;
  const auto [first, last] =
      std::equal_range(tracks.begin(), tracks.end(), TrackSpan{child.parent},
                       [](const TrackSpan& a, const TrackSpan& b) { return a.id < b.id; });
  if (first == last)
    throw InvalidInput(
        fmt::format("score {}: track {} has the parent {}, and no track has this label; give the "
                    "label of a track, or 0 for none",
                    name, child.id, child.parent));
  const auto next = std::partition_point(
      first, last, [&](const TrackSpan& track) { return track.end < child.begin; });
  if (next == first)
    throw InvalidInput(
        fmt::format("score {}: track {} begins in frame {}, and its parent {} lasts from frame {} "
                    "to {}; end a parent before its children begin, and continue it under a new "
                    "label if it stays visible",
                    name, child.id, child.begin, child.parent, first->begin, first->end));
  return static_cast<std::int32_t>(next - tracks.begin() - 1);
}

}  // namespace

std::vector<std::vector<std::int32_t>> TrackTable::children() const {
  std::vector<std::vector<std::int32_t>> children(tracks.size());
  for (std::int32_t i = 0; i < count(); ++i)
    if (const std::int32_t parent = at(i).parent; parent != kNoTrack)
      children[static_cast<std::size_t>(parent)].push_back(i);
  return children;
}

TrackTable track_table(std::string name, const std::vector<TrackLine>& lines) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (lines.size() > kMost)
    throw InvalidInput(
        fmt::format("score {}: it has {} tracks, and {} are possible", name, lines.size(), kMost));
  for (const TrackLine& line : lines) require_possible(line, name);
  std::vector<TrackLine> sorted = lines;
  std::sort(sorted.begin(), sorted.end(), [](const TrackLine& a, const TrackLine& b) {
    return std::tie(a.id, a.begin) < std::tie(b.id, b.begin);
  });

  TrackTable table{std::move(name), {}};
  table.tracks.reserve(sorted.size());
  for (const TrackLine& line : sorted) table.tracks.push_back({line.id, line.begin, line.end});
  require_one_label_a_frame(table.tracks, table.name);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    table.tracks[i].parent = parent_of(sorted[i], table.tracks, table.name);
  return table;
}

TrackTable read_tracks(const std::filesystem::path& path) {
  const std::string text = imageio::read_text(path, imageio::kMaxRecordBytes);
  return track_table(path.string(), track_lines(text, path.string()));
}

}  // namespace synthoscope::score

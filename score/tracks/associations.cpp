// SPDX-License-Identifier: MIT
#include "score/tracks/associations.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace synthoscope::score {
namespace {

/// Chains of tracks, each the only child of the one before, and how chains descend from others.
struct Chains {
  std::vector<std::int32_t> of_track;
  std::vector<std::int32_t> parent;                 ///< kNoTrack: none
  std::vector<std::vector<std::int32_t>> children;  ///< of each chain

  /// Returns a chain with all its ancestors and descendants.
  [[nodiscard]] std::vector<std::int32_t> family(std::int32_t chain) const {
    std::vector<std::int32_t> family{chain};
    for (std::size_t i = 0; i < family.size(); ++i)
      for (const std::int32_t child : children[static_cast<std::size_t>(family[i])])
        family.push_back(child);
    for (std::int32_t up = parent[static_cast<std::size_t>(chain)]; up != kNoTrack;
         up = parent[static_cast<std::size_t>(up)])
      family.push_back(up);
    return family;
  }
};

Chains chains_of(const TrackTable& table) {
  const std::vector<std::vector<std::int32_t>> children = table.children();
  // A parent ends before its child begins, so that it also begins before it
  std::vector<std::int32_t> by_begin(table.tracks.size());
  std::iota(by_begin.begin(), by_begin.end(), 0);
  std::stable_sort(by_begin.begin(), by_begin.end(), [&](std::int32_t a, std::int32_t b) {
    return table.at(a).begin < table.at(b).begin;
  });
  Chains chains;
  chains.of_track.assign(table.tracks.size(), kNoTrack);
  for (const std::int32_t track : by_begin) {
    const std::int32_t parent = table.at(track).parent;
    const std::int32_t above =
        parent == kNoTrack ? kNoTrack : chains.of_track[static_cast<std::size_t>(parent)];
    std::int32_t& chain = chains.of_track[static_cast<std::size_t>(track)];
    if (parent != kNoTrack && children[static_cast<std::size_t>(parent)].size() == 1) {
      chain = above;
      continue;
    }
    chain = static_cast<std::int32_t>(chains.parent.size());
    chains.parent.push_back(above);
    chains.children.emplace_back();
    if (above != kNoTrack) chains.children[static_cast<std::size_t>(above)].push_back(chain);
  }
  return chains;
}

/// Frames in which two chains match.
struct SharedFrames {
  std::int32_t result = 0;
  std::int64_t frames = 0;
};

/// How many detections the chains of both sides share, and how many each has.
struct SharedDetections {
  std::vector<std::vector<SharedFrames>> of_truth;  ///< for each true chain, by rising result
  std::vector<std::int64_t> in_truth, in_results;   ///< matches, and detections without a match
  std::int64_t all = 0;                             ///< matches and detections without a match
};

/// Returns how often each number occurs, in rising order.
std::vector<SharedFrames> runs_of(std::vector<std::int32_t> results) {
  std::sort(results.begin(), results.end());
  std::vector<SharedFrames> runs;
  for (const std::int32_t result : results) {
    if (runs.empty() || runs.back().result != result) runs.push_back({result, 0});
    ++runs.back().frames;
  }
  return runs;
}

SharedDetections shared_detections(const VertexMatches& matches, const Chains& truth,
                                   const Chains& results) {
  SharedDetections shared;
  shared.in_truth.assign(truth.parent.size(), 0);
  shared.in_results.assign(results.parent.size(), 0);
  std::vector<std::vector<std::int32_t>> met(truth.parent.size());
  for (std::int32_t i = 0; i < matches.truth().count(); ++i) {
    const auto chain = static_cast<std::size_t>(truth.of_track[static_cast<std::size_t>(i)]);
    const TrackSpan& track = matches.truth().at(i);
    shared.in_truth[chain] += track.frames();
    shared.all += track.frames();
    for (std::int64_t frame = track.begin; frame <= track.end; ++frame) {
      const std::int32_t result = matches.result_of(i, frame);
      if (result == kNoTrack) continue;
      const std::int32_t other = results.of_track[static_cast<std::size_t>(result)];
      met[chain].push_back(other);
      ++shared.in_results[static_cast<std::size_t>(other)];
    }
  }
  for (std::int32_t i = 0; i < matches.results().count(); ++i) {
    const auto chain = static_cast<std::size_t>(results.of_track[static_cast<std::size_t>(i)]);
    const TrackSpan& track = matches.results().at(i);
    for (std::int64_t frame = track.begin; frame <= track.end; ++frame) {
      if (matches.truth_of(i, frame) != kNoTrack) continue;
      ++shared.in_results[chain];
      ++shared.all;
    }
  }
  for (std::vector<std::int32_t>& of_chain : met)
    shared.of_truth.push_back(runs_of(std::move(of_chain)));
  return shared;
}

double association(std::int64_t both, std::int64_t in_truth, std::int64_t in_results) {
  return static_cast<double>(both) / static_cast<double>(in_truth + in_results - both);
}

/// Returns the sum of the association of all matches, between the tracks of each.
double sum_between_tracks(const SharedDetections& shared) {
  double sum = 0;
  for (std::size_t i = 0; i < shared.of_truth.size(); ++i)
    for (const SharedFrames& both : shared.of_truth[i])
      sum += static_cast<double>(both.frames) *
             association(both.frames, shared.in_truth[i],
                         shared.in_results[static_cast<std::size_t>(both.result)]);
  return sum;
}

/// The same, between their families.
double sum_between_families(const SharedDetections& shared, const Chains& truth,
                            const Chains& results) {
  double sum = 0;
  std::vector<std::int64_t> shared_with(results.parent.size(), 0);
  for (std::size_t i = 0; i < shared.of_truth.size(); ++i) {
    if (shared.of_truth[i].empty()) continue;
    const std::vector<std::int32_t> family = truth.family(static_cast<std::int32_t>(i));
    std::int64_t in_truth = 0;
    for (const std::int32_t member : family) {
      const auto place = static_cast<std::size_t>(member);
      in_truth += shared.in_truth[place];
      for (const SharedFrames& both : shared.of_truth[place])
        shared_with[static_cast<std::size_t>(both.result)] += both.frames;
    }
    for (const SharedFrames& match : shared.of_truth[i]) {
      std::int64_t both = 0, in_results = 0;
      for (const std::int32_t member : results.family(match.result)) {
        both += shared_with[static_cast<std::size_t>(member)];
        in_results += shared.in_results[static_cast<std::size_t>(member)];
      }
      sum += static_cast<double>(match.frames) * association(both, in_truth, in_results);
    }
    for (const std::int32_t member : family)
      for (const SharedFrames& both : shared.of_truth[static_cast<std::size_t>(member)])
        shared_with[static_cast<std::size_t>(both.result)] = 0;
  }
  return sum;
}

}  // namespace

Associations associations(const VertexMatches& matches) {
  const Chains truth = chains_of(matches.truth()), results = chains_of(matches.results());
  const SharedDetections shared = shared_detections(matches, truth, results);
  if (shared.all == 0) return {1, 1};
  const auto all = static_cast<double>(shared.all);
  return {std::sqrt(sum_between_tracks(shared) / all),
          std::sqrt(sum_between_families(shared, truth, results) / all)};
}

}  // namespace synthoscope::score

// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/candidates.hpp"
#include <algorithm>
#include <cmath>
#include "fftconv/fft/line_plan.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv {
namespace {

/// One axis of a cut: results at once and the transform that makes them.
struct AxisChoice {
  std::int64_t results, length;
};

/// The whole of an axis at once; rows are of half as many complex values.
std::vector<AxisChoice> uncut(const AxisGeometry& axis, LineKind kind, const Site& site) {
  std::vector<AxisChoice> choices;
  const bool even = kind == LineKind::row;
  if (!even && can_close(axis, axis.image) && site.can_transform(axis.image))
    choices.push_back({axis.wanted, axis.image});
  for (const std::int64_t n :
       site.lengths(even ? (axis.min_length + 1) / 2 : axis.min_length, kind))
    choices.push_back({axis.wanted, even ? 2 * n : n});
  return choices;
}

/// Returns the first of them, which costs least; none if there is none.
std::vector<AxisChoice> cheapest_uncut(const AxisGeometry& axis, LineKind kind, const Site& site) {
  const auto choices = uncut(axis, kind, site);
  if (choices.empty()) return {};
  return {choices.front()};
}

/// Rings for the z axis, from a single plane a turn to as many as the transform is shorter for.
std::vector<AxisChoice> rings(const AxisGeometry& z, const Site& site) {
  std::vector<AxisChoice> choices;
  const std::int64_t overlap = z.kernel_count - 1;
  for (std::int64_t planes = 1; planes < z.wanted; planes += (planes + 3) / 4) {
    const auto lengths = site.lengths(planes + overlap, LineKind::along_z);
    if (lengths.empty()) break;
    const std::int64_t length = lengths.front();
    // On a GPU a longer ring may have a shorter transform that costs less
    if (length >= z.min_length || length - overlap >= z.wanted) continue;
    if (choices.empty() || choices.back().length != length)
      choices.push_back({length - overlap, length});
  }
  return choices;
}

/// Returns the planes of a turn if a thin kernel is summed along z; none if it is not thin. Planes
/// that are rows of a flat image are many.
std::vector<std::int64_t> thin_turns(const Layout& layout) {
  std::vector<std::int64_t> planes;
  if (layout.z.kernel_count > kThinKernel) return planes;
  const std::int64_t most = layout.y.wanted == 1 ? 1024 : 64;
  for (std::int64_t n = 1; n <= most && n < layout.z.wanted; n *= 4) planes.push_back(n);
  return planes;
}

Cut thin_cut(const Extent3& results) {
  Cut cut{results};
  cut.direct_z = true;
  return cut;
}

/// Pieces of an axis of a plane: whole, halves, thirds, ... down to pieces no longer than twice
/// the kernel, beyond which the overlap only grows.
std::vector<AxisChoice> pieces(const AxisGeometry& axis, LineKind kind, const Site& site) {
  auto choices = cheapest_uncut(axis, kind, site);
  const std::int64_t overlap = axis.kernel_count - 1;
  for (std::int64_t n = 2; n < axis.wanted; n += (n + 3) / 4) {
    const std::int64_t least = (axis.wanted + n - 1) / n + overlap;
    const bool even = kind == LineKind::row;
    const auto lengths = site.lengths(even ? (least + 1) / 2 : least, kind);
    if (lengths.empty()) continue;  // shorter ones may be possible
    const std::int64_t length = even ? 2 * lengths.front() : lengths.front();
    const std::int64_t results = length - overlap;
    if (results < axis.wanted && (choices.empty() || results != choices.back().results))
      choices.push_back({results, length});
    if (results <= 2 * overlap && n > 8) break;
  }
  return choices;
}

/// Where finished parts wait until all are there; else in memory.
struct PartsKept {
  bool on_disk = false, nowhere = false;
};

std::vector<PartsKept> ways_of_keeping(const Site& site) {
  std::vector<PartsKept> ways{{}, {true, false}};
  if (site.can_fold()) ways.push_back({false, true});
  return ways;
}

/// Returns whether the kernel's transform is kept, where that is a choice.
std::vector<bool> keeping(const Site& site) {
  return site.may_keep_transfer() ? std::vector<bool>{false, true} : std::vector<bool>{false};
}

}  // namespace

std::vector<Candidate> in_core_candidates(const Problem& work, const Site& site) {
  const Layout whole = make_layout(work, {1, 1, 2});
  std::vector<Candidate> candidates;
  for (const AxisChoice& z : uncut(whole.z, LineKind::along_z, site))
    for (const AxisChoice& y : uncut(whole.y, LineKind::column, site))
      for (const AxisChoice& x : uncut(whole.x, LineKind::row, site))
        candidates.push_back(site.measured(Strategy::in_core, work, {z.length, y.length, x.length},
                                           {{z.results, y.results, x.results}, false}));
  const bool are_planes_apart = whole.z.kernel_count == 1 && whole.y.wanted > 1;
  if (!are_planes_apart || !site.convolves_planes_alone() || work.terms > 1) return candidates;
  for (const AxisChoice& y : uncut(whole.y, LineKind::column, site))
    for (const AxisChoice& x : uncut(whole.x, LineKind::row, site))
      candidates.push_back(site.measured(Strategy::in_core, work, {1, y.length, x.length},
                                         thin_cut({whole.z.wanted, y.results, x.results})));
  return candidates;
}

std::vector<Candidate> ring_candidates(const Problem& work, const Site& site) {
  std::vector<Candidate> candidates;
  if (work.terms > 1) return candidates;
  const Layout whole = make_layout(work, {1, 1, 2});
  for (const AxisChoice& y : cheapest_uncut(whole.y, LineKind::column, site))
    for (const AxisChoice& x : cheapest_uncut(whole.x, LineKind::row, site)) {
      for (const std::int64_t planes : thin_turns(whole))
        candidates.push_back(site.measured(Strategy::ring, work, {1, y.length, x.length},
                                           thin_cut({planes, y.results, x.results})));
      for (const AxisChoice& z : rings(whole.z, site))
        for (const bool keep : keeping(site))
          candidates.push_back(site.measured(Strategy::ring, work, {z.length, y.length, x.length},
                                             {{z.results, y.results, x.results}, keep}));
    }
  return candidates;
}

std::vector<Candidate> parts_candidates(const Problem& work, const Site& site, std::int64_t parts) {
  std::vector<Candidate> candidates;
  if (work.terms > 1) return candidates;
  const bool is_deep = work.image.y > 1 || work.kernel.y > 1;
  for (const bool along_y : {false, true}) {
    if (along_y && !is_deep) continue;
    Cut cut;
    cut.along_y = along_y;
    const Problem turned = along_y ? work_problem(work, cut) : work;
    cut.result = wanted_extent(turned);
    const Layout whole = make_layout(turned, {1, 1, 2});
    const auto ys = cheapest_uncut(whole.y, LineKind::column, site);
    const auto xs = site.part_rows(whole.x.min_length);
    if (ys.empty() || xs.empty()) continue;
    const auto add = [&](std::int64_t r) {
      cut.parts = r;
      const std::int64_t least = (whole.z.min_length + 2 * r - 1) / (2 * r);
      const auto lengths = site.lengths(least, LineKind::along_z);
      if (lengths.empty()) return;
      for (const PartsKept& kept : ways_of_keeping(site)) {
        cut.parts_on_disk = kept.on_disk;
        cut.fold_on_device = kept.nowhere;
        candidates.push_back(site.measured(Strategy::parts, turned,
                                           {lengths.front(), ys.front().length, xs.front()}, cut));
      }
    };
    if (parts > 0) add(parts);
    for (std::int64_t r = 1; parts == 0 && r <= kMaxParts && 2 * r <= whole.z.min_length;
         r += (r + 3) / 4)
      add(r);
  }
  return candidates;
}

std::vector<Candidate> tile_candidates(const Problem& work, const Site& site) {
  std::vector<Candidate> candidates;
  if (work.terms > 1) return candidates;
  const Layout whole = make_layout(work, {1, 1, 2});
  auto turns = rings(whole.z, site);
  for (const AxisChoice& at_once : cheapest_uncut(whole.z, LineKind::along_z, site))
    turns.push_back(at_once);
  for (const AxisChoice& y : pieces(whole.y, LineKind::column, site))
    for (const AxisChoice& x : pieces(whole.x, LineKind::row, site)) {
      if (y.results == whole.y.wanted && x.results == whole.x.wanted) continue;
      for (const std::int64_t planes : thin_turns(whole))
        candidates.push_back(site.measured(Strategy::tiles, work, {1, y.length, x.length},
                                           thin_cut({planes, y.results, x.results})));
      for (const AxisChoice& z : turns)
        for (const bool keep : keeping(site))
          candidates.push_back(site.measured(Strategy::tiles, work, {z.length, y.length, x.length},
                                             {{z.results, y.results, x.results}, keep}));
    }
  return candidates;
}

std::vector<std::int64_t> HostSite::lengths(std::int64_t least, LineKind) const {
  return candidate_lengths(least);
}

bool HostSite::can_transform(std::int64_t length) const {
  return fftconv::can_transform(length);
}

std::vector<std::int64_t> HostSite::part_rows(std::int64_t least) const {
  // Planes of a part are pairs of real ones, whose rows are of half as many complex values
  std::vector<std::int64_t> lengths = candidate_lengths((least + 1) / 2);
  for (std::int64_t& n : lengths) n *= 2;
  return lengths;
}

double HostSite::wait_for_room(std::int64_t plan_bytes, std::int64_t bytes_of_a_thread) const {
  // Plans do not know how many threads a run is given: the charge is the geometric mean of what one
  // thread loses, nothing, and what so many lose
  constexpr std::int64_t kThreads = 16;
  const std::int64_t left = host_bytes_ - plan_bytes;
  if (left < 0 || bytes_of_a_thread <= 0) return 1;
  const std::int64_t most = std::max(kThreads, rates_.cores);
  const std::int64_t with_room = std::min(1 + left / bytes_of_a_thread, most);
  return std::sqrt(static_cast<double>(most) / static_cast<double>(with_room));
}

Candidate HostSite::measured(Strategy strategy, const Problem& work, const Extent3& transform,
                             const Cut& cut) const {
  Candidate c;
  c.strategy = strategy;
  c.transform = transform;
  c.cut = cut;
  c.cut.fft = library_;
  const Layout layout = make_layout(work, transform, c.cut);
  for (const MemoryItem& item : memory_of(layout, work)) c.memory_bytes += item.bytes;
  RunCost cost = run_cost(layout, work, c.cut, rates_);
  cost.compute_seconds *= wait_for_room(c.memory_bytes, thread_bytes(layout, work));
  set_cost(c, cost, rates_);
  return c;
}

}  // namespace synthoscope::fftconv

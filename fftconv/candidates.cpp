// SPDX-License-Identifier: MIT
#include "fftconv/candidates.hpp"
#include <algorithm>
#include <numeric>
#include "fftconv/cost.hpp"
#include "fftconv/layout.hpp"

namespace synthoscope::fftconv {
namespace {

/// One axis of a cut: results at once and the transform that makes them.
struct AxisChoice {
  std::int64_t results, length;
};

Candidate measured(Strategy strategy, const Problem& work, const Extent3& transform, const Cut& cut,
                   const MachineRates& rates) {
  Candidate c;
  c.strategy = strategy;
  c.transform = transform;
  c.cut = cut;
  const Layout layout = make_layout(work, transform, cut);
  for (const MemoryItem& item : memory_of(layout, work)) c.memory_bytes += item.bytes;
  set_cost(c, run_cost(layout, work, cut, rates), rates);
  return c;
}

/// The whole of an axis at once; `even` where the transform is of half as many complex values.
std::vector<AxisChoice> uncut(const AxisGeometry& axis, bool even) {
  std::vector<AxisChoice> choices;
  if (even)
    for (const std::int64_t half : candidate_lengths((axis.min_length + 1) / 2))
      choices.push_back({axis.wanted, 2 * half});
  else
    for (const std::int64_t n : candidate_lengths(axis.min_length))
      choices.push_back({axis.wanted, n});
  return choices;
}

/// Rings for the z axis, from a single plane a turn to as many as the transform is shorter for.
std::vector<AxisChoice> rings(const AxisGeometry& z) {
  std::vector<AxisChoice> choices;
  const std::int64_t overlap = z.kernel_count - 1;
  for (std::int64_t planes = 1; planes < z.wanted; planes += (planes + 3) / 4) {
    const std::int64_t length = candidate_lengths(planes + overlap).front();
    if (length >= z.min_length || length - overlap >= z.wanted) break;
    if (choices.empty() || choices.back().length != length)
      choices.push_back({length - overlap, length});
  }
  return choices;
}

/// Planes of a turn where a thin kernel is summed along z; none where it is not thin.
std::vector<std::int64_t> thin_turns(const AxisGeometry& z) {
  std::vector<std::int64_t> planes;
  if (z.kernel_count > kThinKernel) return planes;
  for (std::int64_t n = 1; n <= 64 && n < z.wanted; n *= 4) planes.push_back(n);
  return planes;
}

Cut thin_cut(const Extent3& results) {
  Cut cut{results};
  cut.direct_z = true;
  return cut;
}

/// Pieces of an axis of a plane: whole, halves, thirds, ... down to pieces no longer than twice
/// the kernel, beyond which the overlap only grows.
std::vector<AxisChoice> pieces(const AxisGeometry& axis, bool even) {
  std::vector<AxisChoice> choices{uncut(axis, even).front()};
  const std::int64_t overlap = axis.kernel_count - 1;
  for (std::int64_t n = 2; n < axis.wanted; n += (n + 3) / 4) {
    const std::int64_t least = (axis.wanted + n - 1) / n + overlap;
    const std::int64_t length =
        even ? 2 * candidate_lengths((least + 1) / 2).front() : candidate_lengths(least).front();
    const std::int64_t results = length - overlap;
    if (results < axis.wanted && results != choices.back().results)
      choices.push_back({results, length});
    if (results <= 2 * overlap && n > 8) break;
  }
  return choices;
}

}  // namespace

std::vector<Candidate> in_core_candidates(const Problem& work, const MachineRates& rates) {
  const Layout whole = make_layout(work, {1, 1, 2});
  std::vector<Candidate> candidates;
  for (const AxisChoice& z : uncut(whole.z, false))
    for (const AxisChoice& y : uncut(whole.y, false))
      for (const AxisChoice& x : uncut(whole.x, true))
        candidates.push_back(measured(Strategy::in_core, work, {z.length, y.length, x.length},
                                      {{z.results, y.results, x.results}, false}, rates));
  return candidates;
}

std::vector<Candidate> ring_candidates(const Problem& work, const MachineRates& rates) {
  std::vector<Candidate> candidates;
  if (work.terms > 1) return candidates;
  const Layout whole = make_layout(work, {1, 1, 2});
  const AxisChoice y = uncut(whole.y, false).front(), x = uncut(whole.x, true).front();
  for (const std::int64_t planes : thin_turns(whole.z))
    candidates.push_back(measured(Strategy::ring, work, {1, y.length, x.length},
                                  thin_cut({planes, y.results, x.results}), rates));
  for (const AxisChoice& z : rings(whole.z))
    for (const bool keep : {false, true})
      candidates.push_back(measured(Strategy::ring, work, {z.length, y.length, x.length},
                                    {{z.results, y.results, x.results}, keep}, rates));
  return candidates;
}

std::vector<Candidate> parts_candidates(const Problem& work, const MachineRates& rates,
                                        std::int64_t parts) {
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
    const AxisChoice y = uncut(whole.y, false).front(), x = uncut(whole.x, true).front();
    const auto add = [&](std::int64_t r) {
      cut.parts = r;
      const std::int64_t least = (whole.z.min_length + 2 * r - 1) / (2 * r);
      for (const bool on_disk : {false, true}) {
        cut.parts_on_disk = on_disk;
        candidates.push_back(measured(Strategy::parts, turned,
                                      {candidate_lengths(least).front(), y.length, x.length}, cut,
                                      rates));
      }
    };
    if (parts > 0) add(parts);
    for (std::int64_t r = 1; parts == 0 && r <= kMostParts && 2 * r <= whole.z.min_length;
         r += (r + 3) / 4)
      add(r);
  }
  return candidates;
}

std::vector<Candidate> tile_candidates(const Problem& work, const MachineRates& rates) {
  std::vector<Candidate> candidates;
  if (work.terms > 1) return candidates;
  const Layout whole = make_layout(work, {1, 1, 2});
  auto turns = rings(whole.z);
  turns.push_back(uncut(whole.z, false).front());
  for (const AxisChoice& y : pieces(whole.y, false))
    for (const AxisChoice& x : pieces(whole.x, true)) {
      if (y.results == whole.y.wanted && x.results == whole.x.wanted) continue;
      for (const std::int64_t planes : thin_turns(whole.z))
        candidates.push_back(measured(Strategy::tiles, work, {1, y.length, x.length},
                                      thin_cut({planes, y.results, x.results}), rates));
      for (const AxisChoice& z : turns)
        for (const bool keep : {false, true})
          candidates.push_back(measured(Strategy::tiles, work, {z.length, y.length, x.length},
                                        {{z.results, y.results, x.results}, keep}, rates));
    }
  return candidates;
}

}  // namespace synthoscope::fftconv

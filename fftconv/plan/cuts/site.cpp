// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/site.hpp"
#include "fftconv/fft/line_plan.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/plan/cuts/layout.hpp"

namespace synthoscope::fftconv {

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

Candidate HostSite::measured(Strategy strategy, const Problem& work, const Extent3& transform,
                             const Cut& cut) const {
  Candidate c;
  c.strategy = strategy;
  c.transform = transform;
  c.cut = cut;
  const Layout layout = make_layout(work, transform, cut);
  for (const MemoryItem& item : memory_of(layout, work)) c.memory_bytes += item.bytes;
  set_cost(c, run_cost(layout, work, cut, rates_), rates_);
  return c;
}

}  // namespace synthoscope::fftconv

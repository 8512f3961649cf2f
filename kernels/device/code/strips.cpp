// SPDX-License-Identifier: MIT
#include "kernels/device/code/strips.hpp"
#include <algorithm>
#include "core/base/round_up.hpp"

namespace synthoscope::kernels::device {
namespace {

/// The cost of beginning a window, in steps.
constexpr std::int64_t kBeginning = 4;

}  // namespace

std::int64_t strip_of(const Sliding& s) {
  const std::int64_t longest = std::clamp<std::int64_t>(s.results, 1, s.most);
  const auto steps = [&](std::int64_t strip) {
    const std::int64_t rounds = parts_of(parts_of(s.results, strip) * s.beside, s.at_once);
    return rounds * (strip + s.reach - 1 + kBeginning);
  };
  std::int64_t best = longest;
  // Strips whose number just fills the device once, twice and so on
  for (std::int64_t rounds = 1; rounds <= 64; ++rounds) {
    const std::int64_t strips = std::clamp<std::int64_t>(rounds * s.at_once / s.beside, 1,
                                                         std::max<std::int64_t>(s.results, 1));
    const std::int64_t strip = std::min(parts_of(s.results, strips), longest);
    if (strip > 0 && steps(strip) < steps(best)) best = strip;
  }
  return best;
}

}  // namespace synthoscope::kernels::device

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include "core/base/memo.hpp"
#include "fftconv/lines/line_cost.hpp"
#include "fftconv/lines/shape.hpp"
#include "fftconv/lines/tuned_lines.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Largest radices of rows that are changed. The first butterfly also holds two voxels for each of
/// its values. Larger radices need more registers than a thread has.
constexpr int kMostFirstRadix = 8, kMostOtherRadix = 16;

/// Returns the cost of a line of changed rows, as a factor of the cost of its stages.
double besides_of_changing(const LineShape& line) {
  const double ratio = std::log2(static_cast<double>(line.length) / line.threads / 12);
  const double waiting = bank_turns(line, padding_for(line, 1), 1);
  // Within a warp, rows wait for none of the other rows of their block
  const double barriers = kWarp % line.threads == 0 ? 1 : 1.15;
  // Few threads read short pieces of a row; pairs leave a thread with little to do at once
  const double pieces = 1 + 0.1 * std::max(0.0, std::log2(8.0 / line.threads));
  const double pairs = line.radices.front() == 2 ? 1.15 : 1;
  return barriers * pieces * pairs * (1 + 0.1 * ratio * ratio + 0.02 * waiting);
}

/// Returns the cheapest line that begins with a small radix.
LineShape cheapest_changing_line(std::int64_t length, int most_threads) {
  LineShape best;
  best.length = static_cast<int>(length);
  if (length == 1) return best;
  double least = std::numeric_limits<double>::infinity();
  const auto compare = [&](LineShape line) {
    const int useful = butterflies_of(line, static_cast<int>(line.radices.size()) - 1);
    for (line.threads = 1; line.threads <= std::min(most_threads, useful); ++line.threads) {
      const double alone = cost_of(line);
      if (alone >= least) continue;
      const double cost = alone * besides_of_changing(line);
      if (cost >= least * (1 - 1e-9)) continue;
      least = cost;
      best = line;
    }
  };
  for_each_radices(length, [&](const std::vector<int>& found) {
    if (found.front() > kMostOtherRadix) return;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] > kMostFirstRadix || (i > 0 && found[i] == found[i - 1])) continue;
      LineShape line{static_cast<int>(length), 1, {found[i]}};
      for (std::size_t k = 0; k < found.size(); ++k)
        if (k != i) line.radices.push_back(found[k]);
      compare(std::move(line));
    }
  });
  return best;
}

BlockShape find_changing_row_shape(std::int64_t length, const BlockLimits& limits) {
  // Small blocks: one waits for memory while others compute. With fewer registers values spill
  constexpr int kRegisters = 80;
  BlockShape shape;
  const TunedChangingLine* const tuned = tuned_changing_line(length);
  const TunedLine* const row = tuned_line(length, LineKind::row);
  if (tuned)
    shape.line = line_of(*tuned);
  else if (row && row->radices.front() <= kMostFirstRadix)
    shape.line = line_of(*row);
  else
    shape.line = cheapest_changing_line(length, limits.threads);
  const int threads = shape.line.threads, together = kWarp % threads == 0 ? 4 * kWarp : 144;
  shape.pad_every = padding_for(shape.line, 1);
  const std::int64_t row_bytes = padded(length, shape.pad_every) * kValueBytes;
  const auto fitting = static_cast<int>(std::max<std::int64_t>(1, limits.shared_bytes / row_bytes));
  shape.lines = std::clamp(tuned ? tuned->lines : together / threads, 1, fitting);
  shape.shared_bytes = row_bytes * shape.lines;
  const int rounded = (shape.threads() + kWarp - 1) / kWarp * kWarp;
  shape.blocks =
      tuned ? tuned->blocks : std::clamp(limits.registers / (kRegisters * rounded), 1, 16);
  return shape;
}

}  // namespace

BlockShape changing_row_shape(std::int64_t length, const BlockLimits& limits) {
  static Memo<std::pair<std::int64_t, BlockLimits>, BlockShape> found;
  require_length(length, limits);
  return found.get({length, limits}, [&] { return find_changing_row_shape(length, limits); });
}

}  // namespace synthoscope::fftconv::device

// SPDX-License-Identifier: MIT
#include "fftconv/lines/line_cost.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include "core/base/error.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Radices that registers hold with their factors, best first where costs are equal.
constexpr std::array kRadices{20, 18, 16, 15, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2};

/// A stage reads and writes every value once, whatever its radix, and computes a little more for
/// larger ones: relative to one another as measured on an H200 (docs/benchmarks/gpu.md).
double stage_cost(int radix) {
  return 1 + 0.12 * std::log2(radix) + (radix > 16 ? 0.05 : 0);
}

void for_each_after(std::int64_t length, std::size_t from, std::vector<int>& radices,
                    const std::function<void(const std::vector<int>&)>& visit) {
  if (length == 1) return visit(radices);
  for (std::size_t i = from; i < kRadices.size(); ++i) {
    if (length % kRadices.at(i) != 0) continue;
    radices.push_back(kRadices.at(i));
    for_each_after(length / kRadices.at(i), i, radices, visit);
    radices.pop_back();
  }
}

}  // namespace

void for_each_radices(std::int64_t length,
                      const std::function<void(const std::vector<int>&)>& visit) {
  std::vector<int> radices;
  for_each_after(length, 0, radices, visit);
}

int butterflies_of(const LineShape& line, int stage) {
  return line.length / line.radices[static_cast<std::size_t>(stage)];
}

double cost_of(const LineShape& line) {
  double cost = 0;
  for (int s = 0; s < static_cast<int>(line.radices.size()); ++s) {
    const int butterflies = butterflies_of(line, s);
    const int rounds = (butterflies + line.threads - 1) / line.threads;
    const double idle = static_cast<double>(rounds) * line.threads / butterflies;
    cost += idle * stage_cost(line.radices[static_cast<std::size_t>(s)]);
  }
  return cost;
}

std::int64_t padded(std::int64_t positions, int pad_every) {
  return pad_every > 0 ? positions + positions / pad_every : positions;
}

double bank_turns(const LineShape& line, int pad_every, int columns) {
  double turns = 0, looked_at = 0;
  for (int s = 0; s < static_cast<int>(line.radices.size()); ++s) {
    const int q = apart_of(line, s), n = block_of(line, s), butterflies = butterflies_of(line, s);
    for (int first = 0; first < std::min(butterflies, 4 * kBanks); first += kBanks / columns) {
      std::array<int, kBanks> used{};
      for (int i = 0; i < kBanks; ++i) {
        const int b = (first + i / columns) % butterflies;
        const std::int64_t place = padded(b / q * n + b % q, pad_every) * columns + i % columns;
        ++used.at(static_cast<std::size_t>(place % kBanks));
      }
      turns += *std::max_element(used.begin(), used.end()) - 1;
      ++looked_at;
    }
  }
  return turns / looked_at;
}

int padding_for(const LineShape& line, int columns) {
  int best = 0;
  if (columns >= kBanks) return best;
  double least = bank_turns(line, 0, columns);
  for (int s = 0; s < static_cast<int>(line.radices.size()); ++s) {
    const int q = apart_of(line, s);
    if (q < 2) continue;
    const double turns = bank_turns(line, q, columns);
    if (turns < least) {
      least = turns;
      best = q;
    }
  }
  return best;
}

void require_length(std::int64_t length, const BlockLimits& limits) {
  if (!is_device_length(length, limits))
    throw InvalidSpec(fmt::format(
        "transform lines of {} on the device: lengths are products of 2, 3, 5 and 7 up to {}; cut "
        "the volume into tiles",
        length, limits.shared_bytes / kValueBytes));
}

}  // namespace synthoscope::fftconv::device

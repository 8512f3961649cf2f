// SPDX-License-Identifier: MIT
// fftconv/lines/line_cost.hpp — a model of what lines cost on a device, for lengths that were not
// measured (docs/benchmarks/gpu.md).
#pragma once
#include <cstdint>
#include <functional>
#include <vector>
#include "fftconv/lines/shape.hpp"

namespace synthoscope::fftconv::device {

inline constexpr int kWarp = 32;   ///< threads that compute together
inline constexpr int kBanks = 16;  ///< of one complex value; a warp takes two turns

/// Calls `visit` for every list of radices, largest first, that multiplies to `length`.
void for_each_radices(std::int64_t length,
                      const std::function<void(const std::vector<int>&)>& visit);

/// Butterflies of a stage.
int butterflies_of(const LineShape& line, int stage);

/// What a line costs, where 1 is a stage of radix 1 whose threads are all busy.
double cost_of(const LineShape& line);

/// Positions with those that are left free.
std::int64_t padded(std::int64_t positions, int pad_every);

/// How many times more often than need be half warps wait for banks, in the middle of all stages,
/// for a padding: threads of a block run through `columns` of a position first, then through the
/// positions of a line.
double bank_turns(const LineShape& line, int pad_every, int columns);

/// Returns the line of a TunedLine or a TunedChangingLine.
template <class Tuned>
LineShape line_of(const Tuned& tuned) {
  LineShape line{tuned.length, tuned.threads, {}};
  for (const int radix : tuned.radices)
    if (radix > 0) line.radices.push_back(radix);
  return line;
}

/// @throws InvalidSpec  no device length.
void require_length(std::int64_t length, const BlockLimits& limits);

}  // namespace synthoscope::fftconv::device

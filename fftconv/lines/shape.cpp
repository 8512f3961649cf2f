// SPDX-License-Identifier: MIT
#include "fftconv/lines/shape.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/memo.hpp"
#include "fftconv/lines/line_cost.hpp"
#include "fftconv/lines/tuned_lines.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// Registers of a thread for a butterfly's values. Along z the last stage holds those of the
/// forward transform, of the kernel and of the inverse.
double registers_for(const LineShape& line, LineKind kind) {
  const auto most = [](auto first, auto end) {
    return first == end ? 1 : *std::max_element(first, end);
  };
  const auto last = line.radices.end() - 1;
  const double early = 36 + 1.5 * most(line.radices.begin(), last);
  const double late = kind == LineKind::along_z ? 50 + 2.7 * *last : 36 + 1.5 * *last;
  return std::max({early, late, 40.0});
}

/// Returns the cheapest line of `length`; `besides` is a factor for all other work.
template <class Besides>
LineShape cheapest_line(std::int64_t length, int most_threads, Besides&& besides) {
  LineShape best;
  best.length = static_cast<int>(length);
  if (length == 1) return best;
  double least = std::numeric_limits<double>::infinity();
  for_each_radices(length, [&](const std::vector<int>& found) {
    LineShape line{static_cast<int>(length), 1, found};
    const int useful = butterflies_of(line, static_cast<int>(found.size()) - 1);
    for (line.threads = 1; line.threads <= std::min(most_threads, useful); ++line.threads) {
      const double alone = cost_of(line);
      if (alone >= least) continue;  // a factor is at least 1, and takes time
      const double cost = alone * besides(line);
      if (cost < least * (1 - 1e-9)) {
        least = cost;
        best = line;
      }
    }
  });
  return best;
}

int blocks_of(const BlockShape& shape, int registers_wanted, const BlockLimits& limits) {
  return std::clamp(limits.registers / (registers_wanted * shape.threads()), 1, 16);
}

BlockShape find_column_shape(std::int64_t length, const BlockLimits& limits, LineKind kind) {
  BlockShape shape;
  shape.lines = columns_per_block(length, limits);
  const std::int64_t bytes = length * shape.lines * kValueBytes;
  const auto fitting = static_cast<int>(std::max<std::int64_t>(1, limits.shared_bytes / bytes));
  const auto blocks = [&](const LineShape& line) {
    const double registers = registers_for(line, kind) * line.threads * shape.lines;
    return std::clamp(static_cast<int>(limits.registers / registers), 1, std::min(fitting, 16));
  };
  const TunedLine* const tuned =
      shape.lines == kTunedColumnsPerBlock ? tuned_line(length, kind) : nullptr;
  if (tuned && tuned->threads * shape.lines <= limits.threads) {
    shape.line = line_of(*tuned);
    shape.blocks = std::min<int>(tuned->blocks, fitting);
  } else {
    // Registers that do not suffice cost more than anything; threads hide each other's waiting
    shape.line = cheapest_line(length, limits.threads / shape.lines, [&](const LineShape& line) {
      const int threads = line.threads * shape.lines;
      const double wanted = registers_for(line, kind);
      const double missing = 1 - limits.registers / (wanted * threads * blocks(line));
      const double waiting = std::log2(1100.0 / std::min(1100, threads * blocks(line)));
      return (1 + 1.9 * std::max(0.0, missing)) * (1 + 0.11 * waiting * waiting);
    });
    shape.blocks = blocks(shape.line);
  }
  shape.pad_every = padding_for(shape.line, shape.lines);
  shape.shared_bytes = padded(length, shape.pad_every) * shape.lines * kValueBytes;
  shape.blocks = std::min<int>(shape.blocks, static_cast<int>(std::max<std::int64_t>(
                                                 1, limits.shared_bytes / shape.shared_bytes)));
  return shape;
}

std::optional<BlockShape> find_columns_of_classes(std::int64_t length, const BlockLimits& limits,
                                                  int classes) {
  /// Values that a thread has in registers.
  constexpr int kMostValues = 16;
  BlockShape shape;
  shape.classes = classes;
  shape.lines = kTunedColumnsPerBlock;
  const auto bytes_of = [&](const LineShape& line) {
    const std::int64_t left_free = length / line.radices.back() * (shape.lines / classes);
    return (length * shape.lines + left_free) * kValueBytes;
  };
  // Where classes are put together a thread has their values of the last stage
  const auto registers_of_thread = [&](const LineShape& line) {
    return std::max(registers_for(line, LineKind::column),
                    48 + 1.5 * line.radices.back() * classes);
  };
  const auto blocks_of_line = [&](const LineShape& line) {
    const double registers = registers_of_thread(line) * line.threads * shape.lines;
    const auto fitting = limits.shared_bytes / bytes_of(line);
    return std::clamp<int>(static_cast<int>(limits.registers / registers), 1,
                           static_cast<int>(std::clamp<std::int64_t>(fitting, 1, 16)));
  };
  const TunedLine* const tuned = tuned_line_of_classes(length, classes);
  if (tuned && tuned->threads * shape.lines <= limits.threads &&
      bytes_of(line_of(*tuned)) * tuned->blocks <= limits.shared_bytes) {
    shape.line = line_of(*tuned);
    shape.blocks = tuned->blocks;
  } else {
    shape.line = cheapest_line(length, limits.threads / shape.lines, [&](const LineShape& line) {
      const int last = line.radices.back(), threads = line.threads * shape.lines;
      if (line.radices.size() < 2 || last * classes > kMostValues ||
          bytes_of(line) > limits.shared_bytes)
        return std::numeric_limits<double>::infinity();
      const double wanted = registers_of_thread(line);
      const double missing = 1 - limits.registers / (wanted * threads * blocks_of_line(line));
      const double waiting = std::log2(1100.0 / std::min(1100, threads * blocks_of_line(line)));
      return (1 + 1.9 * std::max(0.0, missing)) * (1 + 0.11 * waiting * waiting);
    });
    if (shape.line.radices.size() < 2) return std::nullopt;
    shape.blocks = blocks_of_line(shape.line);
  }
  shape.pad_every = shape.line.radices.back();
  shape.shared_bytes = bytes_of(shape.line);
  return shape;
}

BlockShape find_row_shape(std::int64_t length, const BlockLimits& limits) {
  constexpr int kThreads = 512;
  BlockShape shape;
  const TunedLine* const tuned = tuned_line(length, LineKind::row);
  shape.line =
      tuned ? line_of(*tuned) : cheapest_line(length, limits.threads, [&](const LineShape& line) {
        // Rows that are one warp's, or a part of one, need no barrier
        const double values = static_cast<double>(length) / line.threads;
        const double ratio = std::log2(values / 12);
        const double waiting = bank_turns(line, padding_for(line, 1), 1);
        return (kWarp % line.threads == 0 ? 1.0 : 1.04) *
               (1 + 0.1 * ratio * ratio + 0.02 * waiting);
      });
  shape.pad_every = padding_for(shape.line, 1);
  const std::int64_t row_bytes = padded(length, shape.pad_every) * kValueBytes;
  const std::int64_t fitting = std::max<std::int64_t>(1, limits.shared_bytes / 2 / row_bytes);
  shape.lines = static_cast<int>(std::clamp<std::int64_t>(kThreads / shape.line.threads, 1,
                                                          std::max<std::int64_t>(1, fitting)));
  shape.shared_bytes = row_bytes * shape.lines;
  shape.blocks = tuned ? tuned->blocks : blocks_of(shape, 64, limits);
  return shape;
}

std::vector<float> make_factors(const LineShape& line) {
  std::vector<float> factors;
  const auto append = [&](std::int64_t numerator, std::int64_t denominator) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(numerator % denominator) /
                         static_cast<double>(denominator);
    factors.push_back(static_cast<float>(std::cos(angle)));
    factors.push_back(static_cast<float>(std::sin(angle)));
  };
  for (int s = 0; s < static_cast<int>(line.radices.size()); ++s)
    for (std::int64_t m = 1; m < line.radices[static_cast<std::size_t>(s)]; ++m)
      for (std::int64_t j = 0; j < apart_of(line, s); ++j) append(j * m, block_of(line, s));
  return factors;
}

std::vector<float> make_half_shift(int half) {
  std::vector<float> shift;
  for (int m = 0; m < half; ++m) {
    const double angle = -std::numbers::pi * m / (2.0 * half);
    shift.push_back(static_cast<float>(std::cos(angle)));
    shift.push_back(static_cast<float>(std::sin(angle)));
  }
  return shift;
}

}  // namespace

int block_of(const LineShape& line, int stage) {
  int points = line.length;
  for (int i = 0; i < stage; ++i) points /= line.radices[static_cast<std::size_t>(i)];
  return points;
}

int apart_of(const LineShape& line, int stage) {
  return block_of(line, stage) / line.radices[static_cast<std::size_t>(stage)];
}

std::vector<float> factors_of(const LineShape& line) {
  static Memo<std::string, std::vector<float>> found;
  return found.get(type_name(line), [&] { return make_factors(line); });
}

std::vector<float> half_shift_of(int half) {
  static Memo<int, std::vector<float>> found;
  return found.get(half, [&] { return make_half_shift(half); });
}

bool is_device_length(std::int64_t length, const BlockLimits& limits) {
  if (length < 1 || padded(length, 2) * kValueBytes > limits.shared_bytes) return false;
  for (const int prime : {2, 3, 5, 7})
    while (length % prime == 0) length /= prime;
  return length == 1;
}

int columns_per_block(std::int64_t length, const BlockLimits& limits) {
  int lines = kBanks;
  while (padded(length, lines < kBanks ? 2 : 0) * lines * kValueBytes > limits.shared_bytes)
    lines /= 2;
  return lines;
}

BlockShape column_shape(std::int64_t length, const BlockLimits& limits, LineKind kind) {
  static Memo<std::tuple<std::int64_t, BlockLimits, LineKind>, BlockShape> found;
  require_length(length, limits);
  return found.get({length, limits, kind}, [&] { return find_column_shape(length, limits, kind); });
}

std::optional<BlockShape> columns_of_classes_shape(std::int64_t length, const BlockLimits& limits,
                                                   int classes) {
  static Memo<std::tuple<std::int64_t, BlockLimits, int>, std::optional<BlockShape>> found;
  if (!is_device_length(length, limits)) return std::nullopt;
  return found.get({length, limits, classes},
                   [&] { return find_columns_of_classes(length, limits, classes); });
}

BlockShape row_shape(std::int64_t length, const BlockLimits& limits) {
  static Memo<std::pair<std::int64_t, BlockLimits>, BlockShape> found;
  require_length(length, limits);
  return found.get({length, limits}, [&] { return find_row_shape(length, limits); });
}

std::string type_name(const LineShape& line) {
  return fmt::format("Line<{}, {}, {}>", line.length, line.threads, fmt::join(line.radices, ", "));
}

}  // namespace synthoscope::fftconv::device

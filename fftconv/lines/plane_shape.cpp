// SPDX-License-Identifier: MIT
#include "fftconv/lines/plane_shape.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace synthoscope::fftconv::device {
namespace {

/// Values of a row that columns along z transform at once, of all classes (class_layout.cuh).
constexpr int kTogether = 16;
constexpr int kLanes = 32, kMostBlocks = 16, kMostRadix = 32;

int even(int count) {
  return count + count % 2;
}

int last_stage(const LineShape& line) {
  return static_cast<int>(line.radices.size()) - 1;
}

/// Number of factors of a stage, with those that complete pairs.
int paired_factors(const LineShape& line, int stage) {
  return even(line.radices[static_cast<std::size_t>(stage)]) * apart_of(line, stage);
}

int paired_factors_from(const LineShape& line, int stage) {
  int count = 0;
  for (int s = stage; s <= last_stage(line); ++s) count += paired_factors(line, s);
  return count;
}

/// Values of a row of a spectrum.
int wide_row(const PlaneShape& shape) {
  return (shape.rows.length + kTogether - 1) / kTogether * kTogether;
}

/// Values of a class in a turn, and classes that take turns.
int turn_of(const PlaneShape& shape) {
  return shape.classes == 1 ? wide_row(shape) : kTogether / shape.classes;
}
int pair_of(const PlaneShape& shape) {
  return shape.classes == 1 ? 1 : 2;
}

/// Columns that a block takes of all blocks.
int columns_of(const PlaneShape& shape) {
  const int unit = shape.classes == 1 ? 4 : turn_of(shape), of_all = shape.cluster * unit;
  return (shape.rows.length + of_all - 1) / of_all * unit;
}

int copied_rows(const PlaneShape& shape) {
  constexpr int kMost = 256;
  int parts = (shape.rows_of_class() + kMost - 1) / kMost;
  while (shape.rows_of_class() % parts != 0) ++parts;
  return shape.rows_of_class() / parts;
}

/// Whether boxes begin at multiples of 128 bytes.
bool can_be_copied(const PlaneShape& shape) {
  const int values = copied_rows(shape) * columns_of(shape);
  return copied_rows(shape) == shape.rows_of_class() || values % kTogether == 0;
}

void append_turn(std::vector<float>& to, double numerator, double denominator) {
  const double angle = -2 * std::numbers::pi * std::fmod(numerator, denominator) / denominator;
  to.push_back(static_cast<float>(std::cos(angle)));
  to.push_back(static_cast<float>(std::sin(angle)));
}

void append_paired(const LineShape& line, int stage, std::vector<float>& to) {
  const int r = line.radices[static_cast<std::size_t>(stage)];
  for (int j = 0; j < apart_of(line, stage); ++j)
    for (int m = 0; m < even(r); ++m)
      append_turn(to, static_cast<double>(j) * (m < r ? m : 0), block_of(line, stage));
}

/// The frequency at a position of a line's spectrum.
int frequency_at(const LineShape& line, int position) {
  int frequency = 0, before = 1;
  for (int s = 0; s <= last_stage(line); ++s) {
    frequency += position / apart_of(line, s) * before;
    position %= apart_of(line, s);
    before *= line.radices[static_cast<std::size_t>(s)];
  }
  return frequency;
}

/// @source bench/gpu_planes_bench on an H200 (docs/benchmarks/gpu.md), with as many planes as rows
struct TunedPlane {
  std::int16_t rows, half;
  std::array<std::uint8_t, 4> row_radices;
  std::array<std::uint8_t, 3> column_radices;
  std::int8_t cluster, classes;
  std::int16_t threads;
  std::int8_t blocks;
  std::uint8_t percent;  ///< as in PlanePasses
};

constexpr TunedPlane kTunedPlanes[] = {
    {192, 96, {12, 8}, {16}, 6, 2, 96, 6, 43},     {256, 128, {16, 8}, {16}, 8, 2, 128, 5, 53},
    {320, 160, {10, 16}, {16}, 10, 2, 160, 3, 47}, {384, 192, {12, 16}, {24}, 8, 2, 192, 2, 56},
    {512, 256, {16, 16}, {16}, 16, 2, 256, 2, 58},
};

template <std::size_t N>
LineShape line_of_radices(const std::array<std::uint8_t, N>& radices) {
  LineShape line{1, 1, {}};
  for (const int radix : radices)
    if (radix > 0) {
      line.radices.push_back(radix);
      line.length *= radix;
    }
  return line;
}

PlaneShape shape_of(const TunedPlane& tuned) {
  return {line_of_radices(tuned.row_radices),
          line_of_radices(tuned.column_radices),
          tuned.cluster,
          tuned.classes,
          tuned.threads,
          tuned.blocks};
}

}  // namespace

std::int64_t shared_bytes_of(const PlaneShape& shape) {
  const int m = shape.rows.length, l = shape.columns.length;
  const int pitch = (m + 1) | 1;
  const int room = std::max(even(l * pitch), shape.rows_of_class() * columns_of(shape));
  const int factors = even(m) + paired_factors_from(shape.rows, 1) +
                      paired_factors_from(shape.columns, 0) + shape.rows_of_class() + shape.cluster;
  return std::int64_t{room + factors} * kValueBytes;
}

CopiedBoxes copied_boxes(const PlaneShape& shape, std::int64_t planes) {
  const std::int64_t turn = turn_of(shape), pair = pair_of(shape), row = pair * wide_row(shape);
  const int columns = columns_of(shape), of_turn = static_cast<int>(turn);
  return {{turn, pair, row / (pair * turn), planes * shape.rows_of_plane() / pair},
          {turn * kValueBytes, pair * turn * kValueBytes, row * kValueBytes},
          {std::min(columns, of_turn), 1, std::max(1, columns / of_turn), copied_rows(shape)}};
}

bool is_possible(const PlaneShape& shape, const BlockLimits& limits) {
  const auto& rows = shape.rows;
  const auto& columns = shape.columns;
  // Factors across blocks are read in pairs
  if (!limits.clusters || shape.cluster < 2 || shape.cluster > kMostBlocks || shape.cluster % 2 > 0)
    return false;
  if (rows.radices.empty() || columns.radices.empty()) return false;
  const auto small = [](int radix) { return radix <= kMostRadix; };
  const int t = shape.threads;
  return std::all_of(rows.radices.begin(), rows.radices.end(), small) &&
         std::all_of(columns.radices.begin(), columns.radices.end(), small) &&
         apart_of(rows, 0) <= kLanes && can_be_copied(shape) && t > 0 && t % kLanes == 0 &&
         t <= limits.threads && shared_bytes_of(shape) <= limits.shared_bytes;
}

PlaneFactors plane_factors_of(const PlaneShape& shape) {
  PlaneFactors factors;
  const LineShape& rows = shape.rows;
  // Points of a butterfly have a common half shift exp(-i pi j / (2 M)); device code has the rest
  for (int m = 0; m < rows.radices.front(); ++m)
    for (int j = 0; j < apart_of(rows, 0); ++j)
      append_turn(factors.rows, static_cast<double>(j) * m + 0.25 * j, rows.length);
  for (int s = 1; s <= last_stage(rows); ++s) append_paired(rows, s, factors.rows);
  for (int s = 0; s <= last_stage(shape.columns); ++s)
    append_paired(shape.columns, s, factors.columns);
  for (int p = 0; p < shape.columns.length; ++p)
    for (int r = 0; r < shape.cluster; ++r)
      append_turn(factors.turns, static_cast<double>(frequency_at(shape.columns, p)) * r,
                  shape.rows_of_class());
  for (int r = 0; r < shape.cluster; ++r)
    for (int q = 0; q < shape.cluster; ++q)
      append_turn(factors.turns, static_cast<double>(q) * r, shape.cluster);
  for (int row = 0; row < shape.rows_of_class(); ++row) {
    const int f = frequency_at(shape.columns, row % shape.columns.length) +
                  row / shape.columns.length * shape.columns.length;
    for (int e = 0; e < shape.classes; ++e)
      append_turn(factors.class_turns, static_cast<double>(f) * e, shape.rows_of_plane());
  }
  return factors;
}

std::int64_t most_plane_factor_floats(std::int64_t rows, std::int64_t half) {
  // Radices of 3 and larger odd ones are padded by a third at most, and so is each stage
  constexpr std::int64_t kStages = 4, kBlocks = kMostBlocks;
  return 2 * (kStages * 2 * (half + rows) + 2 * rows + kBlocks * kBlocks);
}

PlanePasses plane_passes(const PlaneShape& planes, std::int64_t length_z,
                         const BlockLimits& limits) {
  if (!is_possible(planes, limits)) return {};
  BlockShape columns_z;
  columns_z.classes = planes.classes;
  if (length_z > 0 && planes.classes == 1) {
    columns_z = column_shape(length_z, limits, LineKind::along_z);
  } else if (length_z > 0) {
    const auto found = columns_of_classes_shape(length_z, limits, planes.classes);
    if (!found) return {};
    columns_z = *found;
  }
  PlanePasses passes;
  passes.planes = planes;
  passes.columns_z = columns_z;
  return passes;
}

std::vector<PlaneShape> tuned_planes() {
  std::vector<PlaneShape> planes;
  for (const TunedPlane& one : kTunedPlanes) planes.push_back(shape_of(one));
  return planes;
}

PlanePasses tuned_plane_passes(const PlaneSize& plane, std::int64_t length_z,
                               const BlockLimits& limits) {
  const auto find = [&](int most_classes) {
    return std::find_if(
        std::begin(kTunedPlanes), std::end(kTunedPlanes), [&](const TunedPlane& one) {
          return one.rows == plane.rows && one.half == plane.half && one.classes <= most_classes;
        });
  };
  // Planes that are convolved by themselves must be whole
  constexpr int kAny = 16;
  const auto* tuned = find(length_z > 0 ? kAny : 1);
  if (tuned == std::end(kTunedPlanes)) tuned = find(kAny);
  if (tuned == std::end(kTunedPlanes)) return {};
  PlanePasses passes = plane_passes(shape_of(*tuned), length_z, limits);
  passes.percent = tuned->percent;
  return passes;
}

}  // namespace synthoscope::fftconv::device

// SPDX-License-Identifier: MIT
#include "fftconv/lines/plane_shape.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include "fftconv/lines/plane_room.hpp"

namespace synthoscope::fftconv::device {
namespace {

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
  return (shape.rows.length + kColumnsTogether - 1) / kColumnsTogether * kColumnsTogether;
}

PlaneRoom room_of(const PlaneShape& shape) {
  return {shape.rows.length, shape.columns.length, shape.cluster,
          shape.classes,     shape.threads,        apart_of(shape.rows, 0)};
}

bool can_be_copied(const PlaneShape& shape) {
  constexpr int kMost = 256;
  const auto box = copied_boxes(shape, 1).box;
  return std::all_of(box.begin(), box.end(), [](int length) { return length <= kMost; });
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

/// @source bench/gpu/gpu_planes_bench on an H200 (docs/benchmarks/gpu-planes.md), with as many
/// planes as rows
struct TunedPlane {
  std::int16_t rows, half;
  std::array<std::uint8_t, 4> row_radices;
  std::array<std::uint8_t, 3> column_radices;
  std::int8_t cluster, classes;
  std::int16_t threads;
  std::int8_t blocks;
  std::uint8_t percent;  ///< as in PlanePasses
};

// clang-format off
constexpr TunedPlane kTunedPlanes[] = {
  {192, 96, {6, 16}, {12}, 4, 4, 96, 8, 40}, {256, 128, {8, 16}, {16}, 8, 2, 128, 6, 57},
  {320, 160, {10, 16}, {20}, 4, 4, 160, 6, 60}, {384, 192, {12, 16}, {12}, 8, 4, 96, 8, 64},
  {448, 224, {14, 16}, {28}, 4, 4, 224, 4, 61}, {512, 256, {16, 16}, {16}, 16, 2, 128, 6, 69},
  {576, 288, {18, 16}, {24}, 6, 4, 192, 3, 55}, {640, 320, {20, 16}, {20}, 8, 4, 160, 4, 65},
  {768, 384, {24, 16}, {16}, 12, 4, 128, 4, 65}, {896, 448, {28, 16}, {16}, 14, 4, 128, 3, 49},
  {1024, 512, {16, 32}, {16}, 16, 4, 256, 3, 58},
  // Without classes, for planes that are convolved by themselves
  {128, 64, {4, 16}, {16}, 8, 1, 64, 12, 17}, {192, 96, {12, 8}, {24}, 8, 1, 96, 6, 25},
  {256, 128, {8, 16}, {32}, 8, 1, 128, 6, 32}, {320, 160, {10, 16}, {20}, 16, 1, 160, 5, 23},
  {384, 192, {12, 16}, {6, 4}, 16, 1, 96, 5, 27}, {512, 256, {16, 16}, {32}, 16, 1, 256, 2, 30},
  {640, 320, {20, 16}, {8, 5}, 16, 1, 160, 2, 24},
};
// clang-format on

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

bool is_of(const PlaneSize& plane, const TunedPlane& tuned) {
  return tuned.rows == plane.rows && tuned.half == plane.half;
}

/// The passes of the first shape of the table that `fits`, if any.
template <class Fits>
PlanePasses tuned_passes(std::int64_t length_z, const BlockLimits& limits, Fits&& fits) {
  const auto* const tuned = std::find_if(std::begin(kTunedPlanes), std::end(kTunedPlanes), fits);
  if (tuned == std::end(kTunedPlanes)) return {};
  PlanePasses passes = plane_passes(shape_of(*tuned), length_z, limits);
  passes.percent = tuned->percent;
  return passes;
}

}  // namespace

std::int64_t shared_bytes_of(const PlaneShape& shape) {
  const int factors = even(shape.rows.length) + paired_factors_from(shape.rows, 1) +
                      paired_factors_from(shape.columns, 0) + shape.rows_of_class();
  constexpr int kNextClass = 1;
  return std::int64_t{room_of(shape).values() + factors + kNextClass} * kValueBytes;
}

CopiedBoxes copied_boxes(const PlaneShape& shape, std::int64_t planes) {
  const PlaneRoom room = room_of(shape);
  const std::int64_t row = std::int64_t{shape.classes} * wide_row(shape);
  // Without classes a row is one long turn
  const std::int64_t beside = shape.classes == 1 ? row : kColumnsTogether;
  const int columns = room.columns(),
            turn = shape.classes == 1 ? columns : ClassLayout{shape.classes}.turn();
  return {{beside, row / beside, shape.columns.length, planes * shape.cluster},
          {beside * kValueBytes, row * kValueBytes, shape.columns.length * row * kValueBytes},
          {turn, columns / turn, room.together(), shape.cluster}};
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
         apart_of(rows, 0) <= kLanes && t > 0 && t % kLanes == 0 && t <= limits.threads &&
         can_be_copied(shape) && shared_bytes_of(shape) <= limits.shared_bytes;
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
  for (int row = 0; row < shape.rows_of_class(); ++row) {
    const int f = frequency_at(shape.columns, row % shape.columns.length) +
                  row / shape.columns.length * shape.columns.length;
    for (int e = 0; e < shape.classes; ++e)
      append_turn(factors.class_turns, static_cast<double>(f) * e, shape.rows_of_plane());
  }
  return factors;
}

std::int64_t most_plane_factor_floats(const PlaneSize& plane) {
  // Radices of 3 and larger odd ones are padded by a third at most, and so is each stage
  constexpr std::int64_t kStages = 4;
  return 2 * (kStages * 2 * (plane.half + plane.rows) + 2 * plane.rows);
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

bool has_tuned_plane(const PlaneSize& plane) {
  return std::any_of(std::begin(kTunedPlanes), std::end(kTunedPlanes),
                     [&](const TunedPlane& one) { return is_of(plane, one); });
}

PlanePasses tuned_plane_passes(const PlaneSize& plane, std::int64_t length_z,
                               const BlockLimits& limits) {
  return tuned_passes(length_z, limits,
                      [&](const TunedPlane& one) { return is_of(plane, one) && one.classes > 1; });
}

PlanePasses tuned_passes_alone(const PlaneSize& plane, const BlockLimits& limits) {
  return tuned_passes(0, limits,
                      [&](const TunedPlane& one) { return is_of(plane, one) && one.classes == 1; });
}

}  // namespace synthoscope::fftconv::device

// SPDX-License-Identifier: MIT
// Whatever the length and the device, threads share a line without a gap and without overlap.
#include "fftconv/lines/shape.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <complex>
#include <functional>
#include <numeric>
#include "core/base/error.hpp"
#include "fftconv/lines/tuned_lines.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::fftconv::device {
namespace {

struct DeviceCase {
  const char* name;
  BlockLimits limits;
};

constexpr DeviceCase kDevices[] = {
    {"turing", {64 << 10, 1024, 65536}},
    {"ampere", {99 << 10, 1024, 65536}},
    {"hopper", {227 << 10, 1024, 65536}},
};

/// Products of 2, 3, 5 and 7.
std::vector<std::int64_t> lengths(std::int64_t most) {
  std::vector<std::int64_t> found;
  for (std::int64_t n = 1; n <= most; ++n) {
    std::int64_t rest = n;
    for (const int prime : {2, 3, 5, 7})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) found.push_back(n);
  }
  return found;
}

class LineShapes : public testing::TestWithParam<DeviceCase> {};

/// What RowRoom and ColumnRoom of device code compute.
std::int64_t padded(std::int64_t position, int pad_every) {
  return pad_every > 0 ? position + position / pad_every : position;
}

void expect_sound(const BlockShape& shape, std::int64_t length, const BlockLimits& limits) {
  const LineShape& line = shape.line;
  SCOPED_TRACE(type_name(line));
  EXPECT_EQ(line.length, length);
  EXPECT_EQ(std::accumulate(line.radices.begin(), line.radices.end(), 1, std::multiplies<>{}),
            length);
  EXPECT_LE(*std::max_element(line.radices.begin(), line.radices.end()), 32)
      << "registers hold no more";
  EXPECT_GE(shape.threads(), 1);
  EXPECT_LE(shape.threads(), limits.threads);
  EXPECT_LE(shape.shared_bytes, limits.shared_bytes);
  EXPECT_GE(shape.shared_bytes, padded(length, shape.pad_every) * shape.lines * 8);
  for (int s = 0; s < static_cast<int>(line.radices.size()); ++s) {
    const int q = apart_of(line, s), n = block_of(line, s), r = n / q;
    std::vector<int> times(static_cast<std::size_t>(length), 0);
    for (int b = 0; b < length / r; ++b)
      for (int m = 0; m < r; ++m) {
        const int base = b / q * n + b % q, offset = m * q;
        ++times[static_cast<std::size_t>(base + offset)];
        // Device code adds up the places of both
        ASSERT_EQ(padded(base, shape.pad_every) + padded(offset, shape.pad_every),
                  padded(base + offset, shape.pad_every));
      }
    EXPECT_EQ(std::count(times.begin(), times.end(), 1), length) << "stage " << s;
  }
}

TEST_P(LineShapes, CoverEveryPositionOnceInEveryStage) {
  const BlockLimits& limits = GetParam().limits;
  for (const std::int64_t length : lengths(2100)) {
    SCOPED_TRACE(length);
    expect_sound(column_shape(length, limits, LineKind::column), length, limits);
    expect_sound(column_shape(length, limits, LineKind::along_z), length, limits);
    expect_sound(row_shape(length, limits), length, limits);
    expect_sound(changing_row_shape(length, limits), length, limits);
  }
}

TEST_P(LineShapes, TakeSixteenColumnsWhereTheyFit) {
  const BlockLimits& limits = GetParam().limits;
  for (const std::int64_t length : lengths(4096)) {
    const int columns = column_shape(length, limits, LineKind::along_z).lines;
    EXPECT_EQ(columns == 16, length * 16 * 8 <= limits.shared_bytes) << length;
  }
}

TEST_P(LineShapes, RefuseWhatSharedMemoryDoesNotHold) {
  const BlockLimits& limits = GetParam().limits;
  const std::int64_t longest = lengths(limits.shared_bytes / 8).back();
  EXPECT_THROW(static_cast<void>(column_shape(2 * longest, limits, LineKind::column)), InvalidSpec);
  EXPECT_THROW(static_cast<void>(row_shape(11, limits)), InvalidSpec);
  EXPECT_THROW(static_cast<void>(row_shape(0, limits)), InvalidSpec);
}

TEST(TunedLines, AreLinesInOrderAndTakenWhereTheyFit) {
  const BlockLimits& limits = kDevices[2].limits;
  for (const LineKind kind : {LineKind::row, LineKind::column, LineKind::along_z}) {
    int before = 0;
    for (const TunedLine& tuned : tuned_lines(kind)) {
      SCOPED_TRACE(tuned.length);
      EXPECT_GT(tuned.length, before);
      before = tuned.length;
      EXPECT_EQ(tuned_line(tuned.length, kind), &tuned);
      EXPECT_GT(tuned.percent, 0);
      EXPECT_LE(tuned.percent, 100);
      const BlockShape shape = kind == LineKind::row ? row_shape(tuned.length, limits)
                                                     : column_shape(tuned.length, limits, kind);
      EXPECT_EQ(shape.line.threads, tuned.threads);
      EXPECT_EQ(shape.blocks, tuned.blocks);
    }
    EXPECT_EQ(tuned_line(before + 1, kind), nullptr);
  }
}

TEST_P(LineShapes, ChangedRowsBeginWithAFewValues) {
  const BlockLimits& limits = GetParam().limits;
  for (const std::int64_t length : lengths(2100)) {
    const BlockShape shape = changing_row_shape(length, limits);
    SCOPED_TRACE(type_name(shape.line));
    EXPECT_LE(shape.line.radices.front(), 8);
    EXPECT_LE(shape.threads(), 288);
    EXPECT_GE(shape.blocks, 1);
    // Registers of all threads, in whole warps, when the largest butterfly has 60
    EXPECT_LE(60 * shape.blocks * ((shape.threads() + 31) / 32 * 32), limits.registers);
    if (const TunedChangingLine* tuned = tuned_changing_line(length)) {
      EXPECT_EQ(shape.line.threads, tuned->threads);
      EXPECT_EQ(shape.lines, tuned->lines);
      EXPECT_EQ(shape.blocks, tuned->blocks);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, LineShapes, testing::ValuesIn(kDevices), test::kCaseName);

/// The transform as device code does it, stage by stage in place.
std::vector<std::complex<double>> transformed(const LineShape& line,
                                              std::vector<std::complex<double>> v) {
  const auto factors = factors_of(line);
  std::size_t before = 0;
  for (int s = 0; s < static_cast<int>(line.radices.size()); ++s) {
    const int q = apart_of(line, s), n = block_of(line, s), r = n / q;
    for (int b = 0; b < line.length / r; ++b) {
      const int j = b % q, base = b / q * n + j;
      std::vector<std::complex<double>> u(static_cast<std::size_t>(r));
      for (int k = 0; k < r; ++k)
        for (int m = 0; m < r; ++m)
          u[static_cast<std::size_t>(k)] +=
              v[static_cast<std::size_t>(base + m * q)] *
              std::polar(1.0, -2 * 3.14159265358979323846 * (k * m % r) / r);
      for (int m = 0; m < r; ++m) {
        const auto at = 2 * (before + static_cast<std::size_t>((m - 1) * q + j));
        const auto factor =
            m == 0 ? std::complex<double>{1} : std::complex<double>{factors[at], factors[at + 1]};
        v[static_cast<std::size_t>(base + m * q)] = u[static_cast<std::size_t>(m)] * factor;
      }
    }
    before += static_cast<std::size_t>((r - 1) * q);
  }
  EXPECT_EQ(2 * before, factors.size());
  return v;
}

TEST(LineShape, FactorsAndStagesMakeAFourierTransform) {
  for (const std::int64_t length : {1, 2, 15, 64, 96, 210, 500, 512}) {
    const LineShape line = column_shape(length, kDevices[2].limits, LineKind::column).line;
    std::vector<std::complex<double>> wave(static_cast<std::size_t>(length));
    const std::int64_t frequency = length / 3;
    for (std::int64_t i = 0; i < length; ++i)
      wave[static_cast<std::size_t>(i)] =
          std::polar(1.0, 2 * 3.14159265358979323846 * static_cast<double>(frequency * i % length) /
                              static_cast<double>(length));
    // All of a wave is at one place, wherever that is
    const auto spectrum = transformed(line, wave);
    std::int64_t peaks = 0;
    for (const auto& value : spectrum) {
      const double share = std::abs(value) / static_cast<double>(length);
      peaks += share > 0.5 ? 1 : 0;
      EXPECT_LT(std::min(share, std::abs(share - 1)), 1e-6) << length;
    }
    EXPECT_EQ(peaks, 1) << length;
  }
}

}  // namespace
}  // namespace synthoscope::fftconv::device

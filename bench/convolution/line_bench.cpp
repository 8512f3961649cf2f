// SPDX-License-Identifier: MIT
// bench/convolution/line_bench.cpp — what does one stage of a line transform cost, radix by radix?
//
// Times forward transforms of one set of lanes on one core, best of many, fits a cost to every
// radix by least squares, and prints both: the fit is what fftconv/plan/cuts/cost.cpp holds.
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "fftconv/fft/lane_functions.hpp"

namespace {

using namespace synthoscope;
using namespace synthoscope::fftconv;

constexpr std::array kRadices{2, 3, 4, 5, 7, 8};
constexpr std::array kLengths{12,  16,  20,  24,  28,  30,  36,  40,  42,  48,  56,  60,  64,  70,
                              72,  80,  84,  90,  96,  98,  100, 105, 108, 112, 120, 125, 128, 135,
                              140, 144, 147, 150, 160, 168, 175, 180, 192, 196, 200, 210, 216, 224,
                              225, 240, 250, 252, 256, 270, 280, 288, 294, 300, 315, 320, 343, 350};

using Row = std::array<double, kRadices.size() + 1>;  // stages per radix, then the measured cost

double nanoseconds_per_value(const LaneFunctions<float>& functions, std::int64_t length) {
  MemoryBudget memory{std::int64_t{1} << 30};
  const std::int64_t reals = length * 2 * functions.lanes;
  HostBuffer<float> in{memory, reals, "in"}, out{memory, reals, "out"};
  for (std::int64_t i = 0; i < reals; ++i) in.data()[i] = static_cast<float>(i % 13) - 6;
  const auto plan = plan_line<float>(length);
  const auto steps = steps_of(plan);
  const auto calls = std::max<std::int64_t>(1, 2'000'000 / reals);
  double best = INFINITY;
  for (int trial = 0; trial < 15; ++trial) {
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t call = 0; call < calls; ++call)
      functions.forward(steps, {in.data()}, {out.data()}, out.data());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::min(best, seconds.count() / static_cast<double>(calls));
  }
  return best * 1e9 / static_cast<double>(length * functions.lanes);
}

/// Least squares by normal equations and elimination: six unknowns.
std::array<double, kRadices.size()> fit(const std::vector<Row>& rows) {
  constexpr std::size_t n = kRadices.size();
  std::array<Row, n> m{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= n; ++j) m[i][j] += row[i] * row[j];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      if (k == i) continue;
      const double factor = m[k][i] / m[i][i];
      for (std::size_t j = i; j <= n; ++j) m[k][j] -= factor * m[i][j];
    }
  std::array<double, n> cost{};
  for (std::size_t i = 0; i < n; ++i) cost[i] = m[i][n] / m[i][i];
  return cost;
}

}  // namespace

int main() {
  for (const LaneFunctions<float>* functions : available_lane_functions<float>()) {
    std::vector<Row> rows;
    for (const int length : kLengths) {
      Row row{};
      for (const int radix : radices_of(length))
        row[static_cast<std::size_t>(std::find(kRadices.begin(), kRadices.end(), radix) -
                                     kRadices.begin())] += 1;
      row.back() = nanoseconds_per_value(*functions, length);
      rows.push_back(row);
    }
    const auto cost = fit(rows);
    double worst = 0;
    for (const Row& row : rows) {
      double predicted = 0;
      for (std::size_t i = 0; i < cost.size(); ++i) predicted += row[i] * cost[i];
      worst = std::max(worst, std::abs(predicted / row.back() - 1));
    }
    fmt::print("{}, ns per complex value and stage:", functions->instruction_set);
    for (std::size_t i = 0; i < cost.size(); ++i)
      fmt::print("  radix {}: {:.3f}", kRadices[i], cost[i]);
    fmt::print("  (worst misfit {:.0f} %)\n", 100 * worst);
  }
}

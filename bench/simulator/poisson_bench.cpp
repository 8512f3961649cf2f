// SPDX-License-Identifier: MIT
// bench/simulator/poisson_bench.cpp — how long does one Poisson count take on one core, random bits
// included?
//
//   poisson_bench MEAN DRAWS
//
// Prints one JSON object: nanoseconds per draw, and how many of a tenth of the draws differ from
// the inversion by summation. bench/simulator/poisson.py runs it beside numpy.
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>
#include "core/math/random.hpp"
#include "simulator/detector/noise/draw_run.hpp"
#include "simulator/detector/noise/poisson.hpp"

int main(int argc, char** argv) try {
  using namespace synthoscope;
  using namespace synthoscope::simulator;
  if (argc != 3) {
    fmt::print(stderr, "usage: poisson_bench MEAN DRAWS\n");
    return 2;
  }
  const double mean = std::stod(argv[1]);
  const auto draws = static_cast<std::uint64_t>(std::stoll(argv[2]));
  const RandomStream stream{1, RandomStage::shot_noise};
  const auto uniform = [&](std::uint64_t i) {
    const auto words = stream.block(i);
    return uniform52(words[0], words[1]);
  };
  std::vector<std::uint16_t> counts(draws);
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t first = 0; first < draws; first += kLongestRun) {
    double means[kLongestRun], uniforms[kLongestRun], run[kLongestRun];
    const auto length = std::min(kLongestRun, static_cast<std::int64_t>(draws - first));
    std::fill_n(means, length, mean);
    draw_uniforms(stream, first, 0, 0, length, uniforms);
    draw_poissons(means, uniforms, length, run);
    std::transform(run, run + length, counts.data() + first,
                   [](double n) { return static_cast<std::uint16_t>(n); });
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < draws / 10; ++i)
    wrong += counts[i] !=
             detail::poisson_by_summation(mean, uniform(i), static_cast<std::int64_t>(mean));
  fmt::print("{{\"nanoseconds\": {}, \"wrong\": {}, \"checked\": {}}}\n",
             seconds.count() * 1e9 / static_cast<double>(draws), wrong, draws / 10);
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "poisson_bench: {}\n", error.what());
  return 1;
}

// SPDX-License-Identifier: MIT
// bench/words/quantise_bench.cpp — how long does it take to find the nearest words of samples, and
// to learn words from them?
//
//   quantise_bench assign FEATURES COUNT WORDS OUT   nearest words, raw uint16
//   quantise_bench learn FEATURES COUNT START ITERATIONS OUT   words after so many of Lloyd's
//
// Files hold raw float32: features one plane after the other, words one word after the other.
// Prints one JSON object. Times are the processor's, of one thread, the best of several runs.
// bench/words/quantise.py runs it beside scikit-learn.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>
#include "bench/bench_host.hpp"
#include "core/base/as_index.hpp"
#include "kernels/lanes/lanes.hpp"
#include "kernels/visual_words/k_means.hpp"
#include "kernels/visual_words/nearest_word.hpp"

namespace {

using namespace synthoscope;
using namespace synthoscope::kernels;

std::vector<float> read_floats(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  const std::string raw{std::istreambuf_iterator<char>{file}, {}};
  std::vector<float> values(raw.size() / sizeof(float));
  std::copy(raw.begin(), raw.end(), reinterpret_cast<char*>(values.data()));
  return values;
}

template <class T>
void write_raw(const std::string& path, const std::vector<T>& values) {
  std::ofstream{path, std::ios::binary}.write(
      reinterpret_cast<const char*>(values.data()),
      static_cast<std::streamsize>(values.size() * sizeof(T)));
}

FeatureBlock block_of(const std::vector<float>& values, const std::string& samples) {
  const std::int64_t count = std::stoll(samples);
  return {values.data(), count, count, std::ssize(values) / count};
}

template <class Work>
double best_seconds(int runs, const Work& work) {
  double best = INFINITY;
  for (int run = 0; run < runs; ++run) {
    const std::clock_t start = std::clock();
    work();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    best = std::min(best, seconds);
  }
  return best;
}

/// Vectors of floats that one thread can multiply and add in a second, in registers.
double multiply_adds_per_second() {
  constexpr std::int64_t kRounds = 10'000'000;
  const double seconds = best_seconds(3, [] {
    with_lanes(vector_level(), [](auto lanes) SYNTHOSCOPE_INLINE {
      using Vector = typename Lanes<decltype(lanes)::value>::Vector;
      Vector sums[12];
#pragma GCC unroll 12
      for (int i = 0; i < 12; ++i) sums[i] = Vector{} + static_cast<float>(i);
      Vector half = Vector{} + 0.5F;
      for (std::int64_t i = 0; i < kRounds; ++i) {
#pragma GCC unroll 12
        for (Vector& sum : sums) sum = sum * half + half;
        asm volatile("" : "+m"(half));
      }
      Vector all{};
#pragma GCC unroll 12
      for (const Vector& sum : sums) all += sum;
      asm volatile("" : : "m"(all));
    });
  });
  return 12.0 * kRounds / seconds;
}

Json assign(const std::vector<std::string>& arguments) {
  const auto values = read_floats(arguments.at(2));
  const FeatureBlock samples = block_of(values, arguments.at(3));
  const Dictionary dictionary{samples.features, read_floats(arguments.at(4))};
  const NearestWord naive{dictionary, QuantisingStrategy::naive}, nearest{dictionary};
  std::vector<std::uint16_t> words(as_index(samples.count));

  const std::int64_t few = std::max<std::int64_t>(1, samples.count / 32);
  const double naive_seconds = best_seconds(
      1, [&] { naive.assign(samples.part(0, few), std::span{words}.first(as_index(few))); });
  std::int64_t in_double = 0;
  const double seconds = best_seconds(5, [&] { in_double = nearest.assign(samples, words); });
  write_raw(arguments.at(5), words);
  return {{"naive", naive_seconds * static_cast<double>(samples.count) / static_cast<double>(few)},
          {"seconds", seconds},
          {"in_double", in_double},
          {"vector_unit", name_of(vector_level())},
          {"multiply_adds", multiply_adds_per_second()}};
}

Json learn(const std::vector<std::string>& arguments) {
  const auto values = read_floats(arguments.at(2));
  const FeatureBlock samples = block_of(values, arguments.at(3));
  const Dictionary start{samples.features, read_floats(arguments.at(4))};
  const KMeansSpec spec{.most_iterations = std::stoi(arguments.at(5)), .tolerance = 0};
  bench::BenchHost host;
  TaskPool one{1};
  const RunContext context{one, host.host, host.progress, host.log, host.stop};
  KMeansResult result;
  const double seconds =
      best_seconds(3, [&] { result = k_means_from(samples, start, spec, context); });
  write_raw(arguments.at(6), result.dictionary.centroids);
  return {{"seconds", seconds}, {"inertia", result.inertia}, {"iterations", result.iterations}};
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> arguments(argv, argv + argc);
  const bool learns = argc == 7 && arguments[1] == "learn";
  if (!learns && !(argc == 6 && arguments[1] == "assign")) {
    fmt::print(stderr, "usage: quantise_bench assign|learn, as its first lines say\n");
    return 2;
  }
  fmt::print("{}\n", text_of(learns ? learn(arguments) : assign(arguments)));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "quantise_bench: {}\n", error.what());
  return 1;
}

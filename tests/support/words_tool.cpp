// SPDX-License-Identifier: MIT
// tests/support/words_tool.cpp — learns and assigns words for the Python checks of them.
//
// Features and words are files of raw float32: features one plane after the other, words one word
// after the other.
//
//   words_tool assign FEATURES COUNT WORDS OUT [STRATEGY]   nearest words as raw uint16; prints how
//                                                           many were decided in double
//   words_tool learn FEATURES COUNT SPEC OUT                words by k-means; SPEC is JSON: words,
//                                                           most_iterations, tolerance, seed, and
//                                                           start, a file of words; prints JSON
#include <fmt/format.h>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include "core/base/json.hpp"
#include "core/run/run_context.hpp"
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

struct Features {
  std::vector<float> values;
  FeatureBlock block;
};

Features read_features(const std::vector<std::string>& words) {
  Features features{read_floats(words.at(2)), {}};
  const std::int64_t count = std::stoll(words.at(3));
  features.block = {features.values.data(), count, count,
                    static_cast<std::int64_t>(features.values.size()) / count};
  return features;
}

void assign(const std::vector<std::string>& words) {
  const Features features = read_features(words);
  const auto strategy =
      quantising_strategy_named(words.size() > 6 ? words[6] : std::string{"auto"}).value();
  const NearestWord nearest{{features.block.features, read_floats(words.at(4))}, strategy};
  std::vector<std::uint16_t> assigned(static_cast<std::size_t>(features.block.count));
  fmt::print("{}\n", nearest.assign(features.block, assigned));
  write_raw(words.at(5), assigned);
}

void learn(const std::vector<std::string>& words) {
  const Features features = read_features(words);
  const Json wanted = parse_json(words.at(4));
  KMeansSpec spec;
  spec.words = wanted.value("words", spec.words);
  spec.most_iterations = wanted.value("most_iterations", spec.most_iterations);
  spec.tolerance = wanted.value("tolerance", spec.tolerance);
  spec.seed = wanted.value("seed", spec.seed);

  TaskPool pool{2};
  MemoryBudget memory{std::int64_t{1} << 32};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  const RunContext context{pool, memory, progress, log, stop};
  const KMeansResult result =
      wanted.contains("start")
          ? k_means_from(features.block, {features.block.features, read_floats(wanted["start"])},
                         spec, context)
          : k_means(features.block, spec, context);
  write_raw(words.at(5), result.dictionary.centroids);
  fmt::print("{}\n", text_of(Json{{"inertia", result.inertia},
                                  {"sizes", result.sizes},
                                  {"iterations", result.iterations},
                                  {"converged", result.converged}}));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  try {
    if (words.size() > 5 && words[1] == "assign") return assign(words), 0;
    if (words.size() > 5 && words[1] == "learn") return learn(words), 0;
    fmt::print(stderr, "words_tool: assign or learn, as its first lines say\n");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "words_tool: {}\n", error.what());
    return 1;
  }
}

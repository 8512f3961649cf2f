// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <algorithm>
#include <tuple>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/image/statistics.hpp"
#include "kernels/visual_words/histogram_distance.hpp"
#include "kernels/visual_words/k_means.hpp"
#include "kernels/visual_words/nearest_word.hpp"
#include "kernels/visual_words/word_histogram.hpp"
#include "kernels/visual_words/word_map.hpp"
#include "python/arrays/words.hpp"
#include "python/session/arrays.hpp"
#include "python/session/call.hpp"
#include "textures/images/image_runner.hpp"

namespace synthoscope::python {
namespace {

namespace nb = nanobind;

constexpr const char* kFeatureCount =
    R"(Returns the number of features of a voxel of an image (z, y, x).)";
constexpr const char* kFeatures =
    R"(Computes the features of every voxel of a volume.

image : array (z, y, x), C order, of int8 to uint32, float32 or float64.
result : float32 array (z * F, y, x): plane p * F + f is feature f of plane p.
bank : "lm", "schmid", "mr8" or "invariants".
standardised, contrast_normalised : as FeatureSpec has them.
depth_ratio : voxel size along z divided by that along x.
workers, memory : threads and bytes.
)";
constexpr const char* kWordMap =
    R"(Finds the nearest word of every voxel of a volume.

result : array of the image's extent, of uint8 for up to 256 words, else of uint16.
words : float32 array (1, words, features). For the rest see texture_features.
)";
constexpr const char* kLearn =
    R"(Learns words from samples by k-means.

samples : float32 array (1, features, samples), C order.
words : float32 array (1, words, features), written; where `from_start` it holds the start.
sizes : int64 array (words), written: samples of each word.
Returns inertia, iterations, and whether the words converged.
)";
constexpr const char* kAssign =
    R"(Finds the nearest word of every sample.

samples : float32 array (1, features, samples), C order.
words : float32 array (1, words, features).
result : uint16 array (1, 1, samples).
)";
constexpr const char* kHistogram =
    R"(Returns the histogram of a word map (z, y, x) of uint8 or uint16, in a pyramid.)";
constexpr const char* kDistance =
    R"(Returns the distance of two histograms: "euclidean", "chi-square" or "intersection".)";

// Seconds of one thread, for a sample, a word and a feature
constexpr double kProductSeconds = 1e-10;

using Counts = nb::ndarray<std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Histogram = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

const float* floats_of(const ReadArray& array, const char* what) {
  const ConstVoxelView view = view_of(array);
  if (view.type() != PixelType::float32 || view.extent().z != 1)
    throw InvalidSpec(
        fmt::format("visual words: {} are of {} and type {}; give float32 ones of 1 "
                    "plane",
                    what, view.extent(), name_of(view.type())));
  return view.as<float>().data();
}

kernels::FeatureBlock samples_of(const ReadArray& array) {
  const Extent3 e = extent_of(array);
  return {floats_of(array, "samples"), e.x, e.x, e.y};
}

kernels::Dictionary dictionary_of(const ReadArray& array) {
  const Extent3 e = extent_of(array);
  const float* const first = floats_of(array, "words");
  return {e.x, {first, first + e.y * e.x}};
}

std::int64_t feature_count(const std::string& bank, std::int64_t z, std::int64_t y,
                           std::int64_t x) {
  return kernels::feature_count(spec_of({bank, true, false, 1}), {z, y, x});
}

/// Streams `image` through what `make(setting, gain)` gives, into `result`.
template <class Make>
void measure(const ReadArray& image, const WrittenArray& result, const kernels::FeatureSpec& spec,
             const Asked& asked, const Make& make) {
  const ConstVoxelView from = view_of(image);
  // A bank is made before its seconds are known: for longer than a moment, in any case
  run_kernel(asked, 1, [&](const RunContext& context) {
    MemorySource source{from};
    RunContext counting = context;
    const imageio::Statistics found = imageio::statistics(source, counting);
    if (found.nonfinite > 0)
      throw InvalidSpec(
          fmt::format("visual words: {} elements of the image are NaN or infinite; replace them",
                      found.nonfinite));
    const kernels::ChosenBank bank = make(kernels::NeighbourhoodSetting{.image = from.extent()},
                                          kernels::feature_gain(spec, found.standard_deviation));
    const VoxelView to = view_of(result);
    if (to.extent() != bank.operation->extent() || to.type() != bank.operation->types().front())
      throw InvalidSpec(fmt::format("visual words: the result has room for {} of {}; give {} of {}",
                                    to.extent(), name_of(to.type()), bank.operation->extent(),
                                    name_of(bank.operation->types().front())));
    MemorySink sink{to};
    textures::HostRunner{}.run(*bank.operation, source, sink, 0, context);
  });
}

void texture_features(const ReadArray& image, const WrittenArray& result, const std::string& bank,
                      bool standardised, bool contrast_normalised, double depth_ratio,
                      std::optional<int> workers, std::optional<std::string> memory) {
  const auto spec = spec_of({bank, standardised, contrast_normalised, depth_ratio});
  measure(image, result, spec, {workers, std::move(memory)},
          [&](const kernels::NeighbourhoodSetting& setting, double gain) {
            return kernels::make_texture_features(setting, spec, gain);
          });
}

void word_map(const ReadArray& image, const WrittenArray& result, const ReadArray& words,
              const std::string& bank, bool standardised, bool contrast_normalised,
              double depth_ratio, std::optional<int> workers, std::optional<std::string> memory) {
  const kernels::WordMapSpec spec{spec_of({bank, standardised, contrast_normalised, depth_ratio}),
                                  {}};
  const kernels::Dictionary dictionary = dictionary_of(words);
  measure(image, result, spec.features, {workers, std::move(memory)},
          [&](const kernels::NeighbourhoodSetting& setting, double gain) {
            return kernels::make_word_map(setting, spec, gain, dictionary);
          });
}

std::tuple<double, int, bool> learn_words(const ReadArray& samples, const WrittenArray& words,
                                          const Counts& sizes, bool from_start, std::uint64_t seed,
                                          int most_iterations, double tolerance,
                                          std::optional<int> workers,
                                          std::optional<std::string> memory) {
  const kernels::FeatureBlock block = samples_of(samples);
  const VoxelView to = view_of(words);
  const Extent3 e = to.extent();
  if (to.type() != PixelType::float32 || e.z != 1 || e.x != block.features ||
      static_cast<std::int64_t>(sizes.shape(0)) != e.y)
    throw InvalidSpec(fmt::format(
        "learn words: room for {} of {}, samples have {} features; give 1 x words x features of "
        "float32",
        e, name_of(to.type()), block.features));
  float* const centroids = to.as<float>().data();
  const kernels::KMeansSpec spec{e.y, most_iterations, tolerance, seed};
  kernels::KMeansResult found;
  run_kernel({workers, std::move(memory)}, 1, [&](const RunContext& context) {
    found = from_start
                ? k_means_from(block, {e.x, {centroids, centroids + e.y * e.x}}, spec, context)
                : k_means(block, spec, context);
  });
  std::copy(found.dictionary.centroids.begin(), found.dictionary.centroids.end(), centroids);
  std::copy(found.sizes.begin(), found.sizes.end(), sizes.data());
  return {found.inertia, found.iterations, found.converged};
}

void assign_words(const ReadArray& samples, const ReadArray& words, const WrittenArray& result,
                  std::optional<int> workers, std::optional<std::string> memory) {
  constexpr std::int64_t kTogether = 4096;
  const kernels::FeatureBlock block = samples_of(samples);
  const VoxelView to = view_of(result);
  const kernels::NearestWord nearest{dictionary_of(words)};
  if (to.type() != PixelType::uint16 || to.extent() != Extent3{1, 1, block.count} ||
      nearest.dictionary().features != block.features)
    throw InvalidSpec(fmt::format(
        "assign words: {} samples of {} features, words of {}, room for {} of {}; give words of as "
        "many features, and 1 x 1 x samples of uint16",
        block.count, block.features, nearest.dictionary().features, to.extent(),
        name_of(to.type())));
  auto* const found = to.as<std::uint16_t>().data();
  const double seconds = kProductSeconds * static_cast<double>(block.count) *
                         static_cast<double>(nearest.dictionary().centroids.size());
  run_kernel({workers, std::move(memory)}, seconds, [&](const RunContext& context) {
    context.pool.for_ranges(block.count, kTogether, [&](std::int64_t begin, std::int64_t end) {
      context.stop.check();
      nearest.assign(block.part(begin, end - begin),
                     {found + begin, static_cast<std::size_t>(end - begin)});
    });
  });
}

std::vector<float> word_histogram(const ReadArray& map, std::int64_t words, int levels) {
  const ConstVoxelView view = view_of(map);
  kernels::WordCounts counts{view.extent(), words, levels};
  counts.add(whole(view.extent()), view);
  return counts.histogram();
}

double histogram_distance(const std::string& how, const Histogram& a, const Histogram& b) {
  const auto known = distance_of(how);
  if (a.shape(0) != b.shape(0))
    throw InvalidSpec(fmt::format("compare histograms of {} and {} words; give the same number",
                                  a.shape(0), b.shape(0)));
  return kernels::distance(known, {a.data(), a.shape(0)}, {b.data(), b.shape(0)});
}

}  // namespace

kernels::FeatureSpec spec_of(const HowMeasured& how) {
  const auto bank = kernels::filter_bank_named(how.bank);
  if (!bank)
    throw InvalidSpec(
        fmt::format("visual words: the bank is '{}'; use lm, schmid, mr8 or invariants", how.bank));
  kernels::FeatureSpec spec;
  spec.filters.bank = *bank;
  spec.filters.depth_ratio = how.depth_ratio;
  spec.standardised = how.standardised;
  spec.contrast_normalised = how.contrast_normalised;
  return spec;
}

kernels::HistogramDistance distance_of(const std::string& how) {
  if (const auto known = kernels::histogram_distance_named(how)) return *known;
  throw InvalidSpec(fmt::format(
      "compare histograms: the distance is '{}'; use euclidean, chi-square or intersection", how));
}

void add_visual_words(nb::module_& module) {
  const auto image = nb::arg("image").noconvert(), result = nb::arg("result").noconvert();
  const auto words = nb::arg("words").noconvert(), samples = nb::arg("samples").noconvert();
  const auto workers = nb::arg("workers").none(), memory = nb::arg("memory").none();
  module.def("feature_count", feature_count, nb::arg("bank"), nb::arg("z"), nb::arg("y"),
             nb::arg("x"), kFeatureCount);
  module.def("texture_features", texture_features, image, result, nb::arg("bank"),
             nb::arg("standardised"), nb::arg("contrast_normalised"), nb::arg("depth_ratio"),
             workers, memory, kFeatures);
  module.def("word_map", word_map, image, result, words, nb::arg("bank"), nb::arg("standardised"),
             nb::arg("contrast_normalised"), nb::arg("depth_ratio"), workers, memory, kWordMap);
  module.def("learn_words", learn_words, samples, words, nb::arg("sizes").noconvert(),
             nb::arg("from_start"), nb::arg("seed"), nb::arg("most_iterations"),
             nb::arg("tolerance"), workers, memory, kLearn);
  module.def("assign_words", assign_words, samples, words, result, workers, memory, kAssign);
  module.def("word_histogram", word_histogram, nb::arg("map").noconvert(), nb::arg("words"),
             nb::arg("levels"), kHistogram);
  module.def("histogram_distance", histogram_distance, nb::arg("how"), nb::arg("a").noconvert(),
             nb::arg("b").noconvert(), kDistance);
}

}  // namespace synthoscope::python

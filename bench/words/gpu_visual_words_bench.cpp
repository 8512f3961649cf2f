// SPDX-License-Identifier: MIT
// How long does it take from an image to its histogram of words, and which stage takes it: written
// plainly for one thread, by the library on one thread, on all, and on a device? MR8 and 200 words.
// All make the words of the same dictionary; how many differ is beside every time. Prints a table;
// JSON to the file that is named.
//
//     gpu_visual_words_bench [OUT.json [SIZE [SIZE_OF_PLAIN [SIZE_ON_DEVICE]]]]
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include "bench/bench_host.hpp"
#include "bench/words/naive_words.hpp"
#include "core/base/as_index.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/math/random.hpp"
#include "kernels/device/bricks/device_bricks.hpp"
#include "kernels/operation/run_bricks.hpp"
#include "kernels/visual_words/k_means.hpp"
#include "kernels/visual_words/word_histogram.hpp"
#include "kernels/visual_words/word_map.hpp"

namespace synthoscope::bench {
namespace {

using namespace kernels;  // NOLINT: of a program

constexpr std::int64_t kWords = 200;
constexpr int kRepeats = 3;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Work>
double seconds_of(const Work& work) {
  const double begin = seconds_now();
  work();
  return seconds_now() - begin;
}

/// The least of a few.
template <class Work>
double least_seconds(const Work& work) {
  double least = seconds_of(work);
  for (int i = 1; i < kRepeats; ++i) least = std::min(least, seconds_of(work));
  return least;
}

/// Stripes, blobs and grain, as large as the image is wide in four ways.
Volume<float> textured(std::int64_t size) {
  Volume<float> image{{1, size, size}};
  constexpr RandomStream kStream{3, RandomStage::texture};
  for (std::int64_t y = 0; y < size; ++y)
    for (std::int64_t x = 0; x < size; ++x) {
      const auto u = static_cast<double>(x), v = static_cast<double>(y);
      const std::int64_t part = 2 * (2 * y / size) + 2 * x / size;
      const double waves[] = {std::sin(0.9 * u), std::sin(0.3 * (u + v)),
                              std::sin(0.2 * u) * std::sin(0.2 * v), std::sin(0.05 * v)};
      const auto at = static_cast<std::uint64_t>(y * size + x);
      const double grain = uniform32(kStream.block(at)[0]) - 0.5;
      image.view()(0, y, x) = static_cast<float>(100 + 20 * waves[as_index(part)] + 20 * grain);
    }
  return image;
}

double deviation(const Volume<float>& image) {
  double sum = 0, squares = 0;
  for (const float voxel : image.voxels) {
    sum += double{voxel} - 100;
    squares += (double{voxel} - 100) * (double{voxel} - 100);
  }
  const auto n = static_cast<double>(image.voxels.size());
  return std::sqrt(squares / n - sum / n * (sum / n));
}

/// Seconds of one way over an image, by stage; stages that are one have no time of their own.
struct Row {
  std::string what;
  Extent3 image;
  std::optional<double> filter, quantise, histogram;
  double all = 0;
  double differing = 0;  ///< share of words that are not those of the library
};

class Bench {
 public:
  Bench(std::int64_t size, std::int64_t plain_size, std::int64_t device_size)
      : image_{textured(size)},
        small_{textured(plain_size)},
        large_{textured(device_size)},
        gain_{1 / deviation(image_)} {}

  void learn();
  void run_naive(NaiveFilter how);
  void run_host(int threads);
  void run_device(const cuda::DeviceInfo& device);
  void print() const;
  [[nodiscard]] Json json() const;

 private:
  [[nodiscard]] Volume<std::uint8_t> library_words(const Volume<float>& image);
  void time_on_device(const cuda::DeviceInfo& device, Operation& operation, std::int64_t bytes,
                      std::optional<double>& seconds);
  void add(Row row, const std::vector<std::uint16_t>& words, const Volume<float>& image);

  BenchHost host_;
  Volume<float> image_, small_, large_;
  double gain_;
  Dictionary dictionary_;
  std::vector<Row> rows_;
};

/// Words of the image's own features.
void Bench::learn() {
  constexpr std::int64_t kSamples = 20000;
  const auto operation = make_texture_features({image_.extent}, {}, gain_).operation;
  Volume<float> features{operation->extent()};
  const VoxelView to = features.view();
  operation->apply(whole_window(image_.view()), whole(features.extent), std::span{&to, 1},
                   host_.pool);
  const std::int64_t voxels = volume(image_.extent), count = features.extent.z;
  std::vector<float> samples;
  for (std::int64_t f = 0; f < count; ++f)
    for (std::int64_t i = 0; i < kSamples; ++i)
      samples.push_back(features.voxels[as_index(f * voxels + i * (voxels / kSamples))]);
  KMeansSpec spec;
  spec.words = kWords;
  spec.most_iterations = 20;
  dictionary_ =
      k_means({samples.data(), kSamples, kSamples, count}, spec, host_.context).dictionary;
}

Volume<std::uint8_t> Bench::library_words(const Volume<float>& image) {
  const auto map = make_word_map({image.extent}, {}, gain_, dictionary_).operation;
  Volume<std::uint8_t> words{image.extent};
  const VoxelView to = words.view();
  map->apply(whole_window(image.view()), whole(image.extent), std::span{&to, 1}, host_.pool);
  return words;
}

void Bench::add(Row row, const std::vector<std::uint16_t>& words, const Volume<float>& image) {
  const Volume<std::uint8_t> expected = library_words(image);
  std::int64_t differing = 0;
  for (std::size_t i = 0; i < words.size(); ++i) differing += words[i] != expected.voxels[i];
  row.differing = static_cast<double>(differing) / static_cast<double>(words.size());
  row.image = image.extent;
  rows_.push_back(std::move(row));
}

void Bench::run_naive(NaiveFilter how) {
  const bool is_direct = how == NaiveFilter::direct;
  const Volume<float>& image = small_;
  const std::int64_t voxels = volume(image.extent);
  std::vector<float> features;
  std::vector<std::uint16_t> words;
  std::vector<std::int64_t> histogram(kWords);
  Row row{
      is_direct ? "plain, direct sums, 1 thread" : "plain, separable, 1 thread", {}, {}, {}, {}};
  row.filter =
      seconds_of([&] { features = naive_features(image, how, static_cast<float>(gain_)); });
  row.quantise = seconds_of([&] { words = naive_words(features, voxels, dictionary_); });
  row.histogram = seconds_of([&] {
    for (const std::uint16_t word : words) ++histogram[word];
  });
  row.all = *row.filter + *row.quantise + *row.histogram;
  add(std::move(row), words, image);
}

void Bench::run_host(int threads) {
  TaskPool pool{threads};
  const NeighbourhoodSetting setting{image_.extent};
  const std::int64_t voxels = volume(image_.extent);
  Row row{fmt::format("library, {} thread{}", threads, threads > 1 ? "s" : ""), {}, {}, {}, {}};
  {
    const auto operation = make_texture_features(setting, {}, gain_).operation;
    Volume<float> features{operation->extent()};
    const VoxelView to = features.view();
    row.filter = least_seconds([&] {
      operation->apply(whole_window(image_.view()), whole(features.extent), std::span{&to, 1},
                       pool);
    });
    const NearestWord nearest{dictionary_};
    std::vector<std::uint16_t> words(as_index(voxels));
    row.quantise = least_seconds([&] {
      pool.for_ranges(voxels, 16384, [&](std::int64_t begin, std::int64_t end) {
        nearest.assign(
            FeatureBlock{features.voxels.data(), voxels, voxels, dictionary_.features}.part(
                begin, end - begin),
            std::span{words}.subspan(as_index(begin), as_index(end - begin)));
      });
    });
  }
  const auto map = make_word_map(setting, {}, gain_, dictionary_).operation;
  Volume<std::uint8_t> words{image_.extent};
  const VoxelView to = words.view();
  const auto count_words = [&] {
    WordCounts counts{image_.extent, kWords};
    counts.add(whole(image_.extent), ConstVoxelView{words.view()});
  };
  row.histogram = least_seconds(count_words);
  row.all = least_seconds([&] {
    map->apply(whole_window(image_.view()), whole(image_.extent), std::span{&to, 1}, pool);
    count_words();
  });
  add(std::move(row), {words.voxels.begin(), words.voxels.end()}, image_);
}

/// Of an operation whose image and results are on the device.
void Bench::time_on_device(const cuda::DeviceInfo& device, Operation& operation, std::int64_t bytes,
                           std::optional<double>& seconds) {
  MemoryBudget memory{device.memory_bytes / 2, 0, "--gpu-memory"};
  cuda::Stream stream{device.id};
  cuda::DeviceBuffer<std::byte> in{device.id, memory, volume(large_.extent) * 4, "image"};
  cuda::DeviceBuffer<std::byte> out{device.id, memory, bytes, "result"};
  cuda::enqueue_copy(stream, in.data(), large_.voxels.data(), in.bytes());
  DeviceOperation& there = *operation.on_device();
  const Box3 all = whole(operation.extent());
  there.prepare({device, memory, host_.pool}, PixelType::float32, all.size, stream);
  const DeviceWindow window{large_.extent, whole(large_.extent), PixelType::float32, in.data()};
  std::byte* const results[] = {out.data()};
  const auto run = [&] {
    there.enqueue_apply(stream, window, all, results);
    stream.finish();
  };
  run();
  seconds = least_seconds(run);
  there.finish(stream);
}

void Bench::run_device(const cuda::DeviceInfo& device) {
  const NeighbourhoodSetting setting{large_.extent};
  const auto features = make_texture_features(setting, {}, gain_).operation;
  const auto map = make_word_map(setting, {}, gain_, dictionary_).operation;
  Row row{device.name, {}, {}, {}, {}};
  time_on_device(device, *features, volume(features->extent()) * 4, row.filter);
  std::optional<double> both;
  time_on_device(device, *map, volume(large_.extent), both);
  row.quantise = *both - *row.filter;

  // From an image in the host's memory to its histogram there
  MemoryBudget memory{device.memory_bytes / 2, 0, "--gpu-memory"};
  const BrickPlan plan =
      device::plan_bricks_on_device(*map, large_.extent, PixelType::float32, BoxOrder::any,
                                    {memory.limit(), {host_.host.limit()}});
  Volume<std::uint8_t> words{large_.extent};
  const auto count_words = [&] {
    WordCounts counts{large_.extent, kWords};
    counts.add(whole(large_.extent), ConstVoxelView{words.view()});
  };
  row.histogram = least_seconds(count_words);
  row.all = least_seconds([&] {
    MemorySource source{large_.view()};
    MemorySink sink{words.view()};
    Sink* const sinks[] = {&sink};
    device::run_bricks_on_device(plan, *map, source, sinks, device, memory, host_.context);
    count_words();
  });
  add(std::move(row), {words.voxels.begin(), words.voxels.end()}, large_);
}

void Bench::print() const {
  fmt::print("{:32} {:>12} {:>10} {:>10} {:>10} {:>10}  {}\n", "ns a voxel", "image", "filter",
             "quantise", "histogram", "all", "words that differ");
  for (const Row& row : rows_) {
    const double voxels = static_cast<double>(volume(row.image)) * 1e-9;
    const auto cell = [&](const std::optional<double>& seconds) {
      return seconds ? fmt::format("{:.3f}", *seconds / voxels) : "";
    };
    fmt::print("{:32} {:>12} {:>10} {:>10} {:>10} {:>10.3f}  {:.1e}\n", row.what,
               fmt::format("{}", row.image), cell(row.filter), cell(row.quantise),
               cell(row.histogram), row.all / voxels, row.differing);
  }
}

Json Bench::json() const {
  Json all = Json::array();
  for (const Row& row : rows_)
    all.push_back({{"what", row.what},
                   {"extent", {row.image.z, row.image.y, row.image.x}},
                   {"filter_seconds", row.filter.value_or(0)},
                   {"quantise_seconds", row.quantise.value_or(0)},
                   {"histogram_seconds", row.histogram.value_or(0)},
                   {"seconds", row.all},
                   {"differing", row.differing}});
  return all;
}

int run(int count, char** arguments) {
  const auto size = [&](int argument, std::int64_t otherwise) {
    return count > argument ? std::int64_t{std::atoll(arguments[argument])} : otherwise;
  };
  Bench bench{size(2, 2048), size(3, 384), size(4, 4096)};
  bench.learn();
  bench.run_naive(NaiveFilter::direct);
  bench.run_naive(NaiveFilter::separable);
  const int threads = available_threads();
  for (int n = 1; n <= threads; n = n < threads ? std::min(2 * n, threads) : n + 1)
    bench.run_host(n);
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty())
    fmt::print("no device: {}\n", list.why_none);
  else
    bench.run_device(list.devices.front());
  bench.print();
  if (count > 1) std::ofstream{arguments[1]} << text_of(bench.json()) << '\n';
  return 0;
}

}  // namespace
}  // namespace synthoscope::bench

int main(int count, char** arguments) {
  try {
    return synthoscope::bench::run(count, arguments);
  } catch (const std::exception& failure) {
    fmt::print("{}\n", failure.what());
    return 1;
  }
}

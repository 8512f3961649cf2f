// SPDX-License-Identifier: MIT
// How fast does a device correlate directly and with products of weights, beside a copy of the
// image, and how exact is it? Checks sampled voxels in double. Prints a table; JSON to the file
// that is named.
//
//     gpu_kernels_bench [OUT.json [TYPE|volume]]
//
// With a type of voxels, kernels of passes are timed in other shapes than the library chooses, and
// nothing else; with `volume`, those of three axes at once.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <vector>
#include "core/base/json.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "kernels/correlate/device_correlation.hpp"
#include "kernels/device/code/counted.hpp"
#include "kernels/device/correlate/marching.hpp"
#include "kernels/device/correlate/volume_kernel.hpp"

namespace synthoscope::kernels::device {
namespace {

constexpr int kRepeats = 7, kSampled = 300;

float hashed(std::int64_t index) {
  auto i = (static_cast<std::uint64_t>(index) + 1) * 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  return static_cast<float>(i >> 56);  // 8 bits
}

std::vector<double> bell(std::int64_t n) {
  std::vector<double> weights;
  double sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double u =
        (static_cast<double>(i) - static_cast<double>(n - 1) / 2) * 8 / static_cast<double>(n + 1);
    weights.push_back(std::exp(-u * u / 2));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// A device with an image on it, and room for a result.
class Bench {
 public:
  explicit Bench(const cuda::DeviceInfo& info) : info_{info}, stream_{info.id} {}

  void hold(const Extent3& image, PixelType type) {
    image_ = image;
    type_ = type;
    std::vector<std::byte> voxels(static_cast<std::size_t>(volume(image) * size_of(type)));
    visit_pixel_type(type, [&](auto zero) {
      using T = decltype(zero);
      auto* const to = reinterpret_cast<T*>(voxels.data());
      for (std::int64_t i = 0; i < volume(image); ++i) to[i] = static_cast<T>(hashed(i));
    });
    in_ = {};
    out_ = {};
    const auto bytes = static_cast<std::int64_t>(voxels.size());
    in_ = {info_.id, memory_, bytes, "image"};
    out_ = {info_.id, memory_, volume(image) * 4, "result"};
    cuda::enqueue_copy(stream_, in_.data(), voxels.data(), bytes);
    stream_.finish();
  }

  /// Median seconds of one call.
  template <class Enqueue>
  double time(Enqueue&& enqueue) {
    enqueue();
    stream_.finish();
    std::vector<double> seconds;
    for (int i = 0; i < kRepeats; ++i) {
      cuda::Event from{info_.id}, to{info_.id};
      from.record(stream_);
      enqueue();
      to.record(stream_);
      seconds.push_back(cuda::seconds_between(from, to));
    }
    std::ranges::sort(seconds);
    return seconds[kRepeats / 2];
  }

  double time_copy() {
    return time([&] {
      cuda::enqueue_copy(stream_, out_.data(), in_.data(), volume(image_) * size_of(type_));
    });
  }

  /// The largest error of sampled voxels, over sum |weights| times 255.
  double error(const Stencil& stencil, PixelType stored) {
    std::vector<std::byte> found(static_cast<std::size_t>(volume(image_) * size_of(stored)));
    cuda::enqueue_copy(stream_, found.data(), out_.data(), static_cast<std::int64_t>(found.size()));
    stream_.finish();
    double magnitude = 0, worst = 0;
    for (const double weight : stencil.weights) magnitude += 255 * std::abs(weight);
    for (int sample = 0; sample < kSampled; ++sample) {
      const auto at = static_cast<std::int64_t>(
          (static_cast<std::uint64_t>(sample) * 0x9E3779B97F4A7C15ull >> 8) %
          static_cast<std::uint64_t>(volume(image_)));
      const std::int64_t z = at / (image_.y * image_.x), y = at / image_.x % image_.y,
                         x = at % image_.x;
      double sum = 0;
      const double* weight = stencil.weights.data();
      for (std::int64_t k = 0; k < stencil.extent.z; ++k)
        for (std::int64_t j = 0; j < stencil.extent.y; ++j)
          for (std::int64_t i = 0; i < stencil.extent.x; ++i)
            sum += *weight++ *
                   static_cast<double>(voxel(z + k - stencil.centre.z, y + j - stencil.centre.y,
                                             x + i - stencil.centre.x));
      double value = 0;
      visit_pixel_type(stored, [&](auto zero) {
        using T = decltype(zero);
        value = static_cast<double>(reinterpret_cast<const T*>(found.data())[at]);
      });
      const double allowed = stored == PixelType::float32 ? 0 : 0.5;
      worst = std::max(worst, (std::abs(sum - value) - allowed) / magnitude);
    }
    return std::max(worst, 0.0);
  }

  void row(const std::string& what, double seconds, double operations, double error) {
    const double voxels = static_cast<double>(volume(image_));
    fmt::print("{:46} {:9.4f} ms {:8.1f} Gvoxel/s {:7.2f} copies {:7.2f} TFLOP/s  error {:.1e}\n",
               what, seconds * 1e3, voxels / seconds * 1e-9, seconds / copy_seconds,
               operations / seconds * 1e-12, error);
    std::fflush(stdout);
    json.push_back({{"what", what},
                    {"ms", seconds * 1e3},
                    {"copies", seconds / copy_seconds},
                    {"tflops", operations / seconds * 1e-12},
                    {"error", error}});
  }

  void run(const std::string& what, DeviceOperation& there, const Stencil& checked,
           double operations_a_voxel, PixelType stored) {
    cuda::enqueue_zeros(stream_, out_.data(), out_.bytes());
    there.prepare({info_, memory_, pool_}, type_, image_, stream_);
    std::byte* const out[] = {out_.data()};
    const DeviceWindow window{image_, whole(image_), type_, in_.data()};
    const double seconds = time([&] { there.enqueue_apply(stream_, window, whole(image_), out); });
    row(what, seconds, operations_a_voxel * static_cast<double>(volume(image_)),
        error(checked, stored));
    there.finish(stream_);
  }

  template <class K, class W>
  void run_variant(const K& kernel, const std::string& name, const W& weights, const Index3& centre,
                   const Stencil& checked, double operations_a_voxel) {
    DeviceCounts counts;
    counts.prepare({info_, memory_, pool_}, stream_);
    MarchArguments a;
    a.in = held_voxels({image_, whole(image_), type_, in_.data()});
    a.out = made_voxels(whole(image_), out_.data(), counts.data());
    a.boundary = static_cast<int>(Boundary::reflect);
    a.centre_z = static_cast<int>(centre.z);
    a.centre_y = static_cast<int>(centre.y);
    a.centre_x = static_cast<int>(centre.x);
    const double seconds = time([&] { kernel.launch(stream_, a, weights); });
    const cuda::LaunchResources use = kernel.kernel().resources();
    row(fmt::format("{} r{} s{}", name, use.registers, use.spilled_bytes), seconds,
        operations_a_voxel * static_cast<double>(volume(image_)), error(checked, type_));
  }

  [[nodiscard]] const cuda::DeviceInfo& device() const { return info_; }
  [[nodiscard]] const Extent3& image() const { return image_; }
  [[nodiscard]] PixelType type() const { return type_; }
  double copy_seconds = 1;  ///< of this image, to and fro
  Json json = Json::array();

 private:
  [[nodiscard]] float voxel(std::int64_t z, std::int64_t y, std::int64_t x) const {
    const std::int64_t at_z = mapped_index(Boundary::reflect, z, image_.z),
                       at_y = mapped_index(Boundary::reflect, y, image_.y),
                       at_x = mapped_index(Boundary::reflect, x, image_.x);
    return hashed((at_z * image_.y + at_y) * image_.x + at_x);
  }

  const cuda::DeviceInfo& info_;
  cuda::Stream stream_;
  MemoryBudget memory_{std::int64_t{100} << 30};
  TaskPool pool_{1};
  Extent3 image_;
  PixelType type_ = PixelType::float32;
  cuda::DeviceBuffer<std::byte> in_, out_;
};

Stencil direct_stencil(const Extent3& extent) {
  std::vector<double> weights(static_cast<std::size_t>(volume(extent)));
  for (std::size_t i = 0; i < weights.size(); ++i)
    weights[i] = static_cast<double>(hashed(static_cast<std::int64_t>(i) + 99)) / 255 - 0.3;
  return correlation_stencil(extent, weights);
}

void direct(Bench& bench, const Extent3& extent, std::initializer_list<DirectStrategy> strategies) {
  const Stencil stencil = direct_stencil(extent);
  for (const DirectStrategy strategy : strategies) {
    if (!has_room_for(strategy, extent)) continue;
    const PixelType stored = bench.type();
    const auto there = make_device_correlation({bench.image(), Boundary::reflect, stored}, stencil,
                                               strategy, [](const StoredCounts&) {});
    // Clipped integers are no check: those are stored as float32 in the tests
    bench.run(fmt::format("direct {} {} {} {}", bench.image(), name_of(stored), extent,
                          name_of(strategy)),
              *there, stencil, 2.0 * static_cast<double>(volume(extent)), stored);
  }
}

void separable(Bench& bench, std::int64_t n, SeparableStrategy strategy) {
  const bool is_volume = bench.image().z > 1;
  const SeparableStencil stencil =
      separable_stencil(is_volume ? bell(n) : std::vector<double>{1}, bell(n), bell(n));
  const PixelType stored = bench.type();
  const auto there = make_device_separable({bench.image(), Boundary::reflect, stored}, stencil,
                                           strategy, [](const StoredCounts&) {});
  bench.run(fmt::format("separable {} {} {} {}", bench.image(), name_of(stored), n,
                        strategy == SeparableStrategy::fused ? "fused" : "plain"),
            *there, product(stencil), 2.0 * static_cast<double>(n) * (is_volume ? 3 : 2), stored);
}

/// Rows and columns in shapes of which the library takes one.
void plane_variants(Bench& bench) {
  struct Variant {
    int reach, columns, ahead, blocks;
  };
  const std::string type{cuda_name(bench.type())};
  for (const auto& [n, columns, ahead, blocks] : {Variant{3, 4, 1, 7},
                                                  {3, 4, 2, 7},
                                                  {9, 4, 1, 6},
                                                  {9, 4, 1, 7},
                                                  {9, 4, 1, 8},
                                                  {9, 4, 2, 5},
                                                  {9, 4, 2, 6},
                                                  {15, 4, 1, 4},
                                                  {15, 4, 1, 5},
                                                  {15, 4, 2, 4},
                                                  {23, 4, 1, 4},
                                                  {31, 4, 1, 3}}) {
    MarchWeights axes{};
    std::ranges::copy(bell(n), axes.march);
    std::ranges::copy(bell(n), axes.x);
    const std::string shape = fmt::format("{}, {}, {}, 4, {}, {}", n, n, columns, ahead, blocks);
    bench.run_variant(
        MarchingKernel{bench.device(), "correlate/separable.cuh",
                       fmt::format("correlate_rows_and_columns<{0}, {0}, {1}>", type, shape),
                       Marching{March::along_y, true, n, columns, 4}},
        fmt::format("rows_and_columns {} {}", type, shape), axes, {0, n / 2, n / 2},
        product(separable_stencil({1}, bell(n), bell(n))), 4.0 * n);
  }
}

/// The same of three axes at once.
void volume_variants(Bench& bench) {
  struct Variant {
    int reach;
    VolumeChoice choice;
  };
  for (const auto& [n, choice] : {Variant{3, {4, 16, 1}},
                                  {3, {4, 16, 2}},
                                  {3, {4, 8, 3}},
                                  {3, {4, 8, 4}},
                                  {3, {8, 8, 2}},
                                  {5, {4, 16, 1}},
                                  {5, {4, 8, 3}},
                                  {5, {4, 8, 4}},
                                  {5, {8, 8, 2}},
                                  {9, {4, 16, 1}},
                                  {9, {4, 8, 2}},
                                  {9, {4, 8, 3}},
                                  {9, {8, 8, 2}},
                                  {15, {4, 16, 1}},
                                  {15, {4, 8, 2}},
                                  {17, {4, 16, 1}},
                                  {17, {4, 8, 2}}}) {
    VolumeWeights axes{};
    for (float* axis : {axes.z, axes.y, axes.x}) std::ranges::copy(bell(n), axis);
    const std::string type{cuda_name(bench.type())};
    bench.run_variant(
        VolumeKernel{bench.device(), fmt::format("{0}, {0}", type), Extent3{n, n, n}, choice},
        fmt::format("volume {} {}, {}, {}, {}", type, n, choice.tall, choice.warps, choice.blocks),
        axes, {n / 2, n / 2, n / 2}, product(separable_stencil(bell(n), bell(n), bell(n))),
        6.0 * n);
  }
}

int measure(const char* json_path, std::string_view variants) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("no GPU: {}\n", list.why_none);
    return 0;
  }
  Bench bench{list.devices.front()};
  fmt::print("{}; a copy reads and writes the image\n", list.devices.front().name);
  using enum DirectStrategy;
  const auto hold = [&](const Extent3& image, PixelType type) {
    bench.hold(image, type);
    bench.copy_seconds = bench.time_copy();
    bench.row(fmt::format("copy {} {}", image, name_of(type)), bench.copy_seconds, 0, 0);
  };
  const auto write = [&] {
    if (json_path) std::ofstream{json_path} << bench.json.dump(1) << '\n';
    return 0;
  };
  if (const auto type = pixel_type_named(variants)) {
    hold({1, 8192, 8192}, *type);
    plane_variants(bench);
    return write();
  }
  if (!variants.empty()) {
    hold({512, 512, 512}, PixelType::float32);
    volume_variants(bench);
    return write();
  }
  hold({1, 8192, 8192}, PixelType::float32);
  for (const std::int64_t n : {3, 5, 7, 9, 11, 15, 21, 31})
    direct(bench, {1, n, n}, {global, shared, registers});
  for (const std::int64_t n : {3, 5, 7, 9, 11, 13, 15, 17, 23, 31, 33, 65, 97, 129})
    separable(bench, n, SeparableStrategy::fused);
  separable(bench, 15, SeparableStrategy::plain);
  for (const PixelType type : {PixelType::uint8, PixelType::uint16}) {
    hold({1, 8192, 8192}, type);
    for (const std::int64_t n : {3, 9, 15, 31}) separable(bench, n, SeparableStrategy::fused);
  }
  hold({1, 8262, 9688}, PixelType::float32);
  separable(bench, 15, SeparableStrategy::fused);
  hold({1, 8191, 8191}, PixelType::float32);
  separable(bench, 15, SeparableStrategy::fused);
  direct(bench, {1, 15, 15}, {registers});
  hold({512, 512, 512}, PixelType::float32);
  for (const std::int64_t n : {3, 5, 7, 9}) direct(bench, {n, n, n}, {global, shared, registers});
  for (const std::int64_t n : {3, 5, 9, 15, 33, 65}) separable(bench, n, SeparableStrategy::fused);
  separable(bench, 9, SeparableStrategy::plain);
  return write();
}

}  // namespace
}  // namespace synthoscope::kernels::device

int main(int count, char** arguments) {
  return synthoscope::kernels::device::measure(count > 1 ? arguments[1] : nullptr,
                                               count > 2 ? arguments[2] : "");
}

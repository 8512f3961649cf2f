// SPDX-License-Identifier: MIT
// At which size of a kernel is a device faster by direct sums, by passes along the axes, by FFT?
//
//   gpu_crossover_bench JSON Z,Y,X SIDE...
//
// One image in float32, boundary zero, Gaussian kernels of the sides; image, kernel and result lie
// in the device's memory. A way that took longer than 0.2 s is not measured at larger sides.
#include <fmt/format.h>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include "bench/convolution/crossover_case.hpp"
#include "bench/convolution/resident_fft.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "kernels/correlate/device_correlation.hpp"

namespace synthoscope::bench {
namespace {

constexpr int kRuns = 9;
constexpr double kPatience = 0.2;

struct Site {
  cuda::DeviceInfo device;
  cuda::Stream stream;
  MemoryBudget memory;
  TaskPool pool{available_threads()};

  explicit Site(const cuda::DeviceInfo& of)
      : device{of}, stream{of.id}, memory{cuda::memory_of(of.id).free_bytes} {}
};

/// Seconds, the middle of several runs; fewer of what takes long.
double timed(const cuda::Stream& stream, const std::function<void()>& work) {
  cuda::Event from{stream.device()}, to{stream.device()};
  std::vector<double> seconds;
  for (int i = 0; i < kRuns + 2; ++i) {
    from.record(stream);
    work();
    to.record(stream);
    const double one = cuda::seconds_between(from, to);
    if (i >= 2 || one > kPatience) seconds.push_back(one);
    if (one > kPatience) break;
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

struct Buffers {
  Buffers(const CrossoverCase& c, Site& site)
      : image{site.device.id, site.memory, volume(c.image.extent), "image"},
        kernel{site.device.id, site.memory, volume(c.kernel.extent), "kernel"},
        result{site.device.id, site.memory, volume(c.image.extent), "result"} {
    cuda::enqueue_copy(site.stream, image.data(), c.image.voxels.data(), image.bytes());
    cuda::enqueue_copy(site.stream, kernel.data(), c.kernel.voxels.data(), kernel.bytes());
    site.stream.finish();
  }
  cuda::DeviceBuffer<float> image, kernel, result;
};

double by_neighbourhoods(const CrossoverCase& c, kernels::DeviceOperation& operation,
                         const Buffers& at, Site& site) {
  operation.prepare({site.device, site.memory, site.pool}, PixelType::float32, c.image.extent,
                    site.stream);
  const Box3 all = whole(c.image.extent);
  std::byte* const out[] = {reinterpret_cast<std::byte*>(at.result.data())};
  const kernels::DeviceWindow window{c.image.extent, all, PixelType::float32,
                                     reinterpret_cast<const std::byte*>(at.image.data())};
  const double seconds =
      timed(site.stream, [&] { operation.enqueue_apply(site.stream, window, all, out); });
  operation.finish(site.stream);
  return seconds;
}

void ignore(const StoredCounts&) {}

double by_direct_sums(const CrossoverCase& c, const Buffers& at, Site& site) {
  return by_neighbourhoods(
      c,
      *kernels::device::make_device_correlation(setting_of(c), c.whole,
                                                kernels::device::DirectStrategy::automatic, ignore),
      at, site);
}

double by_passes(const CrossoverCase& c, const Buffers& at, Site& site) {
  return by_neighbourhoods(
      c,
      *kernels::device::make_device_separable(setting_of(c), c.stencil,
                                              kernels::device::SeparableStrategy::fused, ignore),
      at, site);
}

double by_fft(const CrossoverCase& c, const Buffers& at, Site& site) {
  fftconv::Problem problem;
  problem.image = c.image.extent;
  problem.kernel = c.kernel.extent;
  problem.center = c.whole.centre;
  ResidentFft fft{problem, site.device, site.memory, site.stream, site.pool};
  return timed(site.stream,
               [&] { fft.enqueue(at.image.data(), at.kernel.data(), at.result.data()); });
}

struct Way {
  const char* name;
  double (*run)(const CrossoverCase&, const Buffers&, Site&);
  bool is_slow = false;
};

int run(const char* json_path, const Extent3& extent, const std::vector<std::int64_t>& sides) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  Site site{list.devices.front()};
  const Volume<float> image = crossover_image(extent);
  Volume<float> result{extent};
  Way ways[] = {{"direct", by_direct_sums}, {"separable", by_passes}, {"FFT", by_fft}};
  Json rows = Json::array();
  for (const std::int64_t side : sides) {
    const CrossoverCase c = case_of(image, side);
    const Buffers at{c, site};
    for (Way& way : ways) {
      if (way.is_slow) continue;
      cuda::enqueue_zeros(site.stream, at.result.data(), at.result.bytes());
      double seconds = 0;
      try {
        seconds = way.run(c, at, site);
      } catch (const Error& error) {
        fmt::print("{:>4} {:10} {}\n", side, way.name, error.what());
        way.is_slow = true;
        continue;
      }
      way.is_slow = seconds > kPatience;
      cuda::enqueue_copy(site.stream, result.voxels.data(), at.result.data(), at.result.bytes());
      site.stream.finish();
      const double error = error_of(c, std::as_const(result).view());
      fmt::print("{:>4} {:10} {:9.4f} ms {:8.1e}\n", side, way.name, 1e3 * seconds, error);
      rows.push_back({{"side", side}, {"by", way.name}, {"seconds", seconds}, {"error", error}});
    }
  }
  std::ofstream{json_path} << text_of(Json{
      {"device", site.device.name}, {"extent", {extent.z, extent.y, extent.x}}, {"rows", rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::bench

int main(int count, char** arguments) try {
  if (count < 4) {
    fmt::print(stderr, "usage: gpu_crossover_bench JSON Z,Y,X SIDE...\n");
    return 2;
  }
  long long z = 0, y = 0, x = 0;
  if (std::sscanf(arguments[2], "%lld,%lld,%lld", &z, &y, &x) != 3)
    throw synthoscope::InvalidSpec("read the extent: it is z,y,x");
  std::vector<std::int64_t> sides;
  for (int i = 3; i < count; ++i) sides.push_back(std::stoll(arguments[i]));
  return synthoscope::bench::run(arguments[1], {z, y, x}, sides);
} catch (const std::exception& error) {
  fmt::print(stderr, "gpu_crossover_bench: {}\n", error.what());
  return 1;
}

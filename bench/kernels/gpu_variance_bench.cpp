// SPDX-License-Identifier: MIT
// How long do local mean and variance of an image on a device take, with each strategy, and how
// long does local contrast take, compared with one copy of their results? Prints a table and writes
// JSON:
//
//     gpu_variance_bench [OUT.json [ROWS COLUMNS]]
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <span>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/math/random.hpp"
#include "core/stream/device_stream.hpp"
#include "core/stream/memory_stream.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/variance/contrast.hpp"
#include "kernels/variance/local_variance.hpp"

namespace synthoscope::bench {
namespace {

using kernels::LocalWindow;
using kernels::Operation;
using kernels::VarianceStrategy;
using kernels::WindowShape;

constexpr int kRuns = 7;

struct Job {
  std::string name;
  std::vector<LocalWindow> windows;
  VarianceStrategy strategy = VarianceStrategy::threewise;
  bool enhances = false;
  std::vector<PixelType> images{PixelType::float32};
};

LocalWindow flat(WindowShape shape, double size) {
  return {shape, shape == WindowShape::gaussian ? 0.0 : 1.0, size, size};
}

std::vector<LocalWindow> triangles(std::initializer_list<double> sizes) {
  std::vector<LocalWindow> windows;
  for (const double size : sizes) windows.push_back(flat(WindowShape::triangle, size));
  return windows;
}

struct Device {
  cuda::DeviceInfo info;
  cuda::Stream stream;
  MemoryBudget memory;
  TaskPool pool{available_threads()};

  explicit Device(const cuda::DeviceInfo& of)
      : info{of}, stream{of.id}, memory{cuda::memory_of(of.id).free_bytes} {}

  /// Seconds, the middle of several runs after a first one.
  double timed(const std::function<void()>& work) {
    cuda::Event from{info.id}, to{info.id};
    std::vector<double> seconds;
    for (int i = 0; i < kRuns + 1; ++i) {
      from.record(stream);
      work();
      to.record(stream);
      seconds.push_back(cuda::seconds_between(from, to));
    }
    std::nth_element(seconds.begin() + 1, seconds.begin() + 1 + kRuns / 2, seconds.end());
    return seconds[1 + kRuns / 2];
  }
};

std::unique_ptr<Operation> operation_of(const Job& job, const Extent3& extent, PixelType type) {
  if (job.enhances) {
    kernels::ContrastSpec spec;
    spec.windows = job.windows;
    spec.target = 70;
    spec.type = type;
    return kernels::local_contrast(spec, extent);
  }
  kernels::LocalVarianceSpec spec;
  spec.windows = job.windows;
  spec.statistics = {kernels::LocalStatistic::mean, kernels::LocalStatistic::variance};
  spec.strategy = job.strategy;
  return kernels::local_variance(spec, extent, type);
}

double voxel_at(ConstVoxelView voxels, std::int64_t i) {
  return visit_pixel_type(voxels.type(), [&](auto zero) {
    return static_cast<double>(voxels.as<decltype(zero)>().data()[i]);
  });
}

/// What the host makes of a few rows in the middle, and how far the device is from it.
double largest_difference(const Job& job, Operation& operation, ConstVoxelView image,
                          const std::vector<cuda::DeviceBuffer<std::byte>>& made, Device& device) {
  const Extent3& e = operation.extent();
  const Box3 rows{{0, e.y / 2, 0}, {1, std::min<std::int64_t>(64, e.y - e.y / 2), e.x}};
  const PixelType type = operation.types().front();
  const std::int64_t bytes = volume(rows.size) * size_of(type);
  std::vector<std::vector<std::byte>> expected(
      made.size(), std::vector<std::byte>(static_cast<std::size_t>(bytes)));
  std::vector<VoxelView> views;
  for (auto& voxels : expected) views.emplace_back(voxels.data(), type, rows.size);
  operation.apply(kernels::whole_window(image), rows, views, device.pool);
  double largest = 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    std::vector<std::byte> got(static_cast<std::size_t>(bytes));
    cuda::enqueue_copy(device.stream, got.data(),
                       made[i].data() + size_of(type) * rows.origin.y * e.x, bytes);
    device.stream.finish();
    const VoxelView found{got.data(), type, rows.size};
    for (std::int64_t at = 0; at < volume(rows.size); ++at) {
      const double value = voxel_at(views[i], at);
      largest =
          std::max(largest, std::abs(voxel_at(found, at) - value) / (std::abs(value) + 1e-30));
    }
  }
  if (std::isnan(largest)) throw Error(fmt::format("{}: results are NaN", job.name));
  return largest;
}

template <class T>
void measure(const Job& job, const Extent3& extent, Device& device, Json& all) {
  Volume<T> image{extent};
  constexpr RandomStream kStream{1, RandomStage::texture};
  for (std::size_t i = 0; i < image.voxels.size(); i += 4) {
    const auto words = kStream.block(i / 4);
    for (std::size_t k = 0; k < 4 && i + k < image.voxels.size(); ++k)
      image.voxels[i + k] = static_cast<T>(words[k] % 256);
  }
  const auto operation = operation_of(job, extent, pixel_type_of<T>());
  const std::int64_t bytes = volume(extent) * size_of(operation->types().front());
  kernels::DeviceOperation& there = *operation->on_device();
  there.prepare({device.info, device.memory, device.pool}, pixel_type_of<T>(), extent,
                device.stream);
  const cuda::DeviceBuffer<T> in{device.info.id, device.memory, volume(extent), "image"};
  cuda::enqueue_copy(device.stream, in.data(), image.voxels.data(), in.bytes());
  std::vector<cuda::DeviceBuffer<std::byte>> out, copies;
  std::vector<std::byte*> results;
  for (std::size_t i = 0; i < operation->types().size(); ++i) {
    out.emplace_back(device.info.id, device.memory, bytes, "result");
    copies.emplace_back(device.info.id, device.memory, bytes, "copy");
    results.push_back(out.back().data());
  }
  const double seconds = device.timed([&] {
    there.enqueue_apply(
        device.stream,
        {extent, whole(extent), pixel_type_of<T>(), reinterpret_cast<const std::byte*>(in.data())},
        whole(extent), results);
  });
  const double error = largest_difference(job, *operation, image.view(), out, device);
  const double copy = device.timed([&] {
    for (std::size_t i = 0; i < out.size(); ++i)
      cuda::enqueue_copy(device.stream, copies[i].data(), out[i].data(), out[i].bytes());
  });
  there.finish(device.stream);
  fmt::print(
      "{:24} {:8} {:8.3f} ms, a copy of its {} results {:6.3f} ms: {:5.2f} copies; {:.1e} from "
      "the host\n",
      job.name, name_of(pixel_type_of<T>()), 1e3 * seconds, out.size(), 1e3 * copy, seconds / copy,
      error);
  all.push_back({{"job", job.name},
                 {"type", name_of(pixel_type_of<T>())},
                 {"extent", {extent.z, extent.y, extent.x}},
                 {"results", out.size()},
                 {"seconds", seconds},
                 {"copy_seconds", copy},
                 {"error", error}});
}

/// The image: 8262 x 9688 pixels, unless ROWS and COLUMNS are given. @throws InvalidSpec
Extent3 extent_of(std::span<char* const> sizes) {
  if (sizes.empty()) return {1, 8262, 9688};
  const Extent3 extent{1, std::atoll(sizes.front()), std::atoll(sizes.back())};
  if (sizes.size() != 2 || extent.y < 1 || extent.x < 1)
    throw InvalidSpec("usage: gpu_variance_bench [OUT.json [ROWS COLUMNS]]");
  return extent;
}

int run(std::span<char* const> arguments) {
  const Extent3 extent = extent_of(arguments.subspan(std::min<std::size_t>(1, arguments.size())));
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("skipped: {}\n", list.why_none);
    return 77;
  }
  const std::vector<PixelType> both{PixelType::float32, PixelType::uint8};
  constexpr VarianceStrategy kThreewise = VarianceStrategy::threewise;
  std::vector<Job> jobs{{"scales 2 to 32", triangles({2, 4, 8, 16, 32}), kThreewise, false, both},
                        {"scales 2 to 8", triangles({2, 4, 8})},
                        {"scales 4 and 8", triangles({4, 8})},
                        {"triangle 32", triangles({32})},
                        {"scales 3 to 48", triangles({3, 6, 12, 24, 48})},
                        {"box 3", {flat(WindowShape::box, 3)}},
                        {"box 15", {flat(WindowShape::box, 15)}},
                        {"box 31", {flat(WindowShape::box, 31)}},
                        {"gaussian 2", {flat(WindowShape::gaussian, 2)}},
                        {"gaussian 4", {flat(WindowShape::gaussian, 4)}},
                        {"contrast, 2 to 32", triangles({2, 4, 8, 16, 32}), kThreewise, true, both},
                        {"contrast, box 31", {flat(WindowShape::box, 31)}, kThreewise, true, both},
                        {"contrast, 3 to 48", triangles({3, 6, 12, 24, 48}), kThreewise, true}};
  for (int i = 0; i <= static_cast<int>(VarianceStrategy::integral); ++i) {
    const auto strategy = static_cast<VarianceStrategy>(i);
    const bool is_integral = strategy == VarianceStrategy::integral;
    jobs.push_back({fmt::format("box 9, {}", name_of(strategy)),
                    {flat(WindowShape::box, 9)},
                    strategy,
                    false,
                    is_integral ? std::vector{PixelType::uint8} : both});
  }
  Device device{list.devices.front()};
  fmt::print("{}, image {}\n", device.info.name, extent);
  Json all = Json::array();
  for (const Job& job : jobs)
    for (const PixelType type : job.images)
      if (type == PixelType::float32)
        measure<float>(job, extent, device, all);
      else
        measure<std::uint8_t>(job, extent, device, all);
  if (!arguments.empty()) std::ofstream{arguments.front()} << text_of(all) << '\n';
  return 0;
}

}  // namespace
}  // namespace synthoscope::bench

int main(int argc, char** argv) {
  try {
    return synthoscope::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& failure) {
    fmt::print("{}\n", failure.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
// How long do operations on neighbourhoods of images take that a device holds already?
//
//   gpu_kernel_peers_bench JOBS.json RESULT.json
//
// A list of what kernel_jobs.hpp says, each with a "name", and a "strategy" where there are
// several. Images are noise that bench/kernels/gpu_kernel_peers.py makes, too; of each first result
// some voxels are given, so that it can tell errors. It runs this beside others.
#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <optional>
#include "bench/kernels/device_jobs.hpp"
#include "core/base/error.hpp"
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "kernels/device/code/programs.hpp"

namespace synthoscope::kernels {
namespace {

constexpr int kRuns = 9;
constexpr std::int64_t kSamples = 4096;

/// The image: the upper bits of a hash of the place, and of float32 24 of them, from 0 to 1.
constexpr const char* kNoise = R"(
__device__ unsigned noise(unsigned long long i) {
  i = (i + 1) * 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  i = (i ^ (i >> 27)) * 0x94D049BB133111EBull;
  return (unsigned)(i >> 40);
}
template <class T> __device__ T shade(unsigned bits) { return (T)(bits >> (24 - 8 * sizeof(T))); }
template <> __device__ float shade<float>(unsigned bits) { return bits * 0x1p-24f; }
template <class T> __global__ void fill(T* values, long long count) {
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < count; i += gridDim.x * 256ll)
    values[i] = shade<T>(noise(i));
}
template <class T> __global__ void sample(const T* values, long long count, double* samples) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  samples[i] = values[i * 2654435761 % count];
}
)";

class Noise {
 public:
  explicit Noise(const cuda::DeviceInfo& device)
      : request_{{"noise.cu", kNoise},
                 {},
                 {"fill<unsigned char>", "fill<unsigned short>", "fill<float>",
                  "sample<unsigned char>", "sample<unsigned short>", "sample<float>"},
                 {},
                 device.capability},
        module_{device.id, request_, cuda::compile(request_)} {}

  void fill(const cuda::Stream& stream, PixelType type, std::byte* to, std::int64_t count) const {
    kernel("fill", type).launch(stream, {{4096}, {256}, 0}, to, static_cast<long long>(count));
  }

  /// Values of kSamples voxels, which gpu_kernel_peers.py finds again.
  Json sample(const cuda::Stream& stream, PixelType type, const std::byte* from, std::int64_t count,
              MemoryBudget& memory) const {
    const cuda::DeviceBuffer<double> there{stream.device(), memory, kSamples, "samples"};
    kernel("sample", type)
        .launch(stream, {{kSamples / 256}, {256}, 0}, from, static_cast<long long>(count),
                there.data());
    std::vector<double> values(kSamples);
    cuda::enqueue_copy(stream, values.data(), there.data(), there.bytes());
    stream.finish();
    return values;
  }

 private:
  [[nodiscard]] cuda::GpuKernel kernel(const char* what, PixelType type) const {
    return module_.kernel(fmt::format("{}<{}>", what, device::cuda_name(type)));
  }

  cuda::CompileRequest request_;
  cuda::Module module_;
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
    if (i >= 2) seconds.push_back(one);
    if (one > 0.1 && !seconds.empty()) break;
  }
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

/// Bytes read and written in a second by a copy within the device's memory.
double copy_rate(const cuda::DeviceInfo& device, MemoryBudget& memory, const cuda::Stream& stream) {
  const cuda::DeviceBuffer<std::byte> both{device.id, memory, std::int64_t{4} << 30, "a copy"};
  const std::int64_t half = both.bytes() / 2;
  cuda::enqueue_zeros(stream, both.data(), both.bytes());
  return 2.0 * static_cast<double>(half) /
         timed(stream, [&] { cuda::enqueue_copy(stream, both.data() + half, both.data(), half); });
}

/// An operation with its compiled code.
struct Ready {
  Job job;
  DeviceJob work;
  std::string why_not;
};

/// "seconds" and "samples".
void measure(Ready& ready, const cuda::DeviceContext& gpu, const cuda::Stream& stream,
             const Noise& noise, Json& row) {
  const cuda::DeviceId device = gpu.device.id;
  MemoryBudget& memory = gpu.memory;
  const Job& job = ready.job;
  const DeviceJob& work = ready.work;
  const cuda::DeviceBuffer<std::byte> image{device, memory, volume(job.extent) * size_of(job.type),
                                            "an image"};
  noise.fill(stream, job.type, image.data(), volume(job.extent));
  std::vector<cuda::DeviceBuffer<std::byte>> results;
  std::vector<std::byte*> out;
  for (const PixelType type : work.types) {
    results.emplace_back(device, memory, volume(work.extent) * size_of(type), "a result");
    out.push_back(results.back().data());
  }
  const Box3 box = whole(work.extent);
  std::vector<std::byte> travelling(
      static_cast<std::size_t>(work.there->travelling_bytes(box.size)));
  work.there->write_travelling(box, travelling.data(), gpu.pool);
  const cuda::DeviceBuffer<std::byte> travelled{
      device, memory, static_cast<std::int64_t>(travelling.size()), "what travels beside it"};
  cuda::enqueue_copy(stream, travelled.data(), travelling.data(), travelled.bytes());
  const DeviceWindow window{job.extent, whole(job.extent), job.type, image.data(),
                            travelled.data()};
  row["seconds"] = timed(stream, [&] { work.there->enqueue_apply(stream, window, box, out); });
  row["samples"] =
      noise.sample(stream, work.types.front(), out.front(), volume(work.extent), memory);
  work.there->finish(stream);
}

int run(const char* jobs_path, const char* result_path) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  const cuda::DeviceInfo& device = list.devices.front();
  const cuda::Stream stream{device.id};
  MemoryBudget memory{cuda::memory_of(device.id).free_bytes};
  TaskPool pool{available_threads()};
  const double copy = copy_rate(device, memory, stream);
  const Noise noise{device};

  const Json jobs = json_in(jobs_path);
  std::vector<Ready> all(jobs.size());
  pool.for_each(static_cast<std::int64_t>(jobs.size()), [&](std::int64_t i) {
    Ready& ready = all[static_cast<std::size_t>(i)];
    ready.job = job_of(jobs.at(static_cast<std::size_t>(i)));
    try {
      ready.work = device_job(ready.job);
      if (DeviceOperation* const there = ready.work.there)
        there->prepare({device, memory, pool}, ready.job.type, ready.work.extent, stream);
      else
        ready.why_not = "no device code";
    } catch (const std::exception& error) {
      ready.why_not = error.what();
    }
  });
  stream.finish();

  Json rows = Json::array();
  for (Ready& ready : all) {
    Json row{{"name", ready.job.words.at("name")}};
    try {
      if (ready.why_not.empty()) measure(ready, {device, memory, pool}, stream, noise, row);
    } catch (const OutOfDeviceMemory& error) {
      ready.why_not = error.what();
    }
    row["why_not"] = ready.why_not;
    fmt::print("{} {}\n", row.at("name").get<std::string>(),
               ready.why_not.empty() ? fmt::format("{:.4f} ms", 1e3 * row["seconds"].get<double>())
                                     : ready.why_not);
    rows.push_back(std::move(row));
  }
  std::ofstream{result_path} << text_of(
      Json{{"device", device.name}, {"copy_bytes_per_second", copy}, {"rows", rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::kernels

int main(int count, char** arguments) try {
  if (count != 3) {
    fmt::print(stderr, "usage: gpu_kernel_peers_bench JOBS.json RESULT.json\n");
    return 2;
  }
  return synthoscope::kernels::run(arguments[1], arguments[2]);
} catch (const std::exception& error) {
  fmt::print(stderr, "gpu_kernel_peers_bench: {}\n", error.what());
  return 1;
}

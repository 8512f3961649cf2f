// SPDX-License-Identifier: MIT
// How does a convolution of volumes that the host holds scale with devices? The same ring on 1, 2,
// ... devices, results compared to the bit, beside the speed of all their links at once. Prints a
// table last; JSON to the file that is named first.
//
//     gpu_many_bench [OUT.json [1536 2048 ...]]
#include <fmt/format.h>
#include <barrier>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>
#include "bench/link_case.hpp"
#include "core/content_hash.hpp"
#include "core/cuda/stream.hpp"
#include "core/json.hpp"
#include "core/stopwatch.hpp"
#include "core/store_as.hpp"
#include "multigpu/make_executor.hpp"

namespace synthoscope::multigpu {
namespace {

using bench::kKernel, bench::kPlanes, bench::Room, bench::voxel_of;

constexpr int kRepeats = 3;

struct Bench {
  std::vector<cuda::DeviceInfo> devices;
  MemoryBudget host{available_memory_bytes()};
  TaskPool pool{available_threads()};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  RunContext context{pool, host, progress, log, stop};
  Volume<float> kernel = bench::make_kernel();
  std::vector<double> links;  ///< of the first n devices at once, bytes per second both ways
  Json rows = Json::array();
  std::string table;
};

/// Both ways over the links of `count` devices at once, from and to pinned memory of the host.
double link_rate(Bench& bench, std::size_t count) {
  constexpr std::int64_t kBytes = std::int64_t{512} << 20;
  constexpr int kCopies = 8;
  std::barrier together{static_cast<std::ptrdiff_t>(count) + 1};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      const cuda::DeviceId id = bench.devices[i].id;
      MemoryBudget there{2 * kBytes};
      const cuda::PinnedBuffer<std::byte> from{id, bench.host, kBytes, "from"},
          to{id, bench.host, kBytes, "to"};
      const cuda::DeviceBuffer<std::byte> a{id, there, kBytes, "a"}, b{id, there, kBytes, "b"};
      const cuda::Stream up{id}, down{id};
      for (int round = 0; round < 2; ++round) {  // the first one warms up
        together.arrive_and_wait();
        for (int copy = 0; copy < kCopies; ++copy) {
          cuda::enqueue_copy(up, a.data(), from.data(), kBytes);
          cuda::enqueue_copy(down, to.data(), b.data(), kBytes);
        }
        up.finish();
        down.finish();
        together.arrive_and_wait();
      }
    });
  double seconds = 0;
  for (int round = 0; round < 2; ++round) {
    together.arrive_and_wait();
    Stages stages;
    const Stopwatch watch{stages};
    together.arrive_and_wait();
    seconds = watch.total();
  }
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(count) * 2 * kCopies * static_cast<double>(kBytes) / seconds;
}

/// Of the result, plane by plane, so that all threads take part.
std::uint64_t hash_of(Bench& bench, const std::byte* voxels, std::int64_t planes,
                      std::int64_t plane_bytes) {
  std::vector<std::uint64_t> hashes(static_cast<std::size_t>(planes));
  bench.pool.for_each(planes, [&](std::int64_t z) {
    ContentHash hash;
    hash.update({voxels + z * plane_bytes, static_cast<std::size_t>(plane_bytes)});
    hashes[static_cast<std::size_t>(z)] = hash.value();
  });
  ContentHash all;
  all.update(std::as_bytes(std::span{hashes}));
  return all.value();
}

/// Seconds without what is done once: code, kernel, memory.
template <class T>
double run_once(Bench& bench, fftconv::Executor& executor, const fftconv::Plan& plan,
                const Room& in, const Room& out) {
  const Extent3 e = plan.problem.image;
  MemorySource image{ConstVoxelView{HostView3<const T>{reinterpret_cast<const T*>(in.data()), e}},
                     in.memory};
  MemorySource kernel{ConstVoxelView{std::as_const(bench.kernel).view()}};
  MemorySink sink{VoxelView{HostView3<T>{reinterpret_cast<T*>(out.data()), e}}, out.memory};
  StoreAs store{pixel_type_of<T>()};
  const std::vector<fftconv::Term> terms{{&image, {&kernel, 0, 1}, {}}};
  const fftconv::RunReport report = executor.run(plan, terms, store, sink, bench.context);
  return report.seconds - report.stages.front().second;
}

template <class T>
void measure(Bench& bench, std::int64_t n, const Room& in, const Room& out) {
  auto* const voxels = reinterpret_cast<T*>(in.data());
  bench.pool.for_ranges(n * n * n, 1 << 20, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) voxels[i] = voxel_of<T>(i);
  });
  const std::int64_t bytes = n * n * n * std::int64_t{sizeof(T)};
  const std::int64_t device_bytes = cuda::memory_of(bench.devices.front().id).free_bytes / 10 * 9;
  const auto plan =
      bench::link_plan(bench.devices.front(), device_bytes, bench.host.limit(), n, sizeof(T));
  double alone = 0;
  std::uint64_t expected = 0;
  for (std::size_t count = 1; count <= bench.devices.size(); ++count) {
    const auto executor = make_executor(
        {bench.host.limit()},
        {bench.devices.begin(), bench.devices.begin() + static_cast<std::ptrdiff_t>(count)});
    bench.pool.for_ranges(bytes, 1 << 24, [&](std::int64_t begin, std::int64_t end) {
      std::memset(out.data() + begin, 0, static_cast<std::size_t>(end - begin));
    });
    double best = 0;
    for (int i = 0; i <= kRepeats; ++i) {  // the first one compiles
      const double now = run_once<T>(bench, *executor, plan, in, out);
      if (i == 1 || (i > 1 && now < best)) best = now;
    }
    const std::uint64_t hash = hash_of(bench, out.data(), n, bytes / n);
    if (count == 1) {
      alone = best;
      expected = hash;
    }
    const auto error =
        bench::error_of(bench.pool, bench.kernel, n, reinterpret_cast<const T*>(out.data()));
    const double rate = 2 * static_cast<double>(bytes) / best;
    const std::string name = fmt::format("{}^3 {} {}", n, name_of(pixel_type_of<T>()),
                                         in.memory == HostMemory::pinned ? "pinned" : "ordinary");
    const std::string row =
        fmt::format("{:24} {:>7} {:8.3f} {:8.1f} {:6.0f}% {:8.2f} {:>6} {:9.1e}\n", name, count,
                    best, rate * 1e-9, 100 * rate / bench.links[count - 1], alone / best,
                    hash == expected ? "same" : "OTHER", error.relative_l2);
    bench.table += row;
    std::fputs(row.c_str(), stderr);
    bench.rows.push_back({{"volume", name},
                          {"devices", count},
                          {"seconds", best},
                          {"bytes_per_second", rate},
                          {"link_bytes_per_second", bench.links[count - 1]},
                          {"speedup", alone / best},
                          {"same_bits", hash == expected},
                          {"relative_l2", error.relative_l2}});
  }
}

int run(const std::vector<std::string>& arguments) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  Bench bench;
  bench.devices = list.devices;
  for (std::size_t count = 1; count <= bench.devices.size(); ++count)
    bench.links.push_back(link_rate(bench, count));
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 1; i < arguments.size(); ++i) sizes.push_back(std::stoll(arguments[i]));
  if (sizes.empty()) sizes = {1536};
  for (const std::int64_t n : sizes)
    for (const HostMemory memory : {HostMemory::pinned, HostMemory::ordinary}) {
      const std::int64_t bytes = n * n * n * std::int64_t{sizeof(float)};
      const Room in{bench.devices.front().id, bench.host, bytes, memory},
          out{bench.devices.front().id, bench.host, bytes, memory};
      measure<float>(bench, n, in, out);
      measure<std::uint16_t>(bench, n, in, out);
    }
  std::string links;
  for (const double link : bench.links) links += fmt::format(" {:.1f}", link * 1e-9);
  fmt::print(
      "{} of {}, {} threads; GB/s of 1, 2, ... links both ways at once:{}\n"
      "host to host with {}^3, a ring of {} planes, the best of {}\n"
      "{:24} {:>7} {:>8} {:>8} {:>7} {:>8} {:>6} {:>9}\n{}",
      bench.devices.size(), bench.devices.front().name, bench.pool.threads(), links, kKernel,
      kPlanes, kRepeats, "volume", "devices", "run s", "GB/s", "links", "speed-up", "bits",
      "rel. L2", bench.table);
  if (!arguments.empty())
    std::ofstream{arguments[0]} << text_of(Json{{"device", bench.devices.front().name},
                                                {"links_bytes_per_second", bench.links},
                                                {"rows", bench.rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::multigpu

int main(int count, char** arguments) {
  return synthoscope::multigpu::run({arguments + 1, arguments + count});
}

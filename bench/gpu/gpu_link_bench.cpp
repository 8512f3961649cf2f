// SPDX-License-Identifier: MIT
// How close to the speed of the link does a device convolve volumes that the host holds, from
// pinned and from ordinary memory? Prints a table last; JSON to the file that is named first, and
// the times of every batch of one run to the one that is named second.
//
//     gpu_link_bench [OUT.json [TIMELINE.csv [1024 1536 2048 ...]]]
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include "bench/bench_host.hpp"
#include "bench/gpu/link_case.hpp"
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/device/link/timeline.hpp"
#include "fftconv/device/run.hpp"

namespace synthoscope::fftconv::device {
namespace {

using bench::Error, bench::kKernel, bench::kPlanes, bench::LinkMemory, bench::voxel_of;

constexpr int kRepeats = 3;

struct Bench : bench::BenchHost {
  explicit Bench(cuda::DeviceInfo info)
      : device{std::move(info)}, gpu_memory{cuda::memory_of(device.id).free_bytes} {}
  cuda::DeviceInfo device;
  MemoryBudget gpu_memory;
  cuda::DeviceRates rates = cuda::measure_device(device.id, host, stop);
  double staging = 0;
  Volume<float> kernel = bench::make_kernel();
};

/// Bytes read and written in a second by all threads that copy in pieces as a run does.
double staging_rate(Bench& bench) {
  constexpr std::int64_t kBytes = std::int64_t{2} << 30, kPiece = std::int64_t{3} << 19;
  const HostBuffer<std::byte> from{bench.host, kBytes, "from"}, to{bench.host, kBytes, "to"};
  double best = 0;
  for (int i = 0; i < 6; ++i) {  // the first touches the memory
    Stages stages;
    const Stopwatch watch{stages};
    bench.pool.for_ranges(kBytes, kPiece, [&](std::int64_t begin, std::int64_t end) {
      if (i == 0) std::memset(from.data() + begin, 1, static_cast<std::size_t>(end - begin));
      std::memcpy(to.data() + begin, from.data() + begin, static_cast<std::size_t>(end - begin));
    });
    if (i > 0) best = std::max(best, 2 * static_cast<double>(kBytes) / watch.total());
  }
  return best;
}

struct Seconds {
  double prepare = 0, run = 0;
};

template <class T>
Seconds run_once(Bench& bench, const Plan& plan, const LinkMemory& in, const LinkMemory& out,
                 Timeline* timeline) {
  const Extent3 e = plan.problem.image;
  MemorySource image{ConstVoxelView{HostView3<const T>{reinterpret_cast<const T*>(in.data()), e}},
                     in.memory};
  MemorySource kernel{ConstVoxelView{std::as_const(bench.kernel).view()}};
  MemorySink sink{VoxelView{HostView3<T>{reinterpret_cast<T*>(out.data()), e}}, out.memory};
  StoreAs store{pixel_type_of<T>()};
  const std::vector<Term> terms{{&image, {&kernel, 0, 1}, {}}};
  const RunReport report = run_on_device(bench.device, bench.gpu_memory, plan, terms, store, sink,
                                         bench.context, timeline);
  return {report.stages.front().second, report.seconds - report.stages.front().second};
}

template <class T>
void measure(Bench& bench, std::int64_t n, const LinkMemory& in, const LinkMemory& out,
             const char* timeline_path) {
  auto* const voxels = reinterpret_cast<T*>(in.data());
  bench.pool.for_ranges(n * n * n, 1 << 20, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) voxels[i] = voxel_of<T>(i);
    std::memset(out.data() + begin * std::int64_t{sizeof(T)}, 0,
                static_cast<std::size_t>(end - begin) * sizeof(T));
  });
  const bool pinned = in.memory == HostMemory::pinned;
  const double limit =
      pinned ? bench.rates.pinned_both : std::min(bench.rates.pinned_both, bench.staging / 2);
  const Plan plan = bench::link_plan(bench.device, bench.gpu_memory.limit(), bench.host.limit(),
                                     {n, n, n}, sizeof(T));
  Seconds best;
  for (int i = 0; i <= kRepeats; ++i) {  // the first one compiles
    const Seconds now = run_once<T>(bench, plan, in, out, nullptr);
    if (i == 1 || (i > 1 && now.run < best.run)) best = now;
  }
  const Error error =
      bench::error_of(bench.pool, bench.kernel, {n, n, n}, reinterpret_cast<const T*>(out.data()));
  const double rate = 2 * static_cast<double>(n * n * n) * sizeof(T) / best.run;
  const std::string name =
      fmt::format("{}^3 {} {}", n, name_of(pixel_type_of<T>()), pinned ? "pinned" : "ordinary");
  bench.table +=
      fmt::format("{:24} {:8.3f} {:8.3f} {:8.1f} {:6.0f}% {:9.1e} {:9.1e}\n", name, best.prepare,
                  best.run, rate * 1e-9, 100 * rate / limit, error.relative_l2, error.largest);
  bench.rows.push_back({{"volume", name},
                        {"prepare_seconds", best.prepare},
                        {"seconds", best.run},
                        {"bytes_per_second", rate},
                        {"limit_bytes_per_second", limit},
                        {"relative_l2", error.relative_l2},
                        {"largest_difference", error.largest}});
  std::fputs(bench.table.substr(bench.table.rfind('\n', bench.table.size() - 2) + 1).c_str(),
             stderr);
  if (!timeline_path) return;
  Timeline timeline{bench.device.id};
  run_once<T>(bench, plan, in, out, &timeline);
  std::ofstream file{timeline_path, std::ios::app};
  for (const Timeline::Span& s : timeline.spans())
    file << fmt::format("{},{},{},{:.6f},{:.6f}\n", pinned ? "pinned" : "ordinary", s.what, s.slot,
                        s.from, s.to);
}

int run(const std::vector<std::string>& arguments) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  Bench bench{list.devices.front()};
  bench.staging = staging_rate(bench);
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 2; i < arguments.size(); ++i) sizes.push_back(std::stoll(arguments[i]));
  if (sizes.empty()) sizes = {1024, 1536};
  const char* timeline = arguments.size() > 1 ? arguments[1].c_str() : nullptr;
  if (timeline) std::ofstream{timeline} << "memory,what,slot,from,to\n";
  for (const std::int64_t n : sizes)
    for (const HostMemory memory : {HostMemory::ordinary, HostMemory::pinned}) {
      const std::int64_t bytes = n * n * n * std::int64_t{sizeof(float)};
      const LinkMemory in{bench.device.id, bench.host, bytes, memory},
          out{bench.device.id, bench.host, bytes, memory};
      measure<float>(bench, n, in, out, n == sizes.front() ? timeline : nullptr);
      measure<std::uint16_t>(bench, n, in, out, nullptr);
    }
  fmt::print(
      "{}, {} threads; GB/s: link up {:.1f}, down {:.1f}, both {:.1f}; staging {:.1f} read and "
      "written\n"
      "host to host with {}^3, a ring of {} planes, the best of {}\n"
      "{:24} {:>8} {:>8} {:>8} {:>7} {:>9} {:>9}\n{}",
      bench.device.name, bench.pool.threads(), bench.rates.pinned_up * 1e-9,
      bench.rates.pinned_down * 1e-9, bench.rates.pinned_both * 1e-9, bench.staging * 1e-9, kKernel,
      kPlanes, kRepeats, "volume", "prepare", "run s", "GB/s", "limit", "rel. L2", "largest",
      bench.table);
  if (!arguments.empty())
    std::ofstream{arguments[0]} << text_of(
        Json{{"device", bench.device.name},
             {"pinned_both_bytes_per_second", bench.rates.pinned_both},
             {"staging_bytes_per_second", bench.staging},
             {"rows", bench.rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::fftconv::device

int main(int count, char** arguments) {
  return synthoscope::fftconv::device::run({arguments + 1, arguments + count});
}

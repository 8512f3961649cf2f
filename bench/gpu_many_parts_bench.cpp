// SPDX-License-Identifier: MIT
// How does a convolution in frequency parts, with a kernel as large as the image, scale with
// devices? The same plans on 1, 2, ... devices, results compared to the bit: resident, from image
// and kernel on the devices to the result there, and from pinned memory of the host to it. Prints a
// table last; JSON to the file that is named first.
//
//     gpu_many_parts_bench [OUT.json [512 1024 ...]]
#include <fmt/format.h>
#include <cstdio>
#include <fstream>
#include "bench/parts_case.hpp"
#include "core/content_hash.hpp"
#include "core/cuda/buffer.hpp"
#include "core/json.hpp"
#include "core/memory_stream.hpp"
#include "core/store_as.hpp"
#include "multigpu/make_executor.hpp"

namespace synthoscope::multigpu {
namespace {

using namespace bench::parts;

constexpr int kRepeats = 3;
constexpr std::int64_t kParts[] = {1, 2, 4, 8, 16}, kBatchBytes = std::int64_t{64} << 20;

/// Of one image: pinned, as the result is.
struct Volumes {
  Volumes(const cuda::DeviceInfo& device, MemoryBudget& memory, std::int64_t side)
      : extent{side, side, side},
        image{device.id, memory, volume(extent), "image"},
        kernel{device.id, memory, volume(extent), "kernel"},
        result{device.id, memory, volume(extent), "result"} {}
  [[nodiscard]] HostView3<float> view(const cuda::PinnedBuffer<float>& voxels) const {
    return {voxels.data(), extent};
  }
  Extent3 extent;
  cuda::PinnedBuffer<float> image, kernel, result;
};

struct Measured {
  double resident = 0, host_to_host = 0;
  fftconv::RunReport report;  ///< of the run that was fastest resident
};

struct Bench {
  std::vector<cuda::DeviceInfo> devices;
  MemoryBudget host{available_memory_bytes()};
  TaskPool pool{available_threads()};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  RunContext context{pool, host, progress, log, stop};
  Json rows = Json::array();
  std::string table;
};

double seconds_of(const fftconv::RunReport& report, std::string_view stage) {
  double seconds = 0;
  for (const auto& [name, lasted] : report.stages)
    if (name == stage) seconds += lasted;
  return seconds;
}

/// The best of some runs, after one that compiles.
Measured measure(Bench& bench, fftconv::Executor& executor, const Plan& plan,
                 const Volumes& volumes) {
  MemorySource image{ConstVoxelView{HostView3<const float>{volumes.view(volumes.image)}},
                     HostMemory::pinned},
      kernel{ConstVoxelView{HostView3<const float>{volumes.view(volumes.kernel)}},
             HostMemory::pinned};
  Measured best;
  for (int i = 0; i <= kRepeats; ++i) {
    MemorySink sink{VoxelView{volumes.view(volumes.result)}, HostMemory::pinned};
    StoreAs store{PixelType::float32};
    const std::vector<fftconv::Term> terms{{&image, {&kernel, 0, 1}, {}}};
    const auto report = executor.run(plan, terms, store, sink, bench.context);
    if (i == 0) continue;
    const double resident = seconds_of(report, "parts") + seconds_of(report, "unfold"),
                 whole = resident + seconds_of(report, "load") + seconds_of(report, "store");
    if (i == 1 || whole < best.host_to_host) best.host_to_host = whole;
    if (i == 1 || resident < best.resident) {
      best.resident = resident;
      best.report = report;
    }
  }
  return best;
}

/// Of the result, plane by plane, so that all threads take part.
std::uint64_t hash_of(Bench& bench, const Volumes& volumes) {
  const std::int64_t planes = volumes.extent.z, voxels = volumes.extent.y * volumes.extent.x;
  std::vector<std::uint64_t> hashes(static_cast<std::size_t>(planes));
  bench.pool.for_each(planes, [&](std::int64_t z) {
    ContentHash hash;
    hash.update(std::as_bytes(
        std::span{volumes.result.data() + z * voxels, static_cast<std::size_t>(voxels)}));
    hashes[static_cast<std::size_t>(z)] = hash.value();
  });
  ContentHash all;
  all.update(std::as_bytes(std::span{hashes}));
  return all.value();
}

void measure(Bench& bench, std::int64_t side) {
  const Volumes volumes{bench.devices.front(), bench.host, side};
  const auto zeros = [&](const cuda::PinnedBuffer<float>& voxels) {
    bench.pool.for_ranges(voxels.count(), 1 << 20, [&](std::int64_t begin, std::int64_t end) {
      std::fill(voxels.data() + begin, voxels.data() + end, 0.0F);
    });
  };
  fill(volumes.view(volumes.image), bench.pool);
  zeros(volumes.kernel);
  const auto taps = taps_of(side);
  for (const Tap& tap : taps)
    volumes.view(volumes.kernel)(tap.at.z, tap.at.y, tap.at.x) = static_cast<float>(tap.value);
  const Problem problem = problem_of(side);
  for (const std::int64_t parts : kParts) {
    const Plan plan = plan_of(problem, parts, true, kBatchBytes, bench.devices.front());
    Measured alone;
    std::uint64_t expected = 0;
    for (std::size_t count = 1; count <= bench.devices.size(); count *= 2) {
      if (count > static_cast<std::size_t>(parts)) break;
      const auto executor = make_executor(
          {bench.host.limit()},
          {bench.devices.begin(), bench.devices.begin() + static_cast<std::ptrdiff_t>(count)});
      zeros(volumes.result);
      const Measured now = measure(bench, *executor, plan, volumes);
      const std::uint64_t hash = hash_of(bench, volumes);
      if (count == 1) {
        alone = now;
        expected = hash;
      }
      const double error =
          error_of(volumes.view(volumes.image), taps, problem.center, volumes.view(volumes.result));
      const std::string row = fmt::format(
          "{:>6} {:>3} {:>7} {:9.4f} {:8.2f} {:9.3f} {:8.2f} {:>6} {:9.1e} {:>10}\n", side, parts,
          count, now.resident, alone.resident / now.resident, now.host_to_host,
          alone.host_to_host / now.host_to_host, hash == expected ? "same" : "OTHER", error,
          print_bytes(now.report.peak_device_bytes));
      bench.table += row;
      std::fputs(row.c_str(), stderr);
      Json stages;
      for (const auto& [name, seconds] : now.report.stages) stages[name] = seconds;
      bench.rows.push_back({{"side", side},
                            {"parts", parts},
                            {"devices", count},
                            {"resident_seconds", now.resident},
                            {"host_to_host_seconds", now.host_to_host},
                            {"stages", stages},
                            {"same_bits", hash == expected},
                            {"error", error},
                            {"device_bytes", now.report.peak_device_bytes}});
    }
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
  std::vector<std::int64_t> sides;
  for (std::size_t i = 1; i < arguments.size(); ++i) sides.push_back(std::stoll(arguments[i]));
  if (sides.empty()) sides = {512};
  for (const std::int64_t side : sides) measure(bench, side);
  fmt::print(
      "{} of {}, {} threads; float32, kernel as large as the image, same, the best of {}\n"
      "{:>6} {:>3} {:>7} {:>9} {:>8} {:>9} {:>8} {:>6} {:>9} {:>10}\n{}",
      bench.devices.size(), bench.devices.front().name, bench.pool.threads(), kRepeats, "side", "R",
      "devices", "resident", "speed-up", "host s", "speed-up", "bits", "error", "a device",
      bench.table);
  if (!arguments.empty())
    std::ofstream{arguments[0]} << text_of(Json{{"device", bench.devices.front().name},
                                                {"threads", bench.pool.threads()},
                                                {"rows", bench.rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::multigpu

int main(int count, char** arguments) {
  return synthoscope::multigpu::run({arguments + 1, arguments + count});
}

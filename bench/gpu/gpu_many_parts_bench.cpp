// SPDX-License-Identifier: MIT
// How does a convolution in frequency parts, with a kernel as large as the image, scale with
// devices? The same plans on 1, 2, ... devices, results compared to the bit: what the devices
// compute of volumes that all of them hold, the whole way from volumes that lie spread over them to
// a result that does, and from pinned memory of the host to it. Prints a table last; JSON to the
// file that is named first.
//
//     gpu_many_parts_bench [OUT.json [512 1024 ...]]
#include <fmt/format.h>
#include <cstdio>
#include <fstream>
#include "bench/bench_host.hpp"
#include "bench/gpu/parts_case.hpp"
#include "core/base/json.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "core/math/content_hash.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/resident_stream.hpp"
#include "core/stream/store_as.hpp"
#include "multigpu/make_executor.hpp"

namespace synthoscope::multigpu {
namespace {

using namespace bench::parts;

constexpr int kRepeats = 2;
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
  double computing = 0, whole = 0;  ///< best seconds, without what is set up
  fftconv::RunReport report;        ///< of the run that computed fastest
};

/// Image, kernel and result on devices, each of which has an equal share of each.
struct Spread {
  Spread(const std::vector<cuda::DeviceInfo>& devices, const Volumes& from)
      : budgets(devices.size()),
        image{devices, pointers(), from.image.bytes(), "image"},
        kernel{devices, pointers(), from.kernel.bytes(), "kernel"},
        result{devices, pointers(), from.result.bytes(), "result"} {
    for (const auto& [to, voxels] : {std::pair{&image, &from.image}, {&kernel, &from.kernel}})
      cuda::ResidentSink{*to, from.extent, PixelType::float32}.write(
          whole(from.extent), ConstVoxelView{HostView3<const float>{from.view(*voxels)}});
  }
  struct Budget {
    MemoryBudget memory{std::int64_t{1} << 50};
  };
  std::vector<MemoryBudget*> pointers() {
    std::vector<MemoryBudget*> all;
    for (Budget& budget : budgets) all.push_back(&budget.memory);
    return all;
  }
  std::vector<Budget> budgets;
  cuda::SpreadMemory image, kernel, result;
};

struct Bench : bench::BenchHost {
  std::vector<cuda::DeviceInfo> devices;
};

double seconds_of(const fftconv::RunReport& report, std::string_view stage) {
  double seconds = 0;
  for (const auto& [name, lasted] : report.stages)
    if (name == stage) seconds += lasted;
  return seconds;
}

/// The best of some runs, after one that compiles.
Measured best_of(Bench& bench, fftconv::Executor& executor, const Plan& plan, Source& image,
                 Source& kernel, Sink& sink) {
  Measured best;
  for (int i = 0; i <= kRepeats; ++i) {
    StoreAs store{PixelType::float32};
    const std::vector<fftconv::Term> terms{{&image, {&kernel, 0, 1}, {}}};
    const auto report = executor.run(plan, terms, store, sink, bench.context);
    if (i == 0) continue;
    const double computing = seconds_of(report, "parts") + seconds_of(report, "unfold"),
                 whole = computing + seconds_of(report, "load") + seconds_of(report, "store");
    if (i == 1 || whole < best.whole) best.whole = whole;
    if (i == 1 || computing < best.computing) {
      best.computing = computing;
      best.report = report;
    }
  }
  return best;
}

Measured from_host(Bench& bench, fftconv::Executor& executor, const Plan& plan,
                   const Volumes& volumes) {
  const auto source = [&](const cuda::PinnedBuffer<float>& voxels) {
    return MemorySource{ConstVoxelView{HostView3<const float>{volumes.view(voxels)}},
                        HostMemory::pinned};
  };
  MemorySource image = source(volumes.image), kernel = source(volumes.kernel);
  MemorySink sink{VoxelView{volumes.view(volumes.result)}, HostMemory::pinned};
  return best_of(bench, executor, plan, image, kernel, sink);
}

/// Brings the result to the host, too.
Measured from_devices(Bench& bench, fftconv::Executor& executor, const Plan& plan,
                      const std::vector<cuda::DeviceInfo>& devices, const Volumes& volumes) {
  const Spread spread{devices, volumes};
  const auto source = [&](const cuda::SpreadMemory& voxels) {
    return cuda::ResidentSource{voxels, volumes.extent, PixelType::float32};
  };
  auto image = source(spread.image), kernel = source(spread.kernel);
  cuda::ResidentSink sink{spread.result, volumes.extent, PixelType::float32};
  const Measured best = best_of(bench, executor, plan, image, kernel, sink);
  source(spread.result).read(whole(volumes.extent), VoxelView{volumes.view(volumes.result)});
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
    Measured host_alone, devices_alone;
    std::uint64_t expected = 0;
    for (std::size_t count = 1; count <= bench.devices.size(); count *= 2) {
      if (count > static_cast<std::size_t>(parts)) break;
      const std::vector<cuda::DeviceInfo> devices(
          bench.devices.begin(), bench.devices.begin() + static_cast<std::ptrdiff_t>(count));
      const auto executor = make_executor({bench.host.limit()}, devices);
      const auto hashed = [&](auto&& run) {
        zeros(volumes.result);
        const Measured measured = run();
        return std::pair{measured, hash_of(bench, volumes)};
      };
      const auto [host, host_hash] =
          hashed([&] { return from_host(bench, *executor, plan, volumes); });
      const auto [there, hash] =
          hashed([&] { return from_devices(bench, *executor, plan, devices, volumes); });
      if (count == 1) {
        host_alone = host;
        devices_alone = there;
        expected = hash;
      }
      const bool same = hash == expected && host_hash == expected;
      const double error =
          error_of(volumes.view(volumes.image), taps, problem.center, volumes.view(volumes.result));
      const std::string row = fmt::format(
          "{:>5} {:>3} {:>4} {:9.4f} {:6.2f} {:9.4f} {:6.2f} {:9.4f} {:6.2f} {:>6} {:8.1e} {:>9}\n",
          side, parts, count, there.computing, devices_alone.computing / there.computing,
          there.whole, devices_alone.whole / there.whole, host.whole, host_alone.whole / host.whole,
          same ? "same" : "OTHER", error, print_bytes(there.report.peak_device_bytes));
      bench.table += row;
      std::fputs(row.c_str(), stderr);
      const auto stages_of = [](const Measured& measured) {
        Json stages;
        for (const auto& [name, seconds] : measured.report.stages) stages[name] = seconds;
        return stages;
      };
      bench.rows.push_back({{"side", side},
                            {"parts", parts},
                            {"devices", count},
                            {"computing_seconds", there.computing},
                            {"resident_seconds", there.whole},
                            {"host_to_host_seconds", host.whole},
                            {"resident_stages", stages_of(there)},
                            {"host_to_host_stages", stages_of(host)},
                            {"same_bits", same},
                            {"error", error},
                            {"device_bytes", there.report.peak_device_bytes}});
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
      "{} of {}, {} threads; float32, kernel as large as the image, same, the best of {}; seconds\n"
      "{:>5} {:>3} {:>4} {:>9} {:>6} {:>9} {:>6} {:>9} {:>6} {:>6} {:>8} {:>9}\n{}",
      bench.devices.size(), bench.devices.front().name, bench.pool.threads(), kRepeats, "side", "R",
      "GPUs", "computing", "times", "resident", "times", "host", "times", "bits", "error",
      "of a GPU", bench.table);
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

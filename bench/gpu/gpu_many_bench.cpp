// SPDX-License-Identifier: MIT
// How does a convolution scale with devices? The same ring on 1, 2, ... devices: of volumes that
// the host holds, beside the speed of all their links at once, and of volumes that lie on the
// devices, also of one for each. Results are compared to the bit, seconds with those that the
// planner predicts. Prints a table last; JSON to the file that is named first.
//
//     gpu_many_bench [OUT.json [1536 2048 ...]]
#include <fmt/format.h>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>
#include "bench/bench_host.hpp"
#include "bench/gpu/link_case.hpp"
#include "bench/gpu/many_case.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/cuda/runtime/stream.hpp"
#include "core/math/content_hash.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/plan/cuts/machine_record.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "fftconv/plan/gpu/cost.hpp"
#include "fftconv/plan/gpu/scaling.hpp"
#include "multigpu/make_executor.hpp"
#include "multigpu/shared_steps.hpp"

namespace synthoscope::multigpu {
namespace {

using bench::kKernel, bench::kPlanes, bench::LinkMemory, bench::ScalingCase, bench::voxel_of,
    bench::Volumes;

constexpr int kRepeats = 3;

struct Bench : bench::BenchHost {
  std::vector<cuda::DeviceInfo> devices;
  Volume<float> kernel = bench::make_kernel();
  std::vector<double> links;  ///< of the first n devices at once, bytes per second both ways
  fftconv::MachineRates rates;
  Json projections = Json::array(), shares = Json::array();
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

/// Seconds without what is done once: code, tables, memory.
/// @param steps  which of them are done; all if it is null
double run_once(Bench& bench, fftconv::Executor& executor, const fftconv::Plan& plan,
                Volumes& volumes, Checkpoint* steps = nullptr) {
  MemorySource kernel{ConstVoxelView{std::as_const(bench.kernel).view()}};
  StoreAs store{volumes.result().pixel_type()};
  const std::vector<fftconv::Term> terms{{&volumes.image(), {&kernel, 0, 1}, {}}};
  const RunContext context{bench.pool, bench.host, bench.progress, bench.log, bench.stop, steps};
  const fftconv::RunReport report = executor.run(plan, terms, store, volumes.result(), context);
  return report.seconds - report.stages.front().second;
}

/// The longest of the shares of `count` devices, one after the other on one device: what so many
/// would need if they read each other's planes as fast as their own.
double longest_share(Bench& bench, fftconv::Executor& executor, const fftconv::Plan& plan,
                     Volumes& volumes, std::size_t count) {
  double longest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double best = 0;
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      SharedSteps shared{IntervalSet{{0, fftconv::step_count(plan)}}, count, nullptr};
      const double now = run_once(bench, executor, plan, volumes, &shared.of_member(i));
      if (repeat == 0 || now < best) best = now;
    }
    longest = std::max(longest, best);
  }
  return longest;
}

/// What more devices than there are could reach, where volumes lie on them.
void measure_shares(Bench& bench, const std::string& name, fftconv::Executor& executor,
                    const fftconv::Plan& plan, Volumes& volumes, double alone) {
  for (const std::size_t count : {2u, 4u, 8u}) {
    if (count <= bench.devices.size()) continue;
    const double seconds = longest_share(bench, executor, plan, volumes, count);
    bench.table +=
        fmt::format("{:28} {:>7} {:8.3f} {:>8} {:>8} {:>7} {:8.2f}\n",
                    fmt::format("{}, 1/{}", name, count), 1, seconds, "", "", "", alone / seconds);
    bench.shares.push_back({{"volume", name},
                            {"shares", count},
                            {"seconds", seconds},
                            {"speedup_without_links", alone / seconds}});
  }
}

using Crews = std::vector<fftconv::device::Crew>;

/// What the planner predicts of the plan, without the start of CUDA. What is resident meets neither
/// links nor the host.
std::vector<fftconv::device::ScaledRun> predicted(const Bench& bench, const ScalingCase& c,
                                                  fftconv::Plan plan, const Crews& crews) {
  constexpr double kNever = 1e18;
  plan.machine.rates = bench.rates;
  if (c.is_resident()) {
    plan.machine.rates.memory_bytes_per_second = kNever;
    auto& rates = plan.machine.gpu->rates;
    rates.pinned_up = rates.pinned_down = rates.pinned_both = kNever;
  }
  auto runs = scaled_runs(plan, crews);
  for (auto& run : runs) run.seconds -= fftconv::device::kGpuStartSeconds;
  return runs;
}

/// Beyond the devices that are there.
void project(Bench& bench, const ScalingCase& c, const std::string& name,
             const fftconv::Plan& plan) {
  Json runs = Json::array();
  for (const auto& run :
       predicted(bench, c, plan, {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {8, 8}, {8, 64}}))
    runs.push_back({{"gpus", run.crew.gpus},
                    {"machines", run.crew.machines},
                    {"seconds", run.seconds},
                    {"bound", run.bound}});
  bench.projections.push_back({{"volume", name}, {"runs", runs}});
}

std::string left_out(const ScalingCase& c, std::size_t count, const Error& failure) {
  return fmt::format("{}^3 {} on {} left out: {}\n", c.edge, c.where, count, failure.what());
}

/// The run on the fewest devices that have enough memory: others are compared with it.
struct FirstRun {
  std::size_t devices = 0;
  double seconds = 0;
  std::uint64_t hash = 0;
};

/// @param in, out  with room for the largest extent
/// @throws PlanError, OutOfDeviceMemory  the devices have too little memory.
template <class T>
void measure_on(Bench& bench, const ScalingCase& c, std::size_t count, FirstRun& first,
                const LinkMemory& in, const LinkMemory& out) {
  const std::int64_t free = cuda::memory_of(bench.devices.front().id).free_bytes / 10 * 9;
  const Extent3 e = c.extent(count);
  const std::int64_t bytes = volume(e) * std::int64_t{sizeof(T)};
  auto* const voxels = reinterpret_cast<T*>(in.data());
  bench.pool.for_ranges(volume(e), 1 << 20, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) voxels[i] = voxel_of<T>(i);
  });
  bench.pool.for_ranges(bytes, 1 << 24, [&](std::int64_t begin, std::int64_t end) {
    std::memset(out.data() + begin, 0, static_cast<std::size_t>(end - begin));
  });
  const auto plan =
      bench::link_plan(bench.devices.front(),
                       c.is_resident() ? free - 2 * bytes / static_cast<std::int64_t>(count) : free,
                       bench.host.limit(), e, sizeof(T));
  const std::vector<cuda::DeviceInfo> devices{
      bench.devices.begin(), bench.devices.begin() + static_cast<std::ptrdiff_t>(count)};
  const auto executor = make_executor({bench.host.limit()}, devices);
  std::optional<Volumes> volumes;
  if (c.is_resident())
    volumes.emplace(e, devices, pixel_type_of<T>());
  else
    volumes.emplace(e, in, out, T{});
  volumes->send(in.data());
  double best = 0;
  for (int i = 0; i <= kRepeats; ++i) {  // the first one compiles
    const double now = run_once(bench, *executor, plan, *volumes);
    if (i == 1 || (i > 1 && now < best)) best = now;
  }
  volumes->fetch(out.data());
  const std::uint64_t hash = hash_of(bench, out.data(), e.z, bytes / e.z);
  if (first.devices == 0) first = {count, best, hash};
  const auto error =
      bench::error_of(bench.pool, bench.kernel, e, reinterpret_cast<const T*>(out.data()));
  const double rate = 2 * static_cast<double>(bytes) / best;
  const auto work = static_cast<double>(c.grows ? count : 1),
             first_work = static_cast<double>(c.grows ? first.devices : 1);
  const double speedup = work / first_work * first.seconds / best;
  const std::string name = fmt::format("{}{}^3 {} {}", c.grows ? fmt::format("{} x ", count) : "",
                                       c.edge, name_of(pixel_type_of<T>()), c.where);
  const double model =
      predicted(bench, c, plan, {{static_cast<std::int64_t>(count), 1}}).front().seconds;
  if (first.devices == count && !c.grows && c.where != "ordinary") project(bench, c, name, plan);
  const std::string of_links =
      c.is_resident() ? "" : fmt::format("{:.0f}%", 100 * rate / bench.links[count - 1]);
  const std::string bits = c.grows ? "" : hash == first.hash ? "same" : "OTHER";
  const std::string row =
      fmt::format("{:28} {:>7} {:8.3f} {:8.3f} {:8.1f} {:>7} {:8.2f} {:>6} {:9.1e}\n", name, count,
                  best, model, rate * 1e-9, of_links, speedup, bits, error.relative_l2);
  bench.table += row;
  std::fputs(row.c_str(), stderr);
  if (c.is_resident() && !c.grows && count == 1)
    measure_shares(bench, name, *executor, plan, *volumes, best);
  bench.rows.push_back({{"edge", c.edge},
                        {"type", name_of(pixel_type_of<T>())},
                        {"where", c.where},
                        {"grows", c.grows},
                        {"devices", count},
                        {"seconds", best},
                        {"predicted_seconds", model},
                        {"bytes_per_second", rate},
                        {"link_bytes_per_second", bench.links[count - 1]},
                        {"speedup", speedup},
                        {"same_bits", c.grows || hash == first.hash},
                        {"relative_l2", error.relative_l2}});
}

/// Measures on 1, 2, ... devices, as far as they have enough memory.
template <class T>
void measure(Bench& bench, const ScalingCase& c, const LinkMemory& in, const LinkMemory& out) {
  FirstRun first;
  for (std::size_t count = 1; count <= bench.devices.size(); ++count) try {
      measure_on<T>(bench, c, count, first, in, out);
    } catch (const PlanError& failure) {
      bench.table += left_out(c, count, failure);
    } catch (const OutOfDeviceMemory& failure) {
      bench.table += left_out(c, count, failure);
    }
}

/// The longest edge of volumes of which every device has one, and that fit n^3 voxels together.
std::int64_t growing_edge(std::int64_t n, std::size_t devices) {
  return static_cast<std::int64_t>(static_cast<double>(n) / std::cbrt(devices)) / 64 * 64;
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
  measure_processor(bench.rates, bench.context);
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 1; i < arguments.size(); ++i) sizes.push_back(std::stoll(arguments[i]));
  if (sizes.empty()) sizes = {1536};
  for (const std::int64_t n : sizes)
    for (const HostMemory memory : {HostMemory::pinned, HostMemory::ordinary}) {
      const std::int64_t bytes = n * n * n * std::int64_t{sizeof(float)};
      const LinkMemory in{bench.devices.front().id, bench.host, bytes, memory},
          out{bench.devices.front().id, bench.host, bytes, memory};
      const bool is_pinned = memory == HostMemory::pinned;
      measure<float>(bench, {n, is_pinned ? "pinned" : "ordinary"}, in, out);
      measure<std::uint16_t>(bench, {n, is_pinned ? "pinned" : "ordinary"}, in, out);
      if (!is_pinned) continue;
      const std::int64_t each = growing_edge(n, bench.devices.size());
      measure<float>(bench, {n, "resident"}, in, out);
      measure<float>(bench, {each, "resident", true}, in, out);
      measure<float>(bench, {each, "pinned", true}, in, out);
    }
  std::string links;
  for (const double link : bench.links) links += fmt::format(" {:.1f}", link * 1e-9);
  fmt::print(
      "{} of {}, {} threads; GB/s of 1, 2, ... links both ways at once:{}\n"
      "with {}^3, a ring of {} planes, the best of {}; host to host where it does not say "
      "resident; 1/n is the longest share of n devices, on one alone\n"
      "{:28} {:>7} {:>8} {:>8} {:>8} {:>7} {:>8} {:>6} {:>9}\n{}",
      bench.devices.size(), bench.devices.front().name, bench.pool.threads(), links, kKernel,
      kPlanes, kRepeats, "volume", "devices", "run s", "model", "GB/s", "links", "speed-up", "bits",
      "rel. L2", bench.table);
  if (!arguments.empty())
    std::ofstream{arguments[0]} << text_of(Json{{"device", bench.devices.front().name},
                                                {"links_bytes_per_second", bench.links},
                                                {"rows", bench.rows},
                                                {"projections", bench.projections},
                                                {"shares", bench.shares}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::multigpu

int main(int count, char** arguments) {
  return synthoscope::multigpu::run({arguments + 1, arguments + count});
}

// SPDX-License-Identifier: MIT
// How does a simulation scale with devices whose counts alone travel? Light is made where it is
// blurred, and the camera records where it was: one large volume through a ring, and many frames
// that fit a device each. Results are compared to the bit. Prints a table last; JSON to the file
// that is named first.
//
//     gpu_many_simulate_bench [OUT.json [VOLUME_EDGE FRAMES]]
#include <fmt/format.h>
#include <cstdio>
#include <fstream>
#include <memory>
#include "bench/bench_host.hpp"
#include "bench/gpu/link_case.hpp"
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/math/content_hash.hpp"
#include "core/run/hand_out.hpp"
#include "multigpu/make_executor.hpp"
#include "simulator/detector/camera.hpp"
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kRepeats = 3;
constexpr Extent3 kFrame{256, 512, 512};

struct Bench : bench::BenchHost {
  std::vector<cuda::DeviceInfo> devices;
  Volume<float> kernel = bench::make_kernel();
};

Phantom nuclei_in(Bench& bench, const Extent3& extent, std::int64_t count, std::uint64_t seed) {
  PhantomSpec spec;
  set_typical(spec.nuclei, NucleiKind::hl60);
  spec.nuclei.count = count;
  return make_phantom(spec, {extent, {0.2, 0.2, 0.2}}, seed, bench.context);
}

/// Blurs the light of a phantom and stores what a camera records of it. @returns seconds without
/// what is done once: code, kernel, memory
double simulate_once(Bench& bench, fftconv::Executor& executor, const fftconv::Plan& plan,
                     const Phantom& phantom, const CameraEpilogue& camera, std::int64_t frame,
                     std::uint16_t* counts, const RunContext& context) {
  const Extent3& e = phantom.grid.extent;
  PhantomSource light{phantom};
  CameraEpilogue exposed{camera, frame};
  MemorySource kernel{ConstVoxelView{std::as_const(bench.kernel).view()}};
  MemorySink sink{VoxelView{HostView3<std::uint16_t>{counts, e}}, HostMemory::pinned};
  const std::vector<fftconv::Term> terms{{&light, {&kernel, 0, 1}, {}}};
  const fftconv::RunReport report = executor.run(plan, terms, exposed, sink, context);
  return report.seconds - report.stages.front().second;
}

std::unique_ptr<fftconv::Executor> executor_of(Bench& bench, std::size_t count) {
  return multigpu::make_executor(
      {bench.host.limit()},
      {bench.devices.begin(), bench.devices.begin() + static_cast<std::ptrdiff_t>(count)});
}

std::uint64_t hash_of(const std::uint16_t* counts, std::int64_t voxels) {
  ContentHash hash;
  hash.update(std::as_bytes(std::span{counts, static_cast<std::size_t>(voxels)}));
  return hash.value();
}

/// `run(executor, count)` returns seconds; on 1, 2, ... devices.
template <class Run>
void measure(Bench& bench, const std::string& name, const std::uint16_t* counts,
             std::int64_t voxels, Run&& run) {
  double alone = 0;
  std::uint64_t expected = 0;
  for (std::size_t count = 1; count <= bench.devices.size(); ++count) {
    const auto executor = executor_of(bench, count);
    double best = 0;
    for (int i = 0; i <= kRepeats; ++i) {  // the first one compiles
      const double now = run(*executor);
      if (i == 1 || (i > 1 && now < best)) best = now;
    }
    const std::uint64_t hash = hash_of(counts, voxels);
    if (count == 1) {
      alone = best;
      expected = hash;
    }
    const std::string row = fmt::format("{:36} {:>7} {:8.3f} {:9.2f} {:8.2f} {:>6}\n", name, count,
                                        best, static_cast<double>(voxels) / best * 1e-9,
                                        alone / best, hash == expected ? "same" : "OTHER");
    bench.table += row;
    std::fputs(row.c_str(), stderr);
    bench.rows.push_back({{"what", name},
                          {"devices", count},
                          {"seconds", best},
                          {"voxels_per_second", static_cast<double>(voxels) / best},
                          {"speedup", alone / best},
                          {"same_bits", hash == expected}});
  }
}

fftconv::Gpu gpu_of(const cuda::DeviceInfo& device) {
  return {device.name, device.capability, fftconv::device::block_limits(device),
          cuda::memory_of(device.id).free_bytes / 10 * 9};
}

CameraEpilogue camera_for(const Extent3& extent) {
  return {typical_camera(CameraKind::scmos), {1, 0, 0}, extent};
}

/// One volume: a ring whose turns are shared out.
void measure_volume(Bench& bench, std::int64_t n) {
  const Extent3 e{n, n, n};
  const Phantom phantom = nuclei_in(bench, e, 2000, 1);
  const CameraEpilogue camera = camera_for(e);
  const cuda::PinnedBuffer<std::uint16_t> counts{bench.devices.front().id, bench.host, volume(e),
                                                 "counts"};
  auto plan = bench::link_plan(bench.devices.front(), gpu_of(bench.devices.front()).memory_bytes,
                               bench.host.limit(), e, sizeof(float));
  measure(bench, fmt::format("a volume of {}^3, kernel {}^3", n, bench::kKernel), counts.data(),
          volume(e), [&](fftconv::Executor& executor) {
            return simulate_once(bench, executor, plan, phantom, camera, 0, counts.data(),
                                 bench.context);
          });
}

/// Frames in core, each on the device that is free.
void measure_frames(Bench& bench, std::int64_t frames) {
  std::vector<Phantom> phantoms;
  for (std::int64_t frame = 0; frame < frames; ++frame)
    phantoms.push_back(nuclei_in(bench, kFrame, 40, static_cast<std::uint64_t>(frame)));
  const CameraEpilogue camera = camera_for(kFrame);
  const cuda::PinnedBuffer<std::uint16_t> counts{bench.devices.front().id, bench.host,
                                                 frames * volume(kFrame), "counts"};
  fftconv::Problem problem;
  problem.image = kFrame;
  problem.kernel = bench.kernel.extent;
  problem.center = {bench::kKernel / 2, bench::kKernel / 2, bench::kKernel / 2};
  problem.image_made_on_gpu = true;
  problem.source_voxel_bytes = problem.sink_voxel_bytes = sizeof(float);
  fftconv::Machine machine{bench.host.limit()};
  machine.gpu = gpu_of(bench.devices.front());
  machine.gpu_only = true;
  const auto plan = plan_convolution(problem, machine, fftconv::Strategy::in_core);
  measure(
      bench,
      fmt::format("{} frames of {}x{}x{}, setting up each", frames, kFrame.z, kFrame.y, kFrame.x),
      counts.data(), frames * volume(kFrame), [&](fftconv::Executor& executor) {
        const auto lanes = executor.at_once(plan);
        const int threads = std::max(1, bench.pool.threads() / static_cast<int>(lanes.size()));
        std::vector<std::unique_ptr<TaskPool>> pools;
        for (std::size_t i = 0; i < lanes.size(); ++i)
          pools.push_back(std::make_unique<TaskPool>(threads));
        Stages stages;
        const Stopwatch watch{stages};
        hand_out(frames, lanes.size(), [&](std::size_t lane, std::int64_t frame) {
          const RunContext own{*pools[lane], bench.host, bench.progress, bench.log, bench.stop};
          simulate_once(bench, *lanes[lane], plan, phantoms[static_cast<std::size_t>(frame)],
                        camera, frame, counts.data() + frame * volume(kFrame), own);
        });
        return watch.total();
      });
}

int run(const std::vector<std::string>& arguments) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  Bench bench;
  bench.devices = list.devices;
  measure_volume(bench, arguments.size() > 1 ? std::stoll(arguments[1]) : 1536);
  measure_frames(bench, arguments.size() > 2 ? std::stoll(arguments[2]) : 32);
  fmt::print(
      "{} of {}, {} threads; counts alone travel, to pinned memory; the best of {}\n"
      "{:36} {:>7} {:>8} {:>9} {:>8} {:>6}\n{}",
      bench.devices.size(), bench.devices.front().name, bench.pool.threads(), kRepeats, "what",
      "devices", "seconds", "Gvoxel/s", "speed-up", "bits", bench.table);
  if (!arguments.empty())
    std::ofstream{arguments[0]} << text_of(
        Json{{"device", bench.devices.front().name}, {"rows", bench.rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::simulator

int main(int count, char** arguments) {
  return synthoscope::simulator::run({arguments + 1, arguments + count});
}

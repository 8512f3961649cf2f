// SPDX-License-Identifier: MIT
// How fast does a device convolve in frequency parts, from host memory to host memory, with a
// kernel as large as the image? Sides of cubes, a file for JSON and batch=MIB, how much travels at
// once, are arguments; a table comes last.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include "bench/gpu/parts_case.hpp"
#include "core/base/json.hpp"
#include "core/cuda/memory/memory_pool.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/device/parts/run.hpp"

namespace synthoscope::fftconv::device {
namespace {

using namespace bench::parts;

constexpr std::int64_t kParts[] = {1, 2, 4, 8, 16};

int run(const std::vector<std::int64_t>& sides, std::int64_t batch_bytes, const char* json_path) {
  const cuda::DeviceList list = cuda::list_devices();
  if (list.devices.empty()) {
    fmt::print("{}\n", list.why_none);
    return 0;
  }
  const cuda::DeviceInfo& device = list.devices.front();
  const std::int64_t device_bytes = cuda::memory_of(device.id).free_bytes;
  TaskPool pool{available_threads()};
  std::string table = fmt::format(
      "{}, {} threads; float32 from and to memory of the host, batches of {}, the better of two "
      "runs\n"
      "{:>6} {:>5} {:>6} {:>14} {:>8} {:>8} {:>8} {:>9} {:>8} {:>8} {:>8}\n",
      device.name, pool.threads(), print_bytes(batch_bytes), "image", "parts", "folds", "transform",
      "prepare", "run", "Gvox/s", "padded/s", "device", "host", "error");
  Json rows = Json::array();
  for (const std::int64_t side : sides) {
    const Extent3 extent{side, side, side};
    Volume<float> image{extent}, kernel{extent}, result{extent};
    fill(image.view(), pool);
    const auto taps = taps_of(side);
    for (const Tap& tap : taps)
      kernel.view()(tap.at.z, tap.at.y, tap.at.x) = static_cast<float>(tap.value);
    MemorySource f{ConstVoxelView{std::as_const(image).view()}},
        g{ConstVoxelView{std::as_const(kernel).view()}};
    const Problem problem = problem_of(side);
    for (const bool folds : {true, false})
      for (const std::int64_t parts : kParts) {
        const Plan plan = plan_of(problem, parts, folds, batch_bytes, device);
        const Extent3& n = plan.transform;
        const double padded = 2.0 * static_cast<double>(parts) * static_cast<double>(volume(n));
        RunReport best;
        std::int64_t on_device = 0;
        try {
          for (int i = 0; i < 2; ++i) {
            MemoryBudget device_memory{device_bytes, 0, "--gpu-memory"};
            MemoryBudget memory{std::int64_t{1} << 50};
            NoProgress progress;
            NoLog log;
            StopFlag stop;
            std::fill(result.voxels.begin(), result.voxels.end(), NAN);
            MemorySink sink{VoxelView{result.view()}};
            StoreAs store{PixelType::float32};
            const RunReport report =
                run_parts_on_device(device, device_memory, plan, {&f, {&g, 0, 1}, {}}, store, sink,
                                    {}, {pool, memory, progress, log, stop});
            if (i == 0 || report.seconds < best.seconds) best = report;
            on_device = device_memory.peak();
          }
        } catch (const PlanError& refused) {
          table += fmt::format("{:>6} {:>5} {:>6} {}\n", side, parts, folds ? "device" : "host",
                               refused.what());
          continue;
        }
        double prepare = 0;
        std::string stages;
        for (const auto& [stage, seconds] : best.stages) {
          if (stage == "prepare" || stage == "give back") prepare += seconds;
          stages += fmt::format(" {} {:.4f}", stage, seconds);
        }
        fmt::print("{} {} parts, {} folds:{}\n", side, parts, folds ? "device" : "host", stages);
        const double seconds = best.seconds - prepare,
                     error = error_of(std::as_const(image).view(), taps, problem.center,
                                      std::as_const(result).view());
        table += fmt::format(
            "{:>6} {:>5} {:>6} {:>14} {:8.3f} {:8.3f} {:8.2f} {:9.2f} {:>8} {:>8} {:8.1e}\n", side,
            parts, folds ? "device" : "host", fmt::format("{}x{}x{}", n.z, n.y, n.x), prepare,
            seconds, static_cast<double>(volume(extent)) / seconds * 1e-9, padded / seconds * 1e-9,
            print_bytes(on_device), print_bytes(best.peak_memory_bytes), error);
        rows.push_back({{"side", side},
                        {"parts", parts},
                        {"folds", folds ? "device" : "host"},
                        {"transform", {n.z, n.y, n.x}},
                        {"prepare_seconds", prepare},
                        {"seconds", seconds},
                        {"padded_voxels", padded},
                        {"device_bytes", on_device},
                        {"host_bytes", best.peak_memory_bytes},
                        {"error", error}});
      }
  }
  fmt::print("{}", table);
  if (json_path)
    std::ofstream{json_path} << text_of(Json{{"device", device.name},
                                             {"threads", pool.threads()},
                                             {"batch_bytes", batch_bytes},
                                             {"rows", rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::fftconv::device

int main(int count, char** arguments) {
  std::vector<std::int64_t> sides;
  const char* json_path = nullptr;
  std::int64_t batch_mib = 64;
  const std::string_view batch = "batch=";
  for (int i = 1; i < count; ++i) {
    if (std::string_view{arguments[i]}.substr(0, batch.size()) == batch)
      batch_mib = std::max(1LL, std::atoll(arguments[i] + batch.size()));
    else if (const std::int64_t side = std::atoll(arguments[i]); side > 0)
      sides.push_back(side);
    else
      json_path = arguments[i];
  }
  if (sides.empty()) sides = {512};
  return synthoscope::fftconv::device::run(sides, batch_mib << 20, json_path);
}

// SPDX-License-Identifier: MIT
// How fast does a device convolve in frequency parts, from host memory to host memory, with a
// kernel as large as the image? Sides of cubes, a file for JSON and batch=MIB, how much travels at
// once, are arguments; a table comes last.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include "core/json.hpp"
#include "core/memory_stream.hpp"
#include "core/random.hpp"
#include "core/store_as.hpp"
#include "fftconv/candidates.hpp"
#include "fftconv/device/gpu_site.hpp"
#include "fftconv/device/parts_device_run.hpp"
#include "fftconv/run_memory.hpp"

namespace synthoscope::fftconv::device {
namespace {

constexpr std::int64_t kTaps = 2000, kChecked = 100;
constexpr std::int64_t kParts[] = {1, 2, 4, 8, 16};

struct Tap {
  Index3 at;
  double value = 0;
};

/// Few voxels that are not zero, so that sums in double are cheap.
std::vector<Tap> taps_of(std::int64_t side) {
  const RandomStream random{7, RandomStage::phantom};
  std::vector<Tap> taps;
  for (std::uint64_t i = 0; i < kTaps; ++i) {
    const auto b = random.block(i);
    const auto pick = [&](std::uint32_t bits) {
      return static_cast<std::int64_t>(bits) * side >> 32;
    };
    const Tap tap{{pick(b[0]), pick(b[1]), pick(b[2])}, uniform32(b[3]) - 0.25};
    if (std::none_of(taps.begin(), taps.end(), [&](const Tap& t) { return t.at == tap.at; }))
      taps.push_back(tap);
  }
  return taps;
}

void fill(Volume<float>& image, TaskPool& pool) {
  const RandomStream random{8, RandomStage::phantom};
  pool.for_ranges(static_cast<std::int64_t>(image.voxels.size()), 1 << 16,
                  [&](std::int64_t begin, std::int64_t end) {
                    for (auto i = static_cast<std::size_t>(begin);
                         i < static_cast<std::size_t>(end); i += 4) {
                      const auto b = random.block(i);
                      for (std::size_t j = 0; j < 4; ++j)
                        image.voxels[i + j] = static_cast<float>(uniform32(b[j]));
                    }
                  });
}

/// Largest error of some voxels over the largest sum of absolutes.
double error_of(const Volume<float>& image, const std::vector<Tap>& taps, const Index3& center,
                const Volume<float>& result) {
  const RandomStream random{9, RandomStage::phantom};
  const std::int64_t side = image.extent.z;
  const auto inside = [&](std::int64_t i) { return i >= 0 && i < side; };
  double worst = 0, peak = 0;
  for (std::uint64_t i = 0; i < kChecked; ++i) {
    const auto b = random.block(i);
    const auto pick = [&](std::uint32_t bits) {
      return static_cast<std::int64_t>(bits) * side >> 32;
    };
    const Index3 o{pick(b[0]), pick(b[1]), pick(b[2])};
    double sum = 0, absolutes = 0;
    for (const Tap& tap : taps) {
      const std::int64_t z = o.z + center.z - tap.at.z, y = o.y + center.y - tap.at.y,
                         x = o.x + center.x - tap.at.x;
      if (!inside(z) || !inside(y) || !inside(x)) continue;
      // As the kernel's voxels are stored
      const double product = static_cast<double>(image.view()(z, y, x)) *
                             static_cast<double>(static_cast<float>(tap.value));
      sum += product;
      absolutes += std::abs(product);
    }
    worst = std::max(worst, std::abs(sum - static_cast<double>(result.view()(o.z, o.y, o.x))));
    peak = std::max(peak, absolutes);
  }
  return worst / peak;
}

/// Parts along z; batches of about so many bytes, one plane at least.
Plan plan_of(const Problem& problem, std::int64_t parts, bool fold_on_device,
             std::int64_t batch_bytes, const cuda::DeviceInfo& device) {
  Machine machine{std::int64_t{1} << 50};
  machine.gpu = Gpu{device.name, device.capability, block_limits(device), std::int64_t{1} << 50};
  machine.gpu_only = true;
  Plan plan = plan_convolution(problem, machine, Strategy::parts, parts);
  for (const Candidate& c : parts_candidates(problem, GpuSite{machine}, parts))
    if (!c.cut.along_y && !c.cut.parts_on_disk && c.cut.fold_on_device == fold_on_device) {
      plan.transform = c.transform;
      plan.cut = c.cut;
    }
  plan.work = problem;
  const PartsLayout sizes =
      parts_sizes_of(plan.work, make_layout(plan.work, plan.transform, plan.cut), plan.cut);
  plan.cut.batch_planes = std::max<std::int64_t>(1, batch_bytes / travelling_bytes(sizes));
  const RunMemory memory = run_memory_of(plan);
  plan.memory = memory.host;
  plan.device_memory = memory.device;
  return plan;
}

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
    fill(image, pool);
    const auto taps = taps_of(side);
    for (const Tap& tap : taps)
      kernel.view()(tap.at.z, tap.at.y, tap.at.x) = static_cast<float>(tap.value);
    MemorySource f{ConstVoxelView{std::as_const(image).view()}},
        g{ConstVoxelView{std::as_const(kernel).view()}};
    Problem problem;
    problem.image = problem.kernel = extent;
    problem.source_voxel_bytes = problem.kernel_voxel_bytes = problem.sink_voxel_bytes = 4;
    problem.center = {(side - 1) / 2, (side - 1) / 2, (side - 1) / 2};
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
                     error = error_of(image, taps, problem.center, result);
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

// SPDX-License-Identifier: MIT
// bench/convolution/fftconv_bench.cpp — how long does one convolution in memory take, in process?
//
//   fftconv_bench IMAGE.f32 Z,Y,X KERNEL.f32 Z,Y,X RESULT.f32 THREADS CALLS
//
// Prints one JSON object: seconds of the first and of later calls (plan, kernel transform and
// result included), the plan, the seconds of each stage. bench/convolution/fftconv.py runs it
// beside its peers.
#include <fmt/format.h>
#include <chrono>
#include <cstdio>
#include <fstream>
#include "core/base/json.hpp"
#include "core/stream/memory_stream.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"
#include "fftconv/plan.hpp"

namespace {

using namespace synthoscope;

Extent3 extent_from(const char* text) {
  Extent3 e;
  if (std::sscanf(text, "%ld,%ld,%ld", &e.z, &e.y, &e.x) != 3) throw InvalidSpec("give Z,Y,X");
  return e;
}

Volume<float> load(const char* path, const Extent3& extent) {
  Volume<float> v{extent};
  std::ifstream file{path, std::ios::binary};
  file.read(reinterpret_cast<char*>(v.voxels.data()),
            static_cast<std::streamsize>(v.voxels.size() * sizeof(float)));
  if (!file) throw IoError(fmt::format("read {}: it is shorter than {}", path, extent));
  return v;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 8)
    throw InvalidSpec("usage: see the first lines of bench/convolution/fftconv_bench.cpp");
  const auto image = load(argv[1], extent_from(argv[2])),
             kernel = load(argv[3], extent_from(argv[4]));
  constexpr std::int64_t kBudget = std::int64_t{16} << 30;
  TaskPool pool{std::stoi(argv[6])};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  const auto executor = fftconv::make_host_executor({kBudget});
  fftconv::Problem problem;
  problem.image = image.extent;
  problem.kernel = kernel.extent;
  problem.center = {(kernel.extent.z - 1) / 2, (kernel.extent.y - 1) / 2,
                    (kernel.extent.x - 1) / 2};
  Volume<float> result{image.extent};

  Json json;
  for (int call = 0; call < std::stoi(argv[7]); ++call) {
    const auto start = std::chrono::steady_clock::now();
    MemoryBudget memory{kBudget};
    const auto plan = fftconv::plan_convolution(problem, executor->machine());
    MemorySource f{ConstVoxelView{image.view()}}, g{ConstVoxelView{kernel.view()}};
    MemorySink sink{VoxelView{result.view()}};
    StoreAs store{PixelType::float32};
    const std::vector<fftconv::Term> terms{{&f, {&g, 0, 1}, {}}};
    const auto report =
        executor->run(plan, terms, store, sink, {pool, memory, progress, log, stop});
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    json["seconds"].push_back(seconds.count());
    json["stages"] = report.stages;
    json["transform"] = fmt::format("{}", plan.transform);
    json["instruction_set"] = report.instruction_set;
    json["memory_bytes"] = report.peak_memory_bytes;
  }
  std::ofstream out{argv[5], std::ios::binary};
  out.write(reinterpret_cast<const char*>(result.voxels.data()),
            static_cast<std::streamsize>(result.voxels.size() * sizeof(float)));
  fmt::print("{}\n", text_of(json));
} catch (const std::exception& e) {
  fmt::print(stderr, "fftconv_bench: {}\n", e.what());
  return 1;
}

// SPDX-License-Identifier: MIT
// At which size of a kernel is the host faster by direct sums, by passes along the axes, by FFT?
//
//   crossover_bench JSON THREADS Z,Y,X SIDE...
//
// One image in float32, boundary zero, Gaussian kernels of the sides, every way from memory to
// memory. Planning and the kernel's transform are part of FFT. A way that took longer than a second
// is not measured at larger sides.
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include "bench/convolution/crossover_case.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"
#include "kernels/correlate/correlation.hpp"

namespace synthoscope::bench {
namespace {

constexpr std::int64_t kBudget = std::int64_t{8} << 30;
constexpr double kPatience = 1;
constexpr int kRuns = 5;

void apply(kernels::Operation& operation, const CrossoverCase& c, HostView3<float> out,
           TaskPool& pool) {
  const VoxelView views[] = {out};
  operation.apply(kernels::whole_window(ConstVoxelView{c.image.view()}), whole(c.image.extent),
                  views, pool);
}

void by_direct_sums(const CrossoverCase& c, HostView3<float> out, TaskPool& pool) {
  apply(*kernels::make_direct_correlation(setting_of(c), c.whole), c, out, pool);
}

void by_passes(const CrossoverCase& c, HostView3<float> out, TaskPool& pool) {
  apply(*kernels::make_separable_correlation(setting_of(c), c.stencil), c, out, pool);
}

void by_fft(const CrossoverCase& c, HostView3<float> out, TaskPool& pool) {
  const auto executor = fftconv::make_host_executor({kBudget});
  fftconv::Problem problem;
  problem.image = c.image.extent;
  problem.kernel = c.kernel.extent;
  problem.center = c.whole.centre;
  MemoryBudget memory{kBudget};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  MemorySource f{ConstVoxelView{c.image.view()}}, g{ConstVoxelView{c.kernel.view()}};
  MemorySink sink{VoxelView{out}};
  StoreAs store{PixelType::float32};
  executor->run(fftconv::plan_convolution(problem, executor->machine()),
                std::vector<fftconv::Term>{{&f, {&g, 0, 1}, {}}}, store, sink,
                {pool, memory, progress, log, stop});
}

struct Way {
  const char* name;
  void (*run)(const CrossoverCase&, HostView3<float>, TaskPool&);
  bool is_slow = false;
};

int run(const char* json_path, int threads, const Extent3& extent,
        const std::vector<std::int64_t>& sides) {
  TaskPool pool{threads};
  const Volume<float> image = crossover_image(extent);
  Volume<float> out{extent};
  Way ways[] = {{"direct", by_direct_sums}, {"separable", by_passes}, {"FFT", by_fft}};
  Json rows = Json::array();
  for (const std::int64_t side : sides) {
    const CrossoverCase c = case_of(image, side);
    std::vector<std::vector<double>> seconds(std::size(ways));
    for (int i = 0; i < kRuns; ++i)
      for (std::size_t w = 0; w < std::size(ways); ++w) {
        if (ways[w].is_slow) continue;
        const auto start = std::chrono::steady_clock::now();
        ways[w].run(c, out.view(), pool);
        const std::chrono::duration<double> one = std::chrono::steady_clock::now() - start;
        seconds[w].push_back(one.count());
        ways[w].is_slow = one.count() > kPatience;
      }
    for (std::size_t w = 0; w < std::size(ways); ++w) {
      if (seconds[w].empty()) continue;
      ways[w].run(c, out.view(), pool);
      const double error = error_of(c, std::as_const(out).view());
      const auto middle = seconds[w].begin() + static_cast<std::ptrdiff_t>(seconds[w].size() / 2);
      std::nth_element(seconds[w].begin(), middle, seconds[w].end());
      fmt::print("{:>4} {:10} {:9.5f} s {:8.1e}\n", side, ways[w].name, *middle, error);
      rows.push_back(
          {{"side", side}, {"by", ways[w].name}, {"seconds", *middle}, {"error", error}});
    }
  }
  std::ofstream{json_path} << text_of(Json{{"threads", threads},
                                           {"extent", {extent.z, extent.y, extent.x}},
                                           {"vector_level", name_of(vector_level())},
                                           {"rows", rows}});
  return 0;
}

}  // namespace
}  // namespace synthoscope::bench

int main(int count, char** arguments) try {
  if (count < 5) {
    fmt::print(stderr, "usage: crossover_bench JSON THREADS Z,Y,X SIDE...\n");
    return 2;
  }
  long long z = 0, y = 0, x = 0;
  if (std::sscanf(arguments[3], "%lld,%lld,%lld", &z, &y, &x) != 3)
    throw synthoscope::InvalidSpec("read the extent: it is z,y,x");
  std::vector<std::int64_t> sides;
  for (int i = 4; i < count; ++i) sides.push_back(std::stoll(arguments[i]));
  return synthoscope::bench::run(arguments[1], std::stoi(arguments[2]), {z, y, x}, sides);
} catch (const std::exception& error) {
  fmt::print(stderr, "crossover_bench: {}\n", error.what());
  return 1;
}

// SPDX-License-Identifier: MIT
#include "tests/support/run_convolution.hpp"
#include "core/math/random.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/host/executor.hpp"
#include "tests/support/machine_with.hpp"

namespace synthoscope::test {
namespace {

constexpr std::int64_t kBudget = std::int64_t{8} << 30;

/// The volume in another voxel type, behind a source.
template <class T>
struct Stored {
  explicit Stored(const Volume<double>& v) : volume{v.extent} {
    for (std::size_t i = 0; i < v.voxels.size(); ++i)
      volume.voxels[i] = static_cast<T>(v.voxels[i]);
  }
  Volume<T> volume;
  MemorySource source{ConstVoxelView{std::as_const(volume).view()}};
};

Ran run_sources(fftconv::Executor& executor, const fftconv::Plan& plan, Source& image,
                const Volume<double>& kernel, int threads) {
  MemorySource g{ConstVoxelView{kernel.view()}};
  TaskPool pool{threads};
  MemoryBudget memory{kBudget};
  NoProgress progress;
  NoLog log;
  StopFlag stop;
  Ran ran{Volume<double>{output_extent(plan.problem)}, plan, {}};
  MemorySink sink{VoxelView{ran.result.view()}};
  StoreAs store{PixelType::float64};
  const std::vector<fftconv::Term> terms{{&image, {&g, 0, 1}, {}}};
  ran.report = executor.run(plan, terms, store, sink, {pool, memory, progress, log, stop});
  return ran;
}

}  // namespace

Ran run_convolution(const Volume<double>& image, const Volume<double>& kernel,
                    const fftconv::Problem& problem, int threads, PixelType type) {
  return run_plan(fftconv::plan_convolution(problem, machine_with(kBudget)), image, kernel, threads,
                  type);
}

Ran run_plan(const fftconv::Plan& plan, const Volume<double>& image, const Volume<double>& kernel,
             int threads, PixelType type) {
  return run_plan_on(*fftconv::make_host_executor({kBudget}), plan, image, kernel, threads, type);
}

Ran run_plan_on(fftconv::Executor& executor, const fftconv::Plan& plan, const Volume<double>& image,
                const Volume<double>& kernel, int threads, PixelType type) {
  return visit_pixel_type(type, [&](auto zero) {
    Stored<decltype(zero)> f{image};
    return run_sources(executor, plan, f.source, kernel, threads);
  });
}

Volume<double> noise(const Extent3& extent, std::uint64_t seed, double low, double high) {
  const RandomStream random{seed, RandomStage::phantom};
  Volume<double> v{extent};
  for (std::size_t i = 0; i < v.voxels.size(); ++i)
    v.voxels[i] = low + (high - low) * uniform32(random.block(i)[0]);
  return v;
}

}  // namespace synthoscope::test

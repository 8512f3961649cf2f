// SPDX-License-Identifier: MIT
#include "fftconv/plan/gpu/scaling.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "fftconv/plan/gpu/cost.hpp"

namespace synthoscope::fftconv::device {
namespace {

/// What so many links carry at once, over what one does. @source docs/benchmarks/many-gpus.md
constexpr std::array<std::pair<double, double>, 3> kLinksOfHost{{{1, 1}, {2, 1.43}, {4, 1.67}}};

double links_of(std::int64_t gpus) {
  const auto n = static_cast<double>(gpus);
  for (std::size_t i = 1; i < kLinksOfHost.size(); ++i) {
    const auto [few, less] = kLinksOfHost[i - 1];
    const auto [many, more] = kLinksOfHost[i];
    if (n <= many) return less + (more - less) * (n - few) / (many - few);
  }
  return kLinksOfHost.back().second;
}

/// With the planes that so many members read before their own.
GpuWork shared_work(GpuWork work, const Layout& layout, double members) {
  const double planes = static_cast<double>(layout.z.loaded),
               halo = static_cast<double>(layout.z.kernel_count - 1);
  const double again = (planes + (members - 1) * std::min(halo, planes)) / planes;
  work.up_bytes *= again;
  work.forward *= again;
  return work;
}

/// Whether a GPU does the steps of a plan one after another.
bool has_turns(const Plan& plan) {
  return plan.where == Place::gpu &&
         (plan.strategy == Strategy::ring || plan.strategy == Strategy::tiles);
}

std::string_view bound_of(const TurnStages& stages) {
  const std::array<std::pair<double, std::string_view>, 5> all{
      {{stages.besides, "start and kernel"},
       {stages.link, "the links"},
       {stages.gpu, "the GPUs"},
       {stages.host, "the host's copying"},
       {stages.disk, "storage"}}};
  return std::max_element(all.begin(), all.end())->second;
}

}  // namespace

std::vector<ScaledRun> scaled_runs(const Plan& plan, const std::vector<Crew>& crews) {
  std::vector<ScaledRun> runs;
  if (!has_turns(plan)) return runs;
  const Layout layout = make_layout(plan.work, plan.transform, plan.cut);
  const DeviceLayout sizes = sizes_of(plan.work, layout, plan.cut);
  const RunCost bytes = disk_traffic(layout, plan.work, plan.cut, plan.machine.rates);
  const GpuWork alone = gpu_work(layout, plan.work, plan.cut, sizes, *plan.machine.gpu);
  const bool is_ring = plan.strategy == Strategy::ring;
  const std::int64_t steps = step_count(plan);
  for (const Crew& crew : crews) {
    const std::int64_t gpus = std::min(crew.gpus, steps),
                       machines = std::min(crew.machines, (steps + gpus - 1) / gpus);
    const auto share = static_cast<double>(machines);
    GpuWork work =
        is_ring ? shared_work(alone, layout, static_cast<double>(gpus * machines)) : alone;
    for (double* const part :
         {&work.up_bytes, &work.down_bytes, &work.forward, &work.columns, &work.back})
      *part /= share;
    RunCost moved = bytes;
    moved.read_bytes =
        std::llround(static_cast<double>(bytes.read_bytes) *
                     (alone.up_bytes > 0 ? work.up_bytes / alone.up_bytes : 1 / share));
    moved.written_bytes = std::llround(static_cast<double>(bytes.written_bytes) / share);
    moved.scratch_moved_bytes /= share;
    const TurnStages stages = turn_stages(work, moved, sizes, plan.machine, {gpus, links_of(gpus)});
    runs.push_back({crew, stages.seconds(), bound_of(stages)});
  }
  return runs;
}

Plan with_batches_for(std::int64_t gpus, Plan plan, std::span<const Term> terms, Sink& sink) {
  if (!has_turns(plan) && plan.strategy != Strategy::in_core) return plan;
  const bool is_read_directly = std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
    return plan.work.image_made_on_gpu || term.image->device_readable();
  });
  if (is_read_directly && sink.device_writable()) return plan;
  const Layout layout = make_layout(plan.work, plan.transform, plan.cut);
  plan.cut.batch_planes = std::min(plan.cut.batch_planes,
                                   most_batch_planes(sizes_of(plan.work, layout, plan.cut), gpus));
  return plan;
}

}  // namespace synthoscope::fftconv::device

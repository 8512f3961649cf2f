// SPDX-License-Identifier: MIT
#include "multigpu/parts_of_many.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/stopwatch.hpp"
#include "core/cuda/runtime/peers.hpp"
#include "fftconv/device/executor.hpp"
#include "fftconv/device/parts/share.hpp"
#include "fftconv/host/stages/stage.hpp"
#include "fftconv/planes/run_checked.hpp"
#include "multigpu/in_phases.hpp"
#include "multigpu/joined.hpp"

namespace synthoscope::multigpu {
namespace {

using fftconv::affordable_threads;
using fftconv::Plan;
using fftconv::RunReport;
using fftconv::Term;
using fftconv::device::PartsLayout;
using fftconv::device::PartsShare;
using fftconv::device::PartsWork;

/// One device at work, with its own threads, memory and report.
struct Member {
  Member(const cuda::DeviceInfo& info, std::int64_t device_bytes, std::int64_t host_bytes,
         int most_threads, const PartsWork& work, Progress& progress, const StopFlag& stop,
         const RunContext& whole)
      : device{info},
        device_memory{device_bytes, 0, "--gpu-memory"},
        memory{whole.memory, host_bytes},
        pool{std::clamp(most_threads, 1,
                        affordable_threads({whole.pool, memory, progress, whole.log, stop},
                                           work.plan.memory_bytes(), thread_bytes_of(work.parts)))},
        context{pool, memory, progress, whole.log, stop} {}

  const cuda::DeviceInfo& device;
  MemoryBudget device_memory, memory;
  TaskPool pool;
  RunContext context;
  RunReport report;
  Stopwatch watch{report.stages};
  std::unique_ptr<PartsShare> share;
};

class Team {
 public:
  /// Every member has an equal share of the host's memory and threads.
  Team(std::span<const cuda::DeviceInfo> devices, std::int64_t device_bytes, const PartsWork& work,
       const RunContext& context)
      : work_{work}, context_{context}, stop_{context.stop}, progress_{context.progress} {
    const std::int64_t host_bytes =
        (context.memory.limit() - context.memory.used()) / std::ssize(devices);
    const auto most = context.pool.threads() / static_cast<int>(devices.size());
    for (const cuda::DeviceInfo& device : devices)
      members_.push_back(std::make_unique<Member>(device, device_bytes, host_bytes, most, work_,
                                                  progress_, stop_, context));
    shares_.resize(members_.size());
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  /// Copies between devices may be on their way from and to memory that goes.
  ~Team() {
    for (const auto& member : members_)
      if (member->share) member->share->drain();
  }

  /// @param report  takes the members' stages
  void run(RunReport& report) {
    const Phase phases[] = {
        stage("prepare", [this](std::size_t i) { prepare(i); }),
        stage("load", [this](std::size_t i) { members_[i]->share->load(shares_); }),
        beginning(fftconv::device::kConvolveParts, work_.parts.decimation.parts),
        stage("parts", [this](std::size_t i) { members_[i]->share->convolve(shares_); }),
        stage("unfold", [this](std::size_t i) { members_[i]->share->unfold(); }),
        beginning(fftconv::device::kStorePlanes, work_.parts.result.z),
        stage("store", [this](std::size_t i) { members_[i]->share->store(); }),
    };
    run_in_phases(members_.size(), phases, stop_);
    for (const auto& member : members_) {
      member->report.peak_device_bytes = member->device_memory.peak();
      merge_concurrent_report(report, member->report);
    }
  }

 private:
  /// A phase that is timed without what the member waited for others before it.
  Phase stage(const char* name, Phase work) {
    return [this, name, work = std::move(work)](std::size_t i) {
      Stopwatch& watch = members_[i]->watch;
      watch.skip();
      work(i);
      watch.lap(name);
    };
  }
  /// One tells for all what is next.
  Phase beginning(const char* what, std::int64_t total) {
    return [this, what, total](std::size_t i) {
      if (i == 0) context_.progress.begin(what, total);
    };
  }

  void prepare(std::size_t i) {
    Member& m = *members_[i];
    const fftconv::device::Sharer sharer{static_cast<std::int64_t>(i), std::ssize(members_)};
    m.share = std::make_unique<PartsShare>(m.device, m.device_memory, work_, sharer, m.context);
    shares_[i] = m.share.get();
    for (const auto& other : members_)
      if (!cuda::enable_reach(m.device.id, other->device.id))
        context_.log.note(fmt::format(
            "GPU {} cannot access the memory of GPU {}: they exchange data through the host",
            m.device.id.index, other->device.id.index));
  }

  const PartsWork& work_;
  const RunContext& context_;
  StopFlag stop_;
  JoinedProgress progress_;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<PartsShare*> shares_;
};

class PartsOnDevices final : public PartsOfMany {
 public:
  PartsOnDevices(const std::vector<cuda::DeviceInfo>& devices, std::int64_t device_bytes)
      : devices_{devices}, device_bytes_{device_bytes} {}

  RunReport run(std::size_t members, const Plan& plan, std::span<const Term> terms,
                Epilogue& epilogue, Sink& sink, const RunContext& context) override {
    const std::span devices = std::span{devices_}.first(members);
    for (const cuda::DeviceInfo& device : devices)
      fftconv::device::require_made_for(plan, device, terms, sink);
    return fftconv::run_checked(
        plan, terms, epilogue, sink, {}, context, [&](Sink& any_order, const RunContext& recorded) {
          return run_on(devices, plan, terms.front(), epilogue, any_order, recorded);
        });
  }

 private:
  RunReport run_on(std::span<const cuda::DeviceInfo> devices, const Plan& plan, const Term& term,
                   Epilogue& epilogue, Sink& sink, const RunContext& context) const {
    RunReport report;
    Stages stages;
    Stopwatch watch{stages};
    const PartsLayout parts = make_parts_layout(plan.work, plan.transform, plan.cut,
                                                fftconv::device::block_limits(devices.front()));
    TaskPool pool{affordable_threads(context, plan.memory_bytes(), thread_bytes_of(parts))};
    const RunContext alone{pool, context.memory, context.progress, context.log, context.stop};
    const PartsWork work = make_parts_work(plan, parts, term, epilogue, sink, alone);
    watch.lap("mean");
    {
      Team team{devices, device_bytes_, work, context};
      team.run(report);
      watch.lap("devices");
    }
    watch.lap("give back");
    report.stages.insert(report.stages.begin(), stages.front());
    report.stages.push_back(stages.back());
    report.instruction_set = fmt::format("sm_{}", devices.front().capability);
    report.fft = version_of(plan.cut.fft);
    report.seconds = watch.total();
    report.peak_memory_bytes = context.memory.peak();
    return report;
  }

  std::vector<cuda::DeviceInfo> devices_;
  std::int64_t device_bytes_;
};

}  // namespace

std::unique_ptr<PartsOfMany> make_parts_of_many(const std::vector<cuda::DeviceInfo>& devices,
                                                std::int64_t device_bytes) {
  return std::make_unique<PartsOnDevices>(devices, device_bytes);
}

}  // namespace synthoscope::multigpu

// SPDX-License-Identifier: MIT
#include "multigpu/executor_of_many.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <system_error>
#include <thread>
#include "core/assert.hpp"
#include "fftconv/turn_steps.hpp"
#include "multigpu/shared_steps.hpp"

namespace synthoscope::multigpu {
namespace {

using fftconv::Executor;
using fftconv::Plan;
using fftconv::RunReport;
using fftconv::Term;

/// Adds the planes and voxels of all members up: each begins the same stage.
class JoinedProgress final : public Progress {
 public:
  explicit JoinedProgress(Progress& whole) : whole_{whole} {}
  void begin(std::string_view, std::int64_t) override {}
  void advance(std::int64_t units) override { whole_.advance(units); }

 private:
  Progress& whole_;
};

/// The longest of every stage, in the order of the first member's; the members work side by side.
void join(RunReport& all, const RunReport& one) {
  if (all.stages.empty()) {
    all = one;
    return;
  }
  all.seconds = std::max(all.seconds, one.seconds);
  all.peak_memory_bytes = std::max(all.peak_memory_bytes, one.peak_memory_bytes);
  all.peak_device_bytes = std::max(all.peak_device_bytes, one.peak_device_bytes);
  for (const auto& [name, seconds] : one.stages)
    for (auto& [known, longest] : all.stages)
      if (known == name) longest = std::max(longest, seconds);
}

/// Why a run cannot be shared out; empty where it can.
std::string why_alone(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue,
                      const Sink& sink) {
  if (fftconv::step_count(plan) == 1)
    return fmt::format("the plan (strategy {}) has no steps to share", name_of(plan.strategy));
  if (sink.accepts() != BoxOrder::any) return "the result is stored plane after plane";
  const bool made = std::any_of(terms.begin(), terms.end(),
                                [](const Term& term) { return term.image->on_device(); });
  if (made || epilogue.on_device()) return "voxels are made on the device that uses them";
  return "";
}

class ExecutorOfMany final : public Executor {
 public:
  explicit ExecutorOfMany(std::vector<std::unique_ptr<Executor>> members)
      : members_{std::move(members)} {
    SYNTHOSCOPE_ASSERT(members_.empty(), ==, false);
  }
  [[nodiscard]] fftconv::Machine machine() const override { return members_.front()->machine(); }

  RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                const RunContext& context) override {
    const Stretches to_do = steps_to_do(context, fftconv::step_count(plan));
    const std::size_t members = usable_members(plan, terms, epilogue, sink, to_do, context);
    if (members < 2) return members_.front()->run(plan, terms, epilogue, sink, context);
    return run_shared(plan, terms, epilogue, sink, context, to_do, members);
  }

 private:
  [[nodiscard]] std::size_t usable_members(const Plan& plan, std::span<const Term> terms,
                                           Epilogue& epilogue, const Sink& sink,
                                           const Stretches& to_do,
                                           const RunContext& context) const {
    if (members_.size() < 2) return 1;
    if (const auto why = why_alone(plan, terms, epilogue, sink); !why.empty()) {
      context.log.note(fmt::format("one of {} devices does it all: {}", members_.size(), why));
      return 1;
    }
    const std::int64_t left = context.memory.limit() - context.memory.used();
    const std::int64_t affordable = left / std::max<std::int64_t>(1, plan.memory_bytes());
    const auto most = static_cast<std::int64_t>(members_.size());
    if (affordable < most)
      context.log.note(fmt::format("{} of {} devices are used: --memory has room for no more",
                                   std::max<std::int64_t>(1, affordable), most));
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(std::min(affordable, to_do.count()), 1, most));
  }

  RunReport run_shared(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue,
                       Sink& sink, const RunContext& context, const Stretches& to_do,
                       std::size_t members) {
    JoinedProgress progress{context.progress};
    context.progress.begin(fmt::format("convolve on {} devices", members),
                           fftconv::progress_of(plan, to_do));
    SharedSteps shared{to_do, members, context.checkpoint};
    std::vector<RunReport> reports(members);
    std::vector<std::thread> threads;
    const auto pool_size = std::max(1, context.pool.threads() / static_cast<int>(members));
    const auto work = [&](std::size_t i) {
      try {
        TaskPool pool{pool_size};
        const RunContext own{pool,        context.memory, progress,
                             context.log, context.stop,   &shared.of_member(i)};
        reports[i] = members_[i]->run(plan, terms, epilogue, sink, own);
        shared.leave(nullptr);
      } catch (...) {
        shared.leave(std::current_exception());
      }
    };
    for (std::size_t i = 1; i < members; ++i) try {
        threads.emplace_back(work, i);
      } catch (const std::system_error&) {  // no more threads
        shared.leave(std::current_exception());
      }
    work(0);
    for (std::thread& thread : threads) thread.join();
    shared.finish();
    RunReport report;
    for (const RunReport& one : reports) join(report, one);
    return report;
  }

  std::vector<std::unique_ptr<Executor>> members_;
};

}  // namespace

std::unique_ptr<Executor> make_executor_of_many(std::vector<std::unique_ptr<Executor>> members) {
  return std::make_unique<ExecutorOfMany>(std::move(members));
}

}  // namespace synthoscope::multigpu

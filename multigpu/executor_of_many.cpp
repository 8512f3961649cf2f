// SPDX-License-Identifier: MIT
#include "multigpu/executor_of_many.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include "core/base/assert.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "fftconv/plan/gpu/scaling.hpp"
#include "multigpu/shared_run.hpp"

namespace synthoscope::multigpu {
namespace {

using fftconv::Executor;
using fftconv::Plan;
using fftconv::RunReport;
using fftconv::Term;

/// Returns the reason why a run cannot be shared; empty if it can.
std::string why_alone(const Plan& plan, BoxOrder stored) {
  if (plan.cut.fold_on_device && plan.cut.parts == 1)
    return "the plan has one part; --parts 2 and more can be shared";
  if (!plan.cut.fold_on_device && fftconv::step_count(plan) == 1)
    return fmt::format("the plan (strategy {}) has no steps to share", name_of(plan.strategy));
  if (stored != BoxOrder::any) return "the result is stored plane after plane";
  return "";
}

class ExecutorOfMany final : public Executor {
 public:
  ExecutorOfMany(std::vector<std::unique_ptr<Executor>> members,
                 std::unique_ptr<PartsOfMany> in_parts)
      : members_{std::move(members)}, in_parts_{std::move(in_parts)} {
    SYNTHOSCOPE_ASSERT(members_.empty(), ==, false);
    for (const auto& member : members_) able_.push_back(member.get());
  }
  [[nodiscard]] fftconv::Machine machine() const override { return members_.front()->machine(); }

  [[nodiscard]] std::vector<Executor*> at_once(const Plan& plan) override {
    if (why_alone(plan, plan.problem.order).empty()) return {this};
    return able_;
  }

  RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                const RunContext& context) override {
    const bool parts = in_parts_ && plan.cut.fold_on_device && able_.size() == members_.size();
    const IntervalSet to_do =
        parts ? IntervalSet{{0, plan.cut.parts}} : steps_to_do(context, fftconv::step_count(plan));
    const std::size_t members = usable_members(plan, sink, to_do, context);
    if (members < 2) return able_.front()->run(plan, terms, epilogue, sink, context);
    if (parts) return run_in_parts(members, plan, terms, epilogue, sink, context);
    const Plan shared =
        fftconv::device::with_batches_for(static_cast<std::int64_t>(members), plan, terms, sink);
    const SharedReport report =
        run_shared({able_.begin(), able_.begin() + static_cast<std::ptrdiff_t>(members)}, shared,
                   terms, epilogue, sink, context, to_do);
    for (Executor* const lost : report.lost) std::erase(able_, lost);
    return report.run;
  }

 private:
  [[nodiscard]] std::size_t usable_members(const Plan& plan, const Sink& sink,
                                           const IntervalSet& to_do,
                                           const RunContext& context) const {
    if (able_.size() < 2) return 1;
    if (const auto why = why_alone(plan, sink.accepts()); !why.empty()) {
      context.log.note(fmt::format("one of {} devices does all the work: {}", able_.size(), why));
      return 1;
    }
    const std::int64_t left = context.memory.limit() - context.memory.used();
    const std::int64_t affordable = left / std::max<std::int64_t>(1, plan.memory_bytes());
    const auto most = static_cast<std::int64_t>(able_.size());
    if (affordable < most)
      context.log.note(fmt::format("{} of {} devices are used: no more fit into --memory",
                                   std::max<std::int64_t>(1, affordable), most));
    if (plan.cut.fold_on_device && plan.cut.parts < std::min(affordable, most))
      context.log.note(fmt::format(
          "{} of {} devices are used: the plan has no more parts; --parts {} gives each device one",
          plan.cut.parts, most, most));
    return static_cast<std::size_t>(
        std::clamp<std::int64_t>(std::min(affordable, to_do.count()), 1, most));
  }

  /// Falls back to one member if another has too little memory: nothing is written before all have
  /// reserved theirs.
  RunReport run_in_parts(std::size_t members, const Plan& plan, std::span<const Term> terms,
                         Epilogue& epilogue, Sink& sink, const RunContext& context) {
    try {
      return in_parts_->run(members, plan, terms, epilogue, sink, context);
    } catch (const OutOfDeviceMemory& failure) {
      context.log.note(
          fmt::format("one of {} devices does all the work: {}", able_.size(), failure.what()));
    }
    return able_.front()->run(plan, terms, epilogue, sink, context);
  }

  std::vector<std::unique_ptr<Executor>> members_;
  std::vector<Executor*> able_;  ///< of these, that were not lost
  std::unique_ptr<PartsOfMany> in_parts_;
};

}  // namespace

std::unique_ptr<Executor> make_executor_of_many(std::vector<std::unique_ptr<Executor>> members,
                                                std::unique_ptr<PartsOfMany> in_parts) {
  return std::make_unique<ExecutorOfMany>(std::move(members), std::move(in_parts));
}

}  // namespace synthoscope::multigpu

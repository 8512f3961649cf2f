// SPDX-License-Identifier: MIT
#include "multigpu/shared_run.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <exception>
#include <thread>
#include <utility>
#include "core/base/error.hpp"
#include "core/stream/device_stream.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "multigpu/joined.hpp"
#include "multigpu/shared_steps.hpp"

namespace synthoscope::multigpu {
namespace {

using fftconv::Executor;
using fftconv::Plan;
using fftconv::RunReport;
using fftconv::Term;

/// Returns whether something of the result is known to a device alone until the run ends.
bool counts_on_devices(std::span<const Term> terms, Epilogue& epilogue) {
  return epilogue.make_on_device() || std::any_of(terms.begin(), terms.end(), [](const Term& term) {
           return term.image->make_on_device() != nullptr;
         });
}

class SharedRun {
 public:
  SharedRun(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
            const RunContext& context)
      : plan_{plan},
        terms_{terms},
        epilogue_{epilogue},
        sink_{sink},
        context_{context},
        progress_{context.progress},
        may_lose_{!counts_on_devices(terms, epilogue)} {}

  /// One round: takes those that fail out of `members`. @returns what they have left to do
  IntervalSet run(std::vector<Executor*>& members, const IntervalSet& to_do) {
    context_.progress.begin(fmt::format("convolve on {} devices", members.size()),
                            fftconv::progress_of(plan_, to_do));
    SharedSteps shared{to_do, members.size(), context_.checkpoint};
    std::vector<Outcome> outcomes(members.size());
    const std::int64_t memory_share = (context_.memory.limit() - context_.memory.used()) /
                                      static_cast<std::int64_t>(members.size());
    const auto work = [&](std::size_t i) {
      outcomes[i] = run_member(*members[i], shared, i, members.size(), memory_share);
    };
    std::vector<std::thread> threads;
    threads.reserve(members.size());  // once a thread runs, nothing may throw
    for (std::size_t i = 1; i < members.size(); ++i) try {
        threads.emplace_back(work, i);
      } catch (const std::exception&) {  // no more threads
        shared.leave(std::current_exception());
      }
    work(0);
    for (std::thread& thread : threads) thread.join();
    const IntervalSet left = shared.finish();

    RunReport round;
    std::vector<Executor*> able;
    for (std::size_t i = 0; i < members.size(); ++i)
      if (outcomes[i].failure) {
        failures_.push_back(outcomes[i].failure);
        if (!outcomes[i].was_full) report_.lost.push_back(members[i]);
      } else {
        able.push_back(members[i]);
        merge_concurrent_report(round, outcomes[i].report);
      }
    members = std::move(able);
    append_report(report_.run, round);
    report_.run.peak_memory_bytes = context_.memory.peak();  // of all at once
    return left;
  }

  [[nodiscard]] const SharedReport& report() const { return report_; }

  /// Warns of each member that failed in this round, and that `members` continue if work is left.
  /// @throws what one of them threw, if no member is left
  void log_failures(std::size_t members, bool is_left) {
    for (const std::exception_ptr& failure : std::exchange(failures_, {})) try {
        std::rethrow_exception(failure);
      } catch (const CudaError& error) {
        if (is_left && members == 0) throw;
        context_.log.warn(fmt::format("{}; the run continues without this GPU{}", error.what(),
                                      !is_left       ? ""
                                      : members == 1 ? ", and another does the rest of its work"
                                                     : ", and others do the rest of its work"));
      }
  }

 private:
  struct Outcome {
    RunReport report;
    std::exception_ptr failure;  ///< of a GPU
    bool was_full = false;       ///< it had not the memory: another run may find it
  };

  Outcome run_member(Executor& member, SharedSteps& shared, std::size_t i, std::size_t members,
                     std::int64_t memory_share) {
    Outcome outcome;
    try {
      TaskPool pool{std::max(1, context_.pool.threads() / static_cast<int>(members))};
      MemoryBudget memory{context_.memory, memory_share};
      const RunContext own{pool,         memory,        progress_,
                           context_.log, context_.stop, &shared.of_member(i)};
      outcome.report = member.run(plan_, terms_, epilogue_, sink_, own);
      shared.leave(nullptr);
    } catch (const CudaError& failure) {
      if (may_lose_) {
        outcome.failure = std::current_exception();
        outcome.was_full = dynamic_cast<const OutOfDeviceMemory*>(&failure) != nullptr;
        shared.lose();
      } else {
        shared.leave(std::current_exception());
      }
    } catch (...) {
      shared.leave(std::current_exception());
    }
    return outcome;
  }

  const Plan& plan_;
  std::span<const Term> terms_;
  Epilogue& epilogue_;
  Sink& sink_;
  const RunContext& context_;
  JoinedProgress progress_;
  bool may_lose_;
  SharedReport report_;
  std::vector<std::exception_ptr> failures_;  ///< of this round
};

}  // namespace

SharedReport run_shared(std::vector<Executor*> members, const Plan& plan,
                        std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                        const RunContext& context, const IntervalSet& to_do) {
  SharedRun run{plan, terms, epilogue, sink, context};
  IntervalSet left = to_do;
  while (!left.all().empty()) {
    left = run.run(members, left);
    run.log_failures(members.size(), !left.all().empty());
  }
  return run.report();
}

}  // namespace synthoscope::multigpu

// SPDX-License-Identifier: MIT
#include "fftconv/host/executor.hpp"
#include "fftconv/fft/lane_functions.hpp"
#include "fftconv/host/parts/run.hpp"
#include "fftconv/host/run.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "fftconv/planes/run_checked.hpp"

namespace synthoscope::fftconv {
namespace {

class HostExecutor final : public Executor {
 public:
  HostExecutor(const Machine& machine, std::filesystem::path scratch_folder, Team* team)
      : machine_{machine}, scratch_folder_{std::move(scratch_folder)}, team_{team} {}
  [[nodiscard]] Machine machine() const override { return machine_; }

  RunReport run(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                const RunContext& context) override {
    return run_checked(plan, terms, epilogue, sink, scratch_folder_, context,
                       [&](Sink& any_order, const RunContext& recorded) {
                         return run_plan(plan, terms, epilogue, any_order, recorded);
                       });
  }

 private:
  RunReport run_plan(const Plan& plan, std::span<const Term> terms, Epilogue& epilogue, Sink& sink,
                     const RunContext& context) {
    if (is_by_sums(plan.strategy)) return run_sums(plan, terms.front(), epilogue, sink, context);
    const auto run = [&](auto zero) {
      using Real = decltype(zero);
      return plan.strategy == Strategy::parts
                 ? run_parts<Real>(plan, terms.front(), epilogue, sink, context)
                 : run_on_host<Real>(plan, terms, epilogue, sink, context);
    };
    return plan.problem.precision == Precision::float32 ? run(float{}) : run(double{});
  }

  template <class Real>
  RunReport run_parts(const Plan& plan, const Term& term, Epilogue& epilogue, Sink& sink,
                      const RunContext& context) {
    // All members have done theirs, or none has
    if (team_ && steps_to_do(context, team_->member().count).count() == 0) return {};
    auto report = run_in_parts<Real>(plan, term, epilogue, sink, scratch_folder_, team_, context);
    if (team_) finish_step(context, team_->member().number - 1);
    return report;
  }

  Machine machine_;
  std::filesystem::path scratch_folder_;
  Team* team_;
};

}  // namespace

std::unique_ptr<Executor> make_host_executor(const Machine& machine,
                                             const std::filesystem::path& scratch_folder,
                                             Team* team) {
  return std::make_unique<HostExecutor>(
      machine, scratch_folder.empty() ? std::filesystem::temp_directory_path() : scratch_folder,
      team);
}

std::string_view host_instruction_set(Precision precision) {
  return precision == Precision::float32
             ? available_lane_functions<float>().front()->instruction_set
             : available_lane_functions<double>().front()->instruction_set;
}

}  // namespace synthoscope::fftconv

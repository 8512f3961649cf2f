// SPDX-License-Identifier: MIT
#include "jobs/light/light_search.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include "core/base/error.hpp"

namespace synthoscope::jobs {
namespace {

/// The plans of both convolutions; none if all volumes lie on a device.
std::vector<std::string> texts_of(const IterationPlan& plan) {
  if (!plan.steps) return {};
  return {fftconv::to_json(plan.steps->blur), fftconv::to_json(plan.steps->adjoint)};
}

}  // namespace

/// Puts the number of the iteration and the likelihood before the last one in front of every stage.
class LightSearch::NumberedProgress final : public Progress {
 public:
  NumberedProgress(Progress& whole, int last) : whole_{whole}, last_{last} {}
  /// Begins a stage for the iteration, because a GPU reports none.
  void begin_iteration(int number, const std::vector<double>& log_likelihoods) {
    label_ = fmt::format("iteration {}/{}", number, last_);
    if (!log_likelihoods.empty())
      label_ += fmt::format(", log likelihood {:.8g}", log_likelihoods.back());
    whole_.begin(label_, 1);
  }
  void begin(std::string_view stage, std::int64_t total) override {
    whole_.begin(fmt::format("{}: {}", label_, stage), total);
  }
  void advance(std::int64_t units) override { whole_.advance(units); }

 private:
  Progress& whole_;
  int last_;
  std::string label_;
};

LightSearch::LightSearch(const LightModel& light, const Saving& saving,
                         const IterationState* earlier, const RunContext& context)
    : light_{light}, saving_{saving}, earlier_{earlier}, context_{context} {
  if (earlier) found_ = findings_from(earlier->found);
}

LightSearch::~LightSearch() = default;

void LightSearch::iterate(const Findings& number) {
  if (number.iterations > 0) {
    found_.iterations = number.iterations;
    found_.rounds = number.rounds;
  }
  progress_ = std::make_unique<NumberedProgress>(context_.progress, found_.iterations);
  begin();
  while (iterations_->iterations() < found_.iterations) {
    progress_->begin_iteration(iterations_->iterations() + 1, found_.log_likelihoods);
    found_.log_likelihoods.push_back(iterations_->iterate());
    if (iterations_->iterations() < found_.iterations) save_if_due();
  }
}

void LightSearch::begin() {
  numbered_.emplace(with_progress(*progress_, context_));
  iterations_ =
      make_iterations(light_.plan, light_.model, light_.image, light_.resources, *numbered_);
  if (const auto* earlier = std::exchange(earlier_, nullptr))
    iterations_->go_on_after(earlier->iterations, [&](std::span<Sink* const> volumes) {
      saving_.file->load(volumes, context_);
    });
  else
    iterations_->begin();
}

/// A disk that is too full for a checkpoint is no reason to stop.
void LightSearch::save_if_due() {
  const std::chrono::duration<double> since = Clock::now() - saved_;
  if (!saving_.file || since.count() < saving_.every_seconds) return;
  try {
    saving_.file->save({.request = saving_.request,
                        .plans = texts_of(light_.plan),
                        .iterations = iterations_->iterations(),
                        .found = findings_text(found_)},
                       iterations_->kept(), context_);
  } catch (const IoError& failure) {
    context_.log.warn(
        fmt::format("iteration {} was not saved: {}", iterations_->iterations(), failure.what()));
  }
  saved_ = Clock::now();
}

}  // namespace synthoscope::jobs

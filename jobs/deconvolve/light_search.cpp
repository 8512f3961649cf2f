// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/light_search.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include "core/base/error.hpp"
#include "deconvolution/image/halves.hpp"
#include "deconvolution/iteration/peak_search.hpp"

namespace synthoscope::jobs {
namespace {

/// Another division has another noise, and may stop an iteration earlier or later.
constexpr std::uint64_t kSeedOfHalves = 0;

/// The plans of both convolutions; none if all volumes lie on a device.
std::vector<std::string> texts_of(const IterationPlan& plan) {
  if (!plan.steps) return {};
  return {fftconv::to_json(plan.steps->blur), fftconv::to_json(plan.steps->adjoint)};
}

}  // namespace

/// Puts the number of the iteration in front of every stage.
class LightSearch::NumberedProgress final : public Progress {
 public:
  NumberedProgress(Progress& whole, std::string what) : whole_{whole}, what_{std::move(what)} {}
  void begin_iteration(int number) { number_ = number; }
  void begin(std::string_view stage, std::int64_t total) override {
    whole_.begin(fmt::format(fmt::runtime(what_), number_, stage), total);
  }
  void advance(std::int64_t units) override { whole_.advance(units); }

 private:
  Progress& whole_;
  std::string what_;  ///< with places for the number and the stage
  int number_ = 0;
};

LightSearch::LightSearch(const LightModel& light, const Saving& saving,
                         const IterationState* earlier, const RunContext& context)
    : light_{light}, saving_{saving}, earlier_{earlier}, context_{context} {
  if (earlier) found_ = findings_from(earlier->found);
}

LightSearch::~LightSearch() = default;

void LightSearch::find_number(int most) {
  if (found_.iterations > 0) return;
  const auto half = light_.resources.place.make(light_.image.extent(), "half of the image");
  deconvolution::divide(light_.image, *half, kSeedOfHalves, context_);
  deconvolution::OtherHalf other{light_.image, *half};
  deconvolution::Model of_half = light_.model;
  of_half.background /= 2;
  progress_ =
      std::make_unique<NumberedProgress>(context_.progress, "half of the light, iteration {}: {}");
  begin(of_half, {*half, &other});
  deconvolution::PeakSearch search;
  for (const double likelihood : found_.held_out) search.add(likelihood);
  while (!search.is_over() && iterations_->iterations() <= most) {
    progress_->begin_iteration(iterations_->iterations() + 1);
    iterations_->iterate();
    found_.held_out.push_back(iterations_->take_held_out());
    search.add(found_.held_out.back());
    save_if_due();
  }
  found_.iterations = std::max(search.peak(), 1);
  if (found_.iterations >= most)
    context_.log.warn(
        fmt::format("after {} iterations the likelihood of the half that is held out still grows, "
                    "as it does for points of light; --iterations N goes on",
                    most));
  else
    context_.log.note(
        fmt::format("{} iterations: the likelihood of the half of the light that was held out is "
                    "largest then",
                    found_.iterations));
  iterations_.reset();
}

void LightSearch::iterate(std::optional<std::int64_t> number) {
  if (number) found_.iterations = static_cast<int>(*number);
  progress_ = std::make_unique<NumberedProgress>(
      context_.progress, fmt::format("iteration {{}}/{}: {{}}", found_.iterations));
  begin(light_.model, {light_.image});
  while (iterations_->iterations() < found_.iterations) {
    progress_->begin_iteration(iterations_->iterations() + 1);
    found_.log_likelihoods.push_back(iterations_->iterate());
    if (iterations_->iterations() < found_.iterations) save_if_due();
  }
}

void LightSearch::begin(const deconvolution::Model& model,
                        const deconvolution::Recorded& recorded) {
  numbered_.emplace(with_progress(*progress_, context_));
  iterations_ = make_iterations(light_.plan, model, recorded, light_.resources, *numbered_);
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

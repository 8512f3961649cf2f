// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/light_search.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include "core/base/error.hpp"
#include "deconvolution/halves.hpp"
#include "deconvolution/peak_search.hpp"

namespace synthoscope::jobs {
namespace {

/// Another division has another noise, and may stop an iteration earlier or later.
constexpr std::uint64_t kSeedOfHalves = 0;

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

void LightSearch::find_number(int most) {
  if (found_.iterations > 0) return;
  WorkingSet& set = light_.set;
  deconvolution::divide(set.image(), set.half(), kSeedOfHalves, context_);
  deconvolution::OtherHalf other{set.image(), set.half()};
  deconvolution::Model half = light_.model;
  half.background /= 2;
  NumberedProgress progress{context_.progress, "half of the light, iteration {}: {}"};
  const RunContext numbered = with_progress(progress, context_);
  deconvolution::RichardsonLucy lucy{half,         {set.half(), &other}, set.volumes(),
                                     light_.plans, light_.executor,      numbered};
  begin(lucy);
  deconvolution::PeakSearch search;
  for (const double likelihood : found_.held_out) search.add(likelihood);
  while (!search.is_over() && lucy.iterations() <= most) {
    progress.begin_iteration(lucy.iterations() + 1);
    lucy.iterate();
    found_.held_out.push_back(lucy.take_held_out());
    search.add(found_.held_out.back());
    save_if_due(lucy);
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
  set.drop_half();
}

void LightSearch::iterate(std::optional<std::int64_t> number) {
  if (number) found_.iterations = static_cast<int>(*number);
  NumberedProgress progress{context_.progress,
                            fmt::format("iteration {{}}/{}: {{}}", found_.iterations)};
  const RunContext numbered = with_progress(progress, context_);
  deconvolution::RichardsonLucy lucy{light_.model, {light_.set.image()}, light_.set.volumes(),
                                     light_.plans, light_.executor,      numbered};
  begin(lucy);
  while (lucy.iterations() < found_.iterations) {
    progress.begin_iteration(lucy.iterations() + 1);
    found_.log_likelihoods.push_back(lucy.iterate());
    if (lucy.iterations() < found_.iterations) save_if_due(lucy);
  }
}

void LightSearch::begin(deconvolution::RichardsonLucy& lucy) {
  if (!earlier_) return lucy.begin();
  saving_.file->load(light_.set.kept<Sink>(), context_);
  lucy.go_on_after(std::exchange(earlier_, nullptr)->iterations);
}

/// A disk that is too full for a checkpoint is no reason to stop.
void LightSearch::save_if_due(const deconvolution::RichardsonLucy& lucy) {
  const std::chrono::duration<double> since = Clock::now() - saved_;
  if (!saving_.file || since.count() < saving_.every_seconds) return;
  try {
    saving_.file->save(
        {.request = saving_.request,
         .plans = {fftconv::to_json(light_.plans.blur), fftconv::to_json(light_.plans.adjoint)},
         .iterations = lucy.iterations(),
         .found = findings_text(found_)},
        light_.set.kept<Source>(), context_);
  } catch (const IoError& failure) {
    context_.log.warn(
        fmt::format("iteration {} was not saved: {}", lucy.iterations(), failure.what()));
  }
  saved_ = Clock::now();
}

}  // namespace synthoscope::jobs

// SPDX-License-Identifier: MIT
#include "jobs/light/number_search.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <string>
#include "core/stream/carry.hpp"
#include "core/stream/store_as.hpp"
#include "deconvolution/filters/back_projector.hpp"
#include "jobs/light/blurred_difference.hpp"
#include "jobs/light/brightest_part.hpp"
#include "jobs/light/simulated_image.hpp"

namespace synthoscope::jobs {
namespace {

/// Other draws have other noise, and may lead to an iteration more or less.
constexpr std::uint64_t kSeed = 0;

/// Estimates of the image are kept after this share of the iterations of a round. Later rounds try
/// numbers that are a little smaller, or larger.
constexpr double kKeptAfter = 0.75;

/// Returns the standard deviations of a Gaussian that is as wide as the PSF at half maximum.
std::array<double, 3> resolution_of(const deconvolution::Model& model, const RunContext& context) {
  constexpr double kWidthsPerSigma = 2.3548200450309493;  // 2 sqrt(2 ln 2)
  std::array<double, 3> sigmas = deconvolution::half_widths(model.kernel, context);
  const Extent3& f = model.geometry.field;
  const std::array<std::int64_t, 3> sizes{f.z, f.y, f.x};
  for (std::size_t axis = 0; axis < 3; ++axis)
    sigmas[axis] = sizes[axis] == 1 ? 0 : sigmas[axis] / kWidthsPerSigma;
  return sigmas;
}

deconvolution::Model part_of(const deconvolution::Model& whole, const SearchPlan& plan) {
  deconvolution::Model model = whole;
  model.geometry = plan.geometry;
  return model;
}

int kept_count(bool has_momentum) {
  return has_momentum ? 2 : 1;
}

}  // namespace

std::int64_t search_bytes(const SearchPlan& plan, std::int64_t estimates, bool has_momentum) {
  return 2 * std::int64_t{sizeof(float)} * volume(plan.geometry.field) +
         volume_bytes(plan.geometry, estimates + kept_count(has_momentum));
}

NumberSearch::NumberSearch(const IterationPlan& plan, const deconvolution::Model& model,
                           Source& image, const IterationResources& resources,
                           const RunContext& context)
    : plan_{.steps = plan.search->steps, .has_momentum = plan.has_momentum},
      model_{part_of(model, *plan.search)},
      resources_{resources.executor, resources.device_bytes, {context.memory, std::nullopt}},
      context_{context},
      resolution_{resolution_of(model_, context)},
      recorded_{image, brightest_part(image, model_.geometry.field, context)},
      truth_{model_.geometry.field, PixelType::float32, context.memory, "light taken as the truth"},
      simulated_{model_.geometry.field, PixelType::float32, context.memory, "a simulated image"},
      kept_{model_.geometry, kept_count(plan.has_momentum), context.memory} {}

deconvolution::SearchStep NumberSearch::find(int first, int most) {
  deconvolution::SearchStep step{.number = first};
  while (step.end == deconvolution::SearchEnd::open) {
    simulate_light_after(step.number);
    rounds_.push_back({step.number, best_number(most)});
    step = deconvolution::next_step(rounds_, most);
  }
  return step;
}

/// Fills `truth_` and `simulated_`.
void NumberSearch::simulate_light_after(int iterations) {
  const std::string label = fmt::format("number of iterations, light after {}", iterations);
  LabelledProgress labelled{context_.progress, label};
  const RunContext context = with_progress(labelled, context_);
  const auto light = recorded_light(iterations, context);
  SimulatedImage simulated{model_.geometry.field, model_.background, kSeed};
  blur_light(model_, plan_.steps->blur, light->result(), simulated, simulated_, resources_.executor,
             context);
  PartSource field{light->result(), field_in_estimate(model_.geometry)};
  StoreAs unchanged{PixelType::float32};
  carry("truth", field, unchanged, truth_, context);
}

/// Returns light of the image after so many iterations. Continues from kept estimates, if they are
/// not of a later iteration.
std::unique_ptr<Iterations> NumberSearch::recorded_light(int iterations,
                                                         const RunContext& context) {
  auto light = make_iterations(plan_, model_, recorded_, resources_, context);
  if (kept_.iterations() > 0 && kept_.iterations() <= iterations)
    kept_.restore(*light, context);
  else
    light->begin();
  const int keep_after = std::max(1, static_cast<int>(kKeptAfter * iterations));
  while (light->iterations() < iterations) {
    light->iterate();
    if (light->iterations() == keep_after) kept_.keep(*light, context);
  }
  return light;
}

/// Returns the number of iterations that brings light of `simulated_` closest to `truth_`.
int NumberSearch::best_number(int most) {
  LabelledProgress labelled{
      context_.progress,
      fmt::format("number of iterations, simulated image {}", rounds_.size() + 1)};
  const RunContext context = with_progress(labelled, context_);
  const auto light = make_iterations(plan_, model_, simulated_, resources_, context);
  light->begin();
  deconvolution::SmallestError search;
  while (!search.is_over() && search.next() <= most) {
    while (light->iterations() < search.next()) light->iterate();
    search.add(light->iterations(), error_of(light->result()));
  }
  return search.best();
}

double NumberSearch::error_of(Source& estimate) {
  PartSource field{estimate, field_in_estimate(model_.geometry)};
  NoProgress quiet;
  return blurred_difference(field, truth_, resolution_, with_progress(quiet, context_));
}

}  // namespace synthoscope::jobs

// SPDX-License-Identifier: MIT
#include "jobs/light/number_search.hpp"
#include <fmt/format.h>
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
constexpr int kMostRounds = 10;

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

}  // namespace

std::int64_t search_bytes(const SearchPlan& plan, std::int64_t estimates) {
  return 2 * std::int64_t{sizeof(float)} * volume(plan.geometry.field) +
         volume_bytes(plan.geometry, estimates);
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
      simulated_{model_.geometry.field, PixelType::float32, context.memory, "a simulated image"} {}

int NumberSearch::find(int first, int most) {
  int number = first;
  for (int round = 0; round < kMostRounds; ++round) {
    simulate_light_after(number);
    rounds_.push_back({number, best_number(most)});
    const int next = deconvolution::next_number(number, rounds_.back().best, most);
    if (deconvolution::is_settled(number, next)) return next;
    number = next;
  }
  return number;
}

/// Fills `truth_` and `simulated_`.
void NumberSearch::simulate_light_after(int iterations) {
  const std::string label = fmt::format("number of iterations, light after {}", iterations);
  LabelledProgress labelled{context_.progress, label};
  const RunContext context = with_progress(labelled, context_);
  const auto light = begun(recorded_, context);
  while (light->iterations() < iterations) light->iterate();
  SimulatedImage simulated{model_.geometry.field, model_.background, kSeed};
  blur_light(model_, plan_.steps->blur, light->result(), simulated, simulated_, resources_.executor,
             context);
  PartSource field{light->result(), field_in_estimate(model_.geometry)};
  StoreAs unchanged{PixelType::float32};
  carry("truth", field, unchanged, truth_, context);
}

/// Returns the number of iterations that brings light of `simulated_` closest to `truth_`.
int NumberSearch::best_number(int most) {
  LabelledProgress labelled{
      context_.progress,
      fmt::format("number of iterations, simulated image {}", rounds_.size() + 1)};
  const RunContext context = with_progress(labelled, context_);
  const auto light = begun(simulated_, context);
  deconvolution::SmallestError search;
  while (!search.is_over() && search.next() <= most) {
    while (light->iterations() < search.next()) light->iterate();
    search.add(light->iterations(), error_of(light->result()));
  }
  return search.best();
}

std::unique_ptr<Iterations> NumberSearch::begun(Source& image, const RunContext& context) const {
  auto light = make_iterations(plan_, model_, image, resources_, context);
  light->begin();
  return light;
}

double NumberSearch::error_of(Source& estimate) {
  PartSource field{estimate, field_in_estimate(model_.geometry)};
  NoProgress quiet;
  return blurred_difference(field, truth_, resolution_, with_progress(quiet, context_));
}

}  // namespace synthoscope::jobs

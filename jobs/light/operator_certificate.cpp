// SPDX-License-Identifier: MIT
#include "jobs/light/operator_certificate.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/json.hpp"
#include "core/stream/store_as.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::jobs {
namespace {

constexpr double kAllowedOfNorms = 1e-6;

/// Returns the inner product of two float32 volumes of one extent, in double precision. Rows are
/// summed first, which keeps more digits of a long sum.
double inner_product(Source& first, Source& second, const StopFlag& stop) {
  const std::int64_t columns = first.extent().x;
  std::vector<float> other(static_cast<std::size_t>(columns));
  double sum = 0;
  fftconv::for_each_row(first, stop, [&](std::int64_t z, std::int64_t y, const auto* row) {
    second.read({{z, y, 0}, {1, 1, columns}}, HostView3<float>{other.data(), {1, 1, columns}});
    double of_row = 0;
    for (std::int64_t x = 0; x < columns; ++x)
      of_row += static_cast<double>(row[x]) * double{other[static_cast<std::size_t>(x)]};
    sum += of_row;
  });
  return sum;
}

double norm(Source& volume, const StopFlag& stop) {
  return std::sqrt(inner_product(volume, volume, stop));
}

fftconv::Certificate recompute(const CertifyChoice& choice, const fftconv::Problem& problem,
                               const fftconv::Term& term, Source& result,
                               const RunContext& context) {
  const std::int64_t count = std::min(choice.voxels, volume(output_extent(problem)));
  return certify(problem, term, result, count, static_cast<std::uint64_t>(choice.seed), context);
}

/// One of the convolutions of an iteration.
struct Step {
  const fftconv::Plan& plan;
  fftconv::Term term;
};

std::unique_ptr<ScratchVolume> result_of(const Step& step, const IterationResources& resources,
                                         const RunContext& context) {
  auto result = resources.place.make(output_extent(step.plan.problem), "a volume to certify");
  StoreAs store{PixelType::float32};
  resources.executor.run(step.plan, {&step.term, 1}, store, *result, context);
  return result;
}

Json json_of(const fftconv::Certificate& c) {
  return {{"voxels", c.voxels},
          {"largest_error", c.largest_error},
          {"worst", {c.worst.z, c.worst.y, c.worst.x}},
          {"stored", c.stored},
          {"recomputed", c.recomputed},
          {"peak", c.peak},
          {"tolerance", c.tolerance}};
}

}  // namespace

bool Adjointness::holds() const {
  return std::abs(blurred - back) <= allowed;
}

std::string OperatorCertificate::failure() const {
  for (const auto& [name, certificate] : convolutions)
    if (!certificate.holds()) return fmt::format("{}: {}", name, sentence_of(certificate));
  if (adjointness && !adjointness->holds())
    return fmt::format(
        "<H u, y> is {:.9g} and <u, H^T y> is {:.9g}, which differ by more than {:.3g}",
        adjointness->blurred, adjointness->back, adjointness->allowed);
  return {};
}

std::string OperatorCertificate::json() const {
  Json json = Json::object();
  for (const auto& [name, certificate] : convolutions) json[name] = json_of(certificate);
  if (adjointness)
    json["adjointness"] = {{"blurred", adjointness->blurred},
                           {"back", adjointness->back},
                           {"difference", std::abs(adjointness->blurred - adjointness->back)},
                           {"allowed", adjointness->allowed}};
  return text_of(json);
}

std::int64_t certify_bytes(const CertifyChoice& choice, const deconvolution::Geometry& geometry,
                           int threads) {
  if (!choice.is_wanted()) return 0;
  const std::int64_t voxels = volume(estimate_extent(geometry));
  return fftconv::certify_bytes(blur_problem(geometry), std::min(choice.voxels, voxels), threads);
}

std::int64_t certify_volume_bytes(const CertifyChoice& choice,
                                  const deconvolution::Geometry& geometry) {
  return choice.is_wanted() ? volume(estimate_extent(geometry)) * std::int64_t{sizeof(float)} : 0;
}

/// One volume is held at a time.
OperatorCertificate certify_iterations(const CertifyChoice& choice, const LightModel& light,
                                       Source& estimate, const RunContext& context) {
  const deconvolution::Model& model = light.model;
  const Step blur{light.plan.steps->blur, {&estimate, model.kernel, {}}},
      back{light.plan.steps->adjoint, {&light.image, model.back.value_or(model.kernel), {}}};
  OperatorCertificate found;
  Adjointness adjointness;
  for (const bool is_blur : {true, false}) {
    const Step& step = is_blur ? blur : back;
    const auto result = result_of(step, light.resources, context);
    found.convolutions.emplace_back(
        is_blur ? "blur" : "back",
        recompute(choice, step.plan.problem, step.term, *result, context));
    Source& other = is_blur ? light.image : estimate;
    (is_blur ? adjointness.blurred : adjointness.back) =
        inner_product(*result, other, context.stop);
    if (is_blur)
      adjointness.allowed =
          kAllowedOfNorms * norm(*result, context.stop) * norm(light.image, context.stop);
  }
  if (!model.back) found.adjointness = adjointness;
  return found;
}

OperatorCertificate certify_filter(const CertifyChoice& choice, const fftconv::Problem& problem,
                                   const fftconv::Term& term, Source& filtered,
                                   const RunContext& context) {
  return {{{"filter", recompute(choice, problem, term, filtered, context)}}, {}};
}

}  // namespace synthoscope::jobs

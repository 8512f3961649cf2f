// SPDX-License-Identifier: MIT
#include "bench/kernel_jobs.hpp"
#include <fmt/format.h>
#include <cmath>
#include <fstream>
#include <iterator>
#include "core/error.hpp"
#include "kernels/correlation.hpp"
#include "kernels/separable_correlation.hpp"

namespace synthoscope::kernels {
namespace {

NeighbourhoodSetting setting_of(const Job& job) {
  NeighbourhoodSetting setting;
  setting.image = job.extent;
  setting.type = job.type;
  return setting;
}

std::unique_ptr<Operation> correlation(const Job& job) {
  return make_direct_correlation(
      setting_of(job),
      correlation_stencil(extent_in(job.words.at("weights_extent")), job.words.at("weights")));
}

/// The same weights along every axis, but none along z where there is one plane.
std::unique_ptr<Operation> separable(const Job& job, const std::vector<double>& weights) {
  return make_separable_correlation(
      setting_of(job),
      separable_stencil(job.extent.z > 1 ? weights : std::vector{1.0}, weights, weights));
}

std::unique_ptr<Operation> gaussian(const Job& job) {
  const double sigma = job.words.at("sigma"), truncate = job.words.at("truncate");
  const auto radius = static_cast<int>(truncate * sigma + 0.5);
  std::vector<double> weights;
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) {
    weights.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return separable(job, weights);
}

std::unique_ptr<Operation> box(const Job& job) {
  const std::size_t side = job.words.at("side");
  return separable(job, std::vector(side, 1.0 / static_cast<double>(side)));
}

}  // namespace

Extent3 extent_in(const Json& json) {
  return {json.at(0).get<std::int64_t>(), json.at(1).get<std::int64_t>(),
          json.at(2).get<std::int64_t>()};
}

Job job_of(const Json& json) {
  return {json, extent_in(json.at("extent")),
          pixel_type_named(json.at("type").get<std::string>()).value()};
}

Json json_in(const std::filesystem::path& path) {
  std::ifstream file{path};
  if (!file) throw IoError(fmt::format("read {}: it is not there", path.string()));
  return parse_json(std::string{std::istreambuf_iterator<char>{file}, {}});
}

std::unique_ptr<Operation> operation_of(const Job& job) {
  const auto name = job.words.at("operation").get<std::string>();
  if (name == "correlate") return correlation(job);
  if (name == "gaussian") return gaussian(job);
  if (name == "box") return box(job);
  throw InvalidSpec(fmt::format("measure {}: there is no such operation", name));
}

}  // namespace synthoscope::kernels

// SPDX-License-Identifier: MIT
#include "bench/kernels/kernel_jobs.hpp"
#include <fmt/format.h>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include "core/base/error.hpp"
#include "kernels/banks/filter_banks.hpp"
#include "kernels/coordinates/affine.hpp"
#include "kernels/coordinates/warp.hpp"
#include "kernels/correlate/correlation.hpp"
#include "kernels/resample/resample.hpp"
#include "kernels/splines/prefilter.hpp"
#include "kernels/variance/local_variance.hpp"

namespace synthoscope::kernels {
namespace {

std::vector<double> gaussian_weights(double sigma, double truncate) {
  const auto radius = static_cast<int>(std::floor(truncate * sigma + 0.5));
  std::vector<double> weights;
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) {
    weights.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::shared_ptr<const CoordinateMap> affine(const Json& rows) {
  Affine map;
  for (std::size_t i = 0; i < 12; ++i) map.rows[i / 4][i % 4] = rows.at(i);
  return std::make_shared<AffineMap>(map);
}

/// Of planes, with numbers for y, x and 1.
std::shared_ptr<const CoordinateMap> homography(const Json& p) {
  return std::make_shared<ProjectiveMap>(ProjectiveMap::Matrix{
      {{1, 0, 0, 0}, {0, p[0], p[1], p[2]}, {0, p[3], p[4], p[5]}, {0, p[6], p[7], p[8]}}});
}

/// Of planes: y, x in the result and in the image.
std::shared_ptr<const CoordinateMap> landmarks(const Json& lines) {
  std::vector<Landmark> all;
  for (const Json& v : lines) all.push_back({{0, v[0], v[1]}, {0, v[2], v[3]}});
  return std::make_shared<ThinPlateMap>(all);
}

/// By up to `most` voxels in waves of straight lines, which float32 holds exactly.
std::shared_ptr<const CoordinateMap> waves(const Extent3& extent, std::int64_t most) {
  struct Field {
    std::vector<float> y, x;
    std::optional<DisplacementMap> map;
  };
  const auto field = std::make_shared<Field>();
  const auto wave = [&](std::int64_t at) {
    return static_cast<float>((std::abs(at % 1024 - 512) - 256) * most) / 256;
  };
  for (std::int64_t y = 0; y < extent.y; ++y)
    for (std::int64_t x = 0; x < extent.x; ++x) {
      field->y.push_back(wave(x + 2 * y));
      field->x.push_back(wave(2 * x + y + 300));
    }
  field->map.emplace(HostView3<const float>{}, HostView3<const float>{field->y.data(), extent},
                     HostView3<const float>{field->x.data(), extent});
  return {field, &*field->map};
}

std::shared_ptr<const CoordinateMap> map_of(const Job& job) {
  const Json& words = job.words;
  if (words.contains("rows")) return affine(words.at("rows"));
  if (words.contains("homography")) return homography(words.at("homography"));
  if (words.contains("landmarks")) return landmarks(words.at("landmarks"));
  return waves(job.extent, words.at("waves"));
}

std::unique_ptr<Operation> resampling(const Job& job) {
  ResampleSpec spec;
  spec.result = job.extent;
  spec.type = job.type;
  const int order = job.words.at("order");
  spec.interpolation = order == 0   ? Interpolation::nearest
                       : order == 1 ? Interpolation::linear
                                    : Interpolation::cubic;
  spec.strategy = resample_strategy_named(job.words.value("strategy", std::string{"auto"})).value();
  spec.coordinates =
      coordinate_product_named(job.words.value("coordinates", std::string{"fused"})).value();
  return std::make_unique<Resample>(job.extent, map_of(job), spec);
}

/// The coefficients alone, of a whole image.
class SplineFilter final : public Operation {
 public:
  explicit SplineFilter(const Job& job) : extent_{job.extent}, axes_{job.extent.z > 1, true} {}
  [[nodiscard]] std::string_view stage() const override { return "spline filter"; }
  [[nodiscard]] Extent3 extent() const override { return extent_; }
  [[nodiscard]] std::vector<PixelType> types() const override { return {PixelType::float32}; }
  [[nodiscard]] Box3 needs(const Box3&) const override { return whole(extent_); }
  [[nodiscard]] std::int64_t working_bytes(const Extent3& box, int threads) const override {
    return spline_working_bytes(box.z, threads);
  }
  void apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
             TaskPool& pool) override {
    fit_spline(in, Boundary::mirror, axes_, box, 0, out.front().as<float>(), vector_level(), pool);
  }
  [[nodiscard]] StoredCounts stored_counts() const override { return {}; }

 private:
  Extent3 extent_;
  SplineAxes axes_;
};

/// Of filters that are done as "by" says, each in its cheapest way where it says nothing.
std::unique_ptr<Operation> bank(const Job& job) {
  const auto by = job.words.value("by", std::string{"auto"});
  const auto strategy = by == "separable" ? FilterStrategy::separable
                        : by == "direct"  ? FilterStrategy::shared
                                          : FilterStrategy::automatic;
  const auto name = job.words.at("bank").get<std::string>();
  return make_filter_bank(setting_of(job), {filter_bank_named(name).value(), strategy}).operation;
}

std::unique_ptr<Operation> variance(const Job& job) {
  LocalVarianceSpec spec;
  for (const Json& size : job.words.at("sizes"))
    spec.windows.push_back(window_for(
        window_shape_named(job.words.at("window").get<std::string>()).value(), size, job.extent));
  if (job.words.value("with_mean", false))
    spec.statistics = {LocalStatistic::variance, LocalStatistic::mean};
  spec.strategy = variance_strategy_named(job.words.value("way", std::string{"threewise"})).value();
  return local_variance(spec, job.extent, job.type);
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

NeighbourhoodSetting setting_of(const Job& job) {
  NeighbourhoodSetting setting;
  setting.image = job.extent;
  setting.type = job.type;
  return setting;
}

SeparableStencil separable_stencil_of(const Job& job) {
  std::vector<double> weights;
  if (job.words.at("operation") == "gaussian") {
    weights = gaussian_weights(job.words.at("sigma"), job.words.at("truncate"));
  } else {
    const std::size_t side = job.words.at("side");
    weights.assign(side, 1.0 / static_cast<double>(side));
  }
  return separable_stencil(job.extent.z > 1 ? weights : std::vector{1.0}, weights, weights);
}

Stencil stencil_of(const Job& job) {
  if (job.words.at("operation") != "correlate") return product(separable_stencil_of(job));
  return correlation_stencil(extent_in(job.words.at("weights_extent")), job.words.at("weights"));
}

std::unique_ptr<Operation> operation_of(const Job& job) {
  const auto name = job.words.at("operation").get<std::string>();
  if (name == "correlate") return make_direct_correlation(setting_of(job), stencil_of(job));
  if (name == "gaussian" || name == "box")
    return make_separable_correlation(setting_of(job), separable_stencil_of(job));
  if (name == "affine" || name == "warp") return resampling(job);
  if (name == "spline_filter") return std::make_unique<SplineFilter>(job);
  if (name == "bank") return bank(job);
  if (name == "variance") return variance(job);
  throw InvalidSpec(fmt::format("measure {}: there is no such operation", name));
}

}  // namespace synthoscope::kernels

// SPDX-License-Identifier: MIT
#include "fit/estimates/statistics.hpp"
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include "core/base/assert.hpp"
#include "core/math/random.hpp"

namespace synthoscope::fit {
namespace {

/// Numbers of `count` objects, drawn with replacement.
std::vector<std::size_t> drawn_sample(std::size_t count, int draw, const RandomStream& random) {
  std::vector<std::size_t> sample(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double u = uniform32(random.block(i, static_cast<std::uint16_t>(draw))[0]);
    sample[i] = static_cast<std::size_t>(u * static_cast<double>(count));
  }
  return sample;
}

}  // namespace

Statistics bootstrap(std::vector<std::string> names, std::size_t count,
                     const SampleStatistics& of_sample, int draws) {
  SYNTHOSCOPE_ASSERT(count, >=, std::size_t{1});
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  Statistics result{std::move(names), of_sample(all), {}, static_cast<double>(count)};
  const Eigen::Index size = result.values.size();
  result.covariance = Eigen::MatrixXd::Zero(size, size);
  if (count < 2) return result;
  const RandomStream random{0, RandomStage::fit_samples};
  Eigen::MatrixXd samples{size, draws};
  for (int draw = 0; draw < draws; ++draw)
    samples.col(draw) = of_sample(drawn_sample(count, draw, random));
  const Eigen::MatrixXd from_mean = samples.colwise() - samples.rowwise().mean().eval();
  const auto n = static_cast<double>(count);
  result.covariance = n / (n - 1) / (draws - 1) * from_mean * from_mean.transpose();
  return result;
}

Statistics joined(const Statistics& a, const Statistics& b) {
  Statistics both{a.names, {}, {}, std::min(a.units, b.units)};
  both.names.insert(both.names.end(), b.names.begin(), b.names.end());
  const Eigen::Index first = a.values.size(), second = b.values.size();
  both.values.resize(first + second);
  both.values << a.values, b.values;
  both.covariance = Eigen::MatrixXd::Zero(first + second, first + second);
  both.covariance.topLeftCorner(first, first) = a.covariance;
  both.covariance.bottomRightCorner(second, second) = b.covariance;
  return both;
}

double half_width(double units) {
  constexpr double z = 1.959964;
  const double nu = std::max(units - 1, 2.0);
  const double z2 = z * z;
  return z + z * (z2 + 1) / (4 * nu) + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * nu * nu);
}

}  // namespace synthoscope::fit

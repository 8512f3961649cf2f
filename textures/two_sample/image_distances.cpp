// SPDX-License-Identifier: MIT
#include "textures/two_sample/image_distances.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include "core/math/random.hpp"

namespace synthoscope::textures {
namespace {

constexpr double kMostStandardDeviations = 8, kLeastScale = 1e-6;
constexpr std::uint64_t kDirections = 128;
constexpr int kQuantiles = 200;
constexpr double kRounding = 1e-12;  ///< equal distances may differ by it

double distance_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Returns how many ways there are to choose `chosen` of `all`; more than `most` count as infinite.
double ways_to_choose(std::size_t all, std::size_t chosen, double most) {
  double ways = 1;
  for (std::size_t i = 0; i < std::min(chosen, all - chosen); ++i) {
    ways = ways * static_cast<double>(all - i) / static_cast<double>(i + 1);
    if (ways > most) return std::numeric_limits<double>::infinity();
  }
  return std::round(ways);
}

/// Moves on to the next choice, in the order of prev_permutation; false after the last.
bool next_choice(std::vector<char>& is_chosen) {
  return std::prev_permutation(is_chosen.begin(), is_chosen.end());
}

void shuffle_choice(std::vector<char>& is_chosen, const RandomStream& draws, std::int64_t number) {
  for (std::size_t left = is_chosen.size() - 1; left > 0; --left) {
    const double share = uniform32(draws.block(left, 1, static_cast<std::uint32_t>(number))[0]);
    const auto at = static_cast<std::size_t>(share * static_cast<double>(left + 1));
    std::swap(is_chosen[left], is_chosen[std::min(at, left)]);
  }
}

ImageList joined(const ImageList& real, const ImageList& synthetic) {
  ImageList all = real;
  all.insert(all.end(), synthetic.begin(), synthetic.end());
  return all;
}

/// Directions of random points with normal coordinates (Box and Muller).
std::vector<double> direction_of(std::uint64_t number, std::size_t columns,
                                 const RandomStream& draws) {
  std::vector<double> direction;
  double squares = 0;
  for (std::size_t i = 0; i < columns; ++i) {
    const PhiloxBlock words = draws.block(number * 4096 + i);
    const double radius = std::sqrt(-2 * std::log(uniform32(words[0])));
    direction.push_back(radius * std::cos(2 * std::numbers::pi * uniform32(words[1])));
    squares += direction.back() * direction.back();
  }
  for (double& one : direction) one /= std::sqrt(squares);
  return direction;
}

std::vector<double> sorted_projection(const std::vector<Rows>& images,
                                      const std::vector<double>& direction) {
  std::vector<double> values;
  for (const Rows& rows : images)
    for (std::size_t i = 0; i < rows.count(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < direction.size(); ++j) sum += rows.row(i)[j] * direction[j];
      values.push_back(sum);
    }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

std::vector<Rows> standardised(const ImageList& images, const ImageList& scale) {
  const std::size_t columns = images.front()->statistics.columns;
  std::vector<double> mean(columns), deviation(columns);
  double count = 0;
  for (const MeasuredImage* image : scale) {
    count += static_cast<double>(image->patches());
    for (std::size_t i = 0; i < image->patches(); ++i)
      for (std::size_t j = 0; j < columns; ++j) mean[j] += image->statistics.row(i)[j];
  }
  for (double& one : mean) one /= count;
  for (const MeasuredImage* image : scale)
    for (std::size_t i = 0; i < image->patches(); ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        const double from = image->statistics.row(i)[j] - mean[j];
        deviation[j] += from * from;
      }
  for (double& one : deviation) one = std::max(std::sqrt(one / count), kLeastScale);

  std::vector<Rows> result;
  for (const MeasuredImage* image : images) {
    Rows rows = image->statistics;
    for (std::size_t i = 0; i < rows.values.size(); ++i)
      rows.values[i] = std::clamp((rows.values[i] - mean[i % columns]) / deviation[i % columns],
                                  -kMostStandardDeviations, kMostStandardDeviations);
    result.push_back(std::move(rows));
  }
  return result;
}

ImageDistances image_distances(const std::vector<Rows>& images) {
  ImageDistances distances{images.size(), std::vector<double>(images.size() * images.size())};
  for (std::size_t i = 0; i < images.size(); ++i)
    for (std::size_t j = i; j < images.size(); ++j) {
      double sum = 0;
      for (std::size_t a = 0; a < images[i].count(); ++a)
        for (std::size_t b = 0; b < images[j].count(); ++b)
          sum += distance_of(images[i].row(a), images[j].row(b));
      const double mean = sum / static_cast<double>(images[i].count() * images[j].count());
      distances.means[i * images.size() + j] = distances.means[j * images.size() + i] = mean;
    }
  return distances;
}

double energy_distance(const ImageDistances& distances, const std::vector<char>& is_real) {
  double sums[3] = {}, counts[3] = {};  // within synthetic, between, within real
  for (std::size_t i = 0; i < distances.count; ++i)
    for (std::size_t j = 0; j < distances.count; ++j) {
      const auto kind = static_cast<std::size_t>((is_real[i] ? 1 : 0) + (is_real[j] ? 1 : 0));
      sums[kind] += distances.at(i, j);
      ++counts[kind];
    }
  const double between = sums[1] / counts[1];
  if (!(between > 0)) return 0;
  return (2 * between - sums[0] / counts[0] - sums[2] / counts[2]) / (2 * between);
}

EnergyTest energy_test(const ImageList& real, const ImageList& synthetic, std::int64_t permutations,
                       std::uint64_t seed, const StopFlag& stop) {
  const ImageList all = joined(real, synthetic);
  std::vector<char> is_real(all.size(), 0);
  std::fill_n(is_real.begin(), real.size(), char{1});
  EnergyTest test;
  test.energy = energy_distance(image_distances(standardised(all, real)), is_real);

  // A scale that does not depend on what belongs to which set keeps p exact
  const ImageDistances distances = image_distances(standardised(all, all));
  const double seen = energy_distance(distances, is_real) - kRounding;
  const double ways = ways_to_choose(all.size(), real.size(), static_cast<double>(permutations));
  test.all_assignments = std::isfinite(ways);
  std::int64_t as_far = 0;
  if (test.all_assignments) {
    std::vector<char> choice = is_real;  // real ones first: the first of all choices
    do {
      stop.check();
      as_far += energy_distance(distances, choice) >= seen;
      ++test.assignments;
    } while (next_choice(choice));
  } else {
    const RandomStream draws{seed, RandomStage::permutations};
    as_far = 1;  // the one that was found
    for (std::int64_t i = 0; i < permutations; ++i) {
      stop.check();
      shuffle_choice(is_real, draws, i);
      as_far += energy_distance(distances, is_real) >= seen;
    }
    test.assignments = permutations + 1;
  }
  test.p = static_cast<double>(as_far) / static_cast<double>(test.assignments);
  // With equally many images, exchanging the sets gives the same distance
  const double alike = real.size() == synthetic.size() ? 2 : 1;
  test.least_p = test.all_assignments ? alike / static_cast<double>(test.assignments)
                                      : 1 / static_cast<double>(test.assignments);
  return test;
}

double sliced_wasserstein(const ImageList& real, const ImageList& synthetic, std::uint64_t seed) {
  const auto of_real = standardised(real, real), of_synthetic = standardised(synthetic, real);
  const RandomStream draws{seed, RandomStage::directions};
  double sum = 0;
  for (std::uint64_t number = 0; number < kDirections; ++number) {
    const auto direction = direction_of(number, of_real.front().columns, draws);
    const auto a = sorted_projection(of_real, direction);
    const auto b = sorted_projection(of_synthetic, direction);
    for (int i = 0; i < kQuantiles; ++i) {
      const double share = (i + 0.5) / kQuantiles;
      sum += std::abs(quantile_of_sorted(a, share) - quantile_of_sorted(b, share)) / kQuantiles;
    }
  }
  return sum / double{kDirections};
}

}  // namespace synthoscope::textures

// SPDX-License-Identifier: MIT
#include "textures/answers/set_comparison.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <numeric>
#include "core/base/error.hpp"
#include "core/math/random.hpp"

namespace synthoscope::textures {
namespace {

/// What is permuted as one: an image with its patches, or a single texture.
struct Units {
  std::vector<std::int64_t> of;  ///< unit of each texture
  std::int64_t count = 0, of_a = 0;
  bool are_images = false;
};

std::int64_t images_among(const SetDistances& d, std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> images(d.image.begin() + begin, d.image.begin() + end);
  std::sort(images.begin(), images.end());
  return std::unique(images.begin(), images.end()) - images.begin();
}

Units units_of(const SetDistances& d) {
  const std::int64_t a = images_among(d, 0, d.of_a), b = images_among(d, d.of_a, d.count());
  Units units{d.image, a + b, a, std::min(a, b) >= kMinImages};
  if (!units.are_images) {
    std::iota(units.of.begin(), units.of.end(), std::int64_t{0});
    units.count = d.count();
    units.of_a = d.of_a;
    return units;
  }
  // Number images from 0 in order of appearance: set A first
  std::vector<std::int64_t> met;
  for (std::int64_t& image : units.of) {
    auto at = std::find(met.begin(), met.end(), image);
    if (at == met.end()) at = met.insert(at, image);
    image = at - met.begin();
  }
  return units;
}

/// Returns the nearest texture of another unit; of equal distances, the first.
std::vector<std::int64_t> neighbours_of(const SetDistances& d, const Units& units) {
  std::vector<std::int64_t> nearest(d.image.size(), 0);
  for (std::int64_t i = 0; i < d.count(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t j = 0; j < d.count(); ++j)
      if (units.of[static_cast<std::size_t>(j)] != units.of[static_cast<std::size_t>(i)] &&
          d.at(i, j) < least) {
        least = d.at(i, j);
        nearest[static_cast<std::size_t>(i)] = j;
      }
  }
  return nearest;
}

/// Sums of distances and numbers of textures by units: all that sets made of units differ by.
struct UnitSums {
  std::vector<double> sums;         ///< of distances between textures of two units
  std::vector<std::int64_t> sizes;  ///< textures of a unit
};

UnitSums sums_of(const SetDistances& d, const Units& units) {
  UnitSums all{std::vector<double>(static_cast<std::size_t>(units.count * units.count)),
               std::vector<std::int64_t>(static_cast<std::size_t>(units.count))};
  for (std::int64_t i = 0; i < d.count(); ++i) {
    const std::int64_t unit = units.of[static_cast<std::size_t>(i)];
    ++all.sizes[static_cast<std::size_t>(unit)];
    for (std::int64_t j = 0; j < d.count(); ++j)
      all.sums[static_cast<std::size_t>(unit * units.count +
                                        units.of[static_cast<std::size_t>(j)])] += d.at(i, j);
  }
  return all;
}

using Membership = std::vector<char>;  ///< of units: whether they are of A

struct Means {
  double within_a, within_b, between;
  [[nodiscard]] double energy() const { return 2 * between - (within_a + within_b); }
};

/// Pairs of textures of two different units: patches of one image are always alike, and would make
/// sets look closer within than between.
Means means_of(const UnitSums& all, const Membership& is_of_a) {
  struct Pairs {
    double sum = 0, count = 0;
    [[nodiscard]] double mean() const { return sum / count; }
  } within_a, within_b, between;
  const std::size_t units = all.sizes.size();
  for (std::size_t i = 0; i < units; ++i)
    for (std::size_t j = 0; j < units; ++j) {
      if (i == j) continue;
      Pairs& pairs = is_of_a[i] != is_of_a[j] ? between : is_of_a[i] ? within_a : within_b;
      pairs.sum += all.sums[i * units + j];
      pairs.count += static_cast<double>(all.sizes[i] * all.sizes[j]);
    }
  return {within_a.mean(), within_b.mean(), between.mean()};
}

double accuracy_of(const std::vector<std::int64_t>& nearest, const Units& units,
                   const Membership& is_of_a) {
  double right[2] = {}, all[2] = {};
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    const auto set_of = [&](std::size_t texture) {
      return static_cast<std::size_t>(is_of_a[static_cast<std::size_t>(units.of[texture])]);
    };
    const std::size_t own = set_of(i);
    ++all[own];
    right[own] += set_of(static_cast<std::size_t>(nearest[i])) == own;
  }
  return (right[0] / all[0] + right[1] / all[1]) / 2;
}

/// Fisher and Yates: every order is as likely.
void shuffle(Membership& units, const RandomStream& draws, std::int64_t permutation) {
  for (std::size_t left = units.size() - 1; left > 0; --left) {
    const PhiloxBlock words = draws.block(left, 0, static_cast<std::uint32_t>(permutation));
    const auto at = static_cast<std::size_t>(uniform32(words[0]) * static_cast<double>(left + 1));
    std::swap(units[left], units[std::min(at, left)]);
  }
}

}  // namespace

SetComparison compare_sets(const SetDistances& distances, std::int64_t permutations,
                           std::uint64_t seed, const StopFlag& stop) {
  const std::int64_t of_b = distances.count() - distances.of_a;
  if (distances.of_a < 2 || of_b < 2)
    throw InvalidSpec(
        fmt::format("compare two sets of textures: they have {} and {}; give two or more of each, "
                    "or cut images with --patch",
                    distances.of_a, of_b));
  const Units units = units_of(distances);
  const auto nearest = neighbours_of(distances, units);
  const UnitSums sums = sums_of(distances, units);
  Membership membership(static_cast<std::size_t>(units.count), 0);
  std::fill_n(membership.begin(), units.of_a, char{1});

  const Means means = means_of(sums, membership);
  SetComparison found{means.within_a, means.within_b, means.between, means.energy(),
                      accuracy_of(nearest, units, membership)};
  found.permutations = permutations;
  found.by_images = units.are_images;

  // How far apart are sets that differ by chance alone? The one that was found is one of them
  const RandomStream draws{seed, RandomStage::permutations};
  std::int64_t as_far = 1, as_right = 1;
  double sum_of_accuracies = 0;
  for (std::int64_t i = 0; i < permutations; ++i) {
    stop.check();
    shuffle(membership, draws, i);
    const double accuracy = accuracy_of(nearest, units, membership);
    as_far += means_of(sums, membership).energy() >= found.energy;
    as_right += accuracy >= found.accuracy;
    sum_of_accuracies += accuracy;
  }
  const double all = static_cast<double>(permutations + 1);
  found.p_energy = static_cast<double>(as_far) / all;
  found.p_accuracy = static_cast<double>(as_right) / all;
  found.accuracy_by_chance =
      permutations > 0 ? sum_of_accuracies / static_cast<double>(permutations) : 0.5;
  found.nearest = nearest;
  return found;
}

}  // namespace synthoscope::textures

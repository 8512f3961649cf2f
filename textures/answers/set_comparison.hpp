// SPDX-License-Identifier: MIT
// textures/answers/set_comparison.hpp — whether two sets of textures can be told apart, and their
// distance.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/run/stop.hpp"

namespace synthoscope::textures {

/// Distances between all textures of two sets; set A comes first.
struct SetDistances {
  std::vector<double> between;      ///< row by row, symmetric, 0 on the diagonal
  std::vector<std::int64_t> image;  ///< of each: patches of one image have one number
  std::int64_t of_a = 0;            ///< how many are of A

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(image.size()); }
  [[nodiscard]] double at(std::int64_t i, std::int64_t j) const {
    return between[static_cast<std::size_t>(i * count() + j)];
  }
};

struct SetComparison {
  /// Mean distance of two textures; of two images, where images are permuted whole.
  double within_a = 0, within_b = 0, between = 0;
  /// 2 between - within_a - within_b: 0 for sets of one kind, but for chance.
  double energy = 0;
  /// How often the nearest other texture belongs to the same set: the mean of both sets' fractions,
  /// so that sets of unequal sizes count alike. Near 0.5 for sets that cannot be told apart, 1 for
  /// sets that always can.
  double accuracy = 0;
  double accuracy_by_chance = 0;  ///< its mean over the permutations
  /// Fraction of permutations, the observed one included, whose sets are at least as far apart: how
  /// likely it is that sets of the same kind look so different.
  double p_energy = 1, p_accuracy = 1;
  std::int64_t permutations = 0;
  bool by_images = false;  ///< images are permuted whole, and neighbours are of other images
  std::vector<std::int64_t> nearest{};  ///< of each texture: the nearest other one
};

/// Fewest images of each set for which images are what is permuted. With fewer, or one texture an
/// image, textures are permuted one by one: patches of one image are then taken as independent,
/// which they are not, so that p is too small.
inline constexpr std::int64_t kMinImages = 4;

/// A two-sample test by nearest neighbours, left out one at a time, and by energy distance, against
/// permutations of what belongs to which set. Depends on seed alone, not on threads.
/// @source  Lopez-Paz, Oquab, ICLR 2017, arXiv:1610.06545, section 3 (a classifier's accuracy as a
///          two-sample test; nearest neighbours left out one at a time: its section 6); Szekely,
///          Rizzo, J. Stat. Plan. Inference 143 (2013) 1249, doi:10.1016/j.jspi.2013.03.018 (energy
///          distance); Phipson, Smyth, Stat. Appl. Genet. Mol. Biol. 9 (2010) 39,
///          doi:10.2202/1544-6115.1585 (p of permutations).
/// @throws InvalidSpec  a set has fewer than two textures.
/// @throws Interrupted  a stop was requested.
SetComparison compare_sets(const SetDistances& distances, std::int64_t permutations,
                           std::uint64_t seed, const StopFlag& stop);

}  // namespace synthoscope::textures

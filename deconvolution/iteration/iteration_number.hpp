// SPDX-License-Identifier: MIT
// deconvolution/iteration/iteration_number.hpp — steps of a search for the best number of
// iterations.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>

namespace synthoscope::deconvolution {

/// Finds the number of iterations with the smallest error, while errors are still being measured.
class SmallestError {
 public:
  /// @param number  of iterations, larger than in the last call
  void add(int number, double error) {
    if (last_ == 0 || error < error_) {
      error_ = error;
      best_ = number;
    }
    last_ = number;
  }

  [[nodiscard]] int best() const { return best_; }

  /// Returns the number of iterations after which the error is measured next: one more at first,
  /// then a sixteenth more, because errors change ever more slowly.
  [[nodiscard]] int next() const { return last_ + std::max(1, last_ / 16); }

  /// Returns whether the error has grown for long enough: for three iterations, and for a quarter
  /// of the best number.
  [[nodiscard]] bool is_over() const { return last_ - best_ >= std::max(3, best_ / 4); }

 private:
  double error_ = 0;
  int best_ = 0, last_ = 0;
};

/// One step of a search.
struct SearchRound {
  int iterations = 0;  ///< that found the light which was taken as the truth
  int best = 0;        ///< number that came closest to it
};

/// Returns by what factor the best number for light after `round.iterations` differs from it. The
/// number that is looked for is its own best one, but for a bias: found light is smoother than the
/// object, and a smooth truth needs fewer iterations. On simulated stacks of nuclei 1.1 made up for
/// it.
inline double ratio_to_best(const SearchRound& round) {
  constexpr double kBias = 1.1;
  return kBias * round.best / round.iterations;
}

/// Returns the number of iterations to try after `round`. The step is half as long again as to the
/// best number, because the best number follows the tried one.
/// @param most  iterations that are allowed
inline int next_number(const SearchRound& round, int most) {
  constexpr double kStep = 1.5, kLongest = 3;
  const double factor = std::pow(ratio_to_best(round), kStep);
  const double next = round.iterations * std::clamp(factor, 1 / kLongest, kLongest);
  return std::clamp(static_cast<int>(std::lround(next)), 1, most);
}

/// Returns whether another step would hardly change the result.
inline bool is_settled(int number, int next) {
  return std::abs(next - number) * 25 <= number;  // 4 %
}

/// How a search ends.
enum class SearchEnd {
  open,     ///< it does not end yet
  settled,  ///< the tried number is the best one, within 4 %
  cycle,    ///< it came back to a number that it had tried: all later rounds would repeat
  rounds    ///< after the most rounds, still on its way
};

/// What a search does after a round: tries `number`, or ends with it.
struct SearchStep {
  int number = 0;
  SearchEnd end = SearchEnd::open;
};

inline constexpr int kMostRounds = 10;

/// Returns the step after the last of `rounds`. Of a cycle, the number that lies nearest to its own
/// best one is taken. After the most rounds, the number that would be tried next is taken.
/// @param rounds  at least one
/// @param most    iterations that are allowed
SearchStep next_step(std::span<const SearchRound> rounds, int most);

}  // namespace synthoscope::deconvolution

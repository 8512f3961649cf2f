// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/iteration_number.hpp"

namespace synthoscope::deconvolution {
namespace {

/// Returns the number of iterations that lies nearest to its own best one.
int nearest_to_best(std::span<const SearchRound> rounds) {
  const auto difference = [](const SearchRound& round) {
    return std::abs(std::log(ratio_to_best(round)));
  };
  return std::min_element(rounds.begin(), rounds.end(),
                          [&](const SearchRound& a, const SearchRound& b) {
                            return difference(a) < difference(b);
                          })
      ->iterations;
}

}  // namespace

SearchStep next_step(std::span<const SearchRound> rounds, int most) {
  const SearchRound& last = rounds.back();
  const int next = next_number(last, most);
  if (is_settled(last.iterations, next)) return {next, SearchEnd::settled};

  const auto tried = std::find_if(rounds.begin(), rounds.end(), [&](const SearchRound& round) {
    return round.iterations == next;
  });
  if (tried != rounds.end()) return {nearest_to_best({tried, rounds.end()}), SearchEnd::cycle};
  const bool is_over = std::ssize(rounds) >= kMostRounds;
  return {next, is_over ? SearchEnd::rounds : SearchEnd::open};
}

}  // namespace synthoscope::deconvolution

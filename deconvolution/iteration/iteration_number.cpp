// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/iteration_number.hpp"

namespace synthoscope::deconvolution {

SearchStep next_step(const std::vector<SearchRound>& rounds, int most) {
  const SearchRound& last = rounds.back();
  const int next = next_number(last, most);
  if (is_settled(last.iterations, next)) return {next, SearchEnd::settled};

  const auto difference = [](const SearchRound& round) {
    return std::abs(std::log(ratio_to_best(round)));
  };
  const int nearest = std::min_element(rounds.begin(), rounds.end(),
                                       [&](const SearchRound& a, const SearchRound& b) {
                                         return difference(a) < difference(b);
                                       })
                          ->iterations;
  const bool was_tried = std::any_of(rounds.begin(), rounds.end(), [&](const SearchRound& round) {
    return round.iterations == next;
  });
  if (was_tried) return {nearest, SearchEnd::cycle};
  if (std::ssize(rounds) >= kMostRounds) return {nearest, SearchEnd::rounds};
  return {next, SearchEnd::open};
}

}  // namespace synthoscope::deconvolution

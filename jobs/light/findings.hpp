// SPDX-License-Identifier: MIT
// jobs/light/findings.hpp — what iterations have found, apart from light.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "core/base/json.hpp"
#include "deconvolution/iteration/iteration_number.hpp"

namespace synthoscope::jobs {

/// What iterations have found.
struct Findings {
  int iterations = 0;  ///< that the result has; 0: not known yet
  /// Logarithm of the likelihood of the estimate before each iteration.
  std::vector<double> log_likelihoods = {};
  std::vector<deconvolution::SearchRound> rounds = {};  ///< of the search for their number
};

/// Returns the rounds as reports and records list them.
Json json_of(const std::vector<deconvolution::SearchRound>& rounds);

/// Returns how the search ended: "settled", "cycle" or "rounds", as SearchEnd has it; "" if there
/// was none.
/// @param most  iterations that were allowed
std::string_view search_end(const std::vector<deconvolution::SearchRound>& rounds, int most);

/// Returns the findings as the text that a checkpoint stores.
std::string findings_text(const Findings& findings);
/// The inverse. @throws InvalidInput  `text` was not made by findings_text.
Findings findings_from(const std::string& text);

}  // namespace synthoscope::jobs

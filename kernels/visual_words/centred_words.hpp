// SPDX-License-Identifier: MIT
// kernels/visual_words/centred_words.hpp — words relative to their medians, as they are scored, so
// that an offset of all features costs no digits.
#pragma once
#include "kernels/visual_words/dictionary.hpp"

namespace synthoscope::kernels {

struct CentredWords {
  explicit CentredWords(const Dictionary& dictionary);

  std::int64_t features;
  std::vector<float> middle;  ///< the median of each feature
  std::vector<float> words;   ///< word k relative to `middle`: words[k * features ...]
  std::vector<float> halves;  ///< |c|^2 / 2 of each
  float largest = 0;          ///< no |c| is larger
};

}  // namespace synthoscope::kernels

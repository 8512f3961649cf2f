// SPDX-License-Identifier: MIT
// kernels/visual_words/centred_words.hpp — words as they are scored: from their medians, so that an
// offset of all features costs no digits.
#pragma once
#include "kernels/visual_words/dictionary.hpp"

namespace synthoscope::kernels {

struct CentredWords {
  explicit CentredWords(const Dictionary& dictionary);

  std::int64_t features;
  std::vector<float> middle;  ///< the median of each feature
  std::vector<float> words;   ///< word k from there: words[k * features ...]
  std::vector<float> halves;  ///< half of its |c|^2
  float largest = 0;          ///< no |c| is larger
};

}  // namespace synthoscope::kernels

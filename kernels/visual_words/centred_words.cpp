// SPDX-License-Identifier: MIT
#include "kernels/visual_words/centred_words.hpp"
#include <algorithm>
#include <cmath>
#include "core/base/as_index.hpp"

namespace synthoscope::kernels {

CentredWords::CentredWords(const Dictionary& dictionary) : features{dictionary.features} {
  const std::int64_t size = dictionary.size();
  // The median of each feature: where words are dense, few digits are needed to distinguish them
  std::vector<float> values(as_index(size));
  for (std::int64_t f = 0; f < features; ++f) {
    for (std::int64_t k = 0; k < size; ++k) values[as_index(k)] = dictionary.word(k)[as_index(f)];
    const auto half = values.begin() + size / 2;
    std::ranges::nth_element(values, half);
    middle.push_back(*half);
  }
  double most = 0;
  for (std::int64_t k = 0; k < size; ++k) {
    double square = 0;
    for (std::int64_t f = 0; f < features; ++f) {
      const double c = double{dictionary.word(k)[as_index(f)]} - double{middle[as_index(f)]};
      words.push_back(static_cast<float>(c));
      square += c * c;
    }
    halves.push_back(static_cast<float>(square / 2));
    most = std::max(most, square);
  }
  largest = static_cast<float>(std::sqrt(most) * 1.001);
}

}  // namespace synthoscope::kernels

// SPDX-License-Identifier: MIT
// kernels/body/word_margin.hpp — how far apart scores of words must be to say which word is nearer;
// read by the compilers of host and device.
#pragma once
#include <cmath>

namespace synthoscope::kernels {

/// Which of the scores |c|^2 / 2 - x.c of words c is least is settled where the second is larger by
/// more than this, |x|^2 being `norm`.
///
/// A score is off by at most g (|c|^2 / 2 + |x| |c|), where g counts its roundings, of 2^-24 each:
/// those of sample, word and half, and of multiplying and adding up (Higham, Accuracy and Stability
/// of Numerical Algorithms, 2nd ed., section 3.1). Let the best word be at distance d, d^2 = |x|^2
/// + 2 best. Any word that is as near has |c| <= |x| + d, so neither its score nor the best one's
/// is off by more than that of such a |c|. Distances in double round by 2^-53, as often.
/// @param largest  no |c| is larger
__attribute__((always_inline)) inline float word_margin(int features, float norm, float best,
                                                        float largest) {
  const auto roundings = static_cast<float>(features + 8);  // features + 4, and those of this
  constexpr float kSlack = 1.001F;  // for what the norm and the best score are off
  const float x = std::sqrt(norm) * kSlack;
  const float square = norm + 2 * best + (kSlack - 1) * norm;
  const float d = std::sqrt(square > 0 ? square : 0) * kSlack;
  const float c = x + d < largest ? x + d : largest;
  return roundings * 0x1p-24F * (c * c + 2 * x * c) + roundings * 0x1p-52F * (d * d) +
         roundings * 0x1p-126F;
}

}  // namespace synthoscope::kernels

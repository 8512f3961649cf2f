// SPDX-License-Identifier: MIT
// kernels/body/word_margin.hpp — how far apart scores of words must be to decide which word is
// nearer. Host and device compile this file.
#pragma once
#include <cmath>

namespace synthoscope::kernels {

/// Returns a margin for the scores |c|^2 / 2 - x.c of words c: which is least is certain if the
/// second is larger by more than this, |x|^2 being `norm`.
///
/// A score has an error of at most g (|c|^2 / 2 + |x| |c|), where g counts its roundings, of 2^-24
/// each: those of sample, word and half, and of multiplying and adding up (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2nd ed., section 3.1). Let the best word be at distance d,
/// d^2 = |x|^2 + 2 best. Any word that is as near has |c| <= |x| + d, so the errors of its score
/// and of the best one are at most the error for such a |c|. Distances in double round by 2^-53, as
/// often.
/// @param largest  no |c| is larger
__attribute__((always_inline)) inline float word_margin(int features, float norm, float best,
                                                        float largest) {
  const auto roundings = static_cast<float>(features + 8);  // features + 4, and those of this
  constexpr float kSlack = 1.001F;  // for the errors of the norm and the best score
  const float x = std::sqrt(norm) * kSlack;
  const float square = norm + 2 * best + (kSlack - 1) * norm;
  const float d = std::sqrt(square > 0 ? square : 0) * kSlack;
  const float c = x + d < largest ? x + d : largest;
  return roundings * 0x1p-24F * (c * c + 2 * x * c) + roundings * 0x1p-52F * (d * d) +
         roundings * 0x1p-126F;
}

}  // namespace synthoscope::kernels

// SPDX-License-Identifier: MIT
// tests/unit/score/labels/discs.hpp — 15 discs, and a segmentation of them with every kind of
// fault. The same formula in Python gave the scores of other programs in the tests.
#pragma once
#include "tests/unit/score/labels/label_volumes.hpp"

namespace synthoscope::test {

/// Discs 1 to 15 of 69 pixels each, in three rows of five.
inline std::int64_t disc_at(std::int64_t y, std::int64_t x) {
  const std::int64_t dy = y % 12 - 5, dx = (x + 12) % 12 - 6;
  return dy * dy + dx * dx <= 20 && x >= 0 ? 1 + y / 12 * 5 + x / 12 : 0;
}

inline Volume<std::uint16_t> discs() {
  return made_labels<std::uint16_t>(
      {1, 36, 60}, [](std::int64_t, std::int64_t y, std::int64_t x) { return disc_at(y, x); });
}

/// The discs two pixels to the right, and four faults.
inline Volume<std::uint32_t> faulty_discs() {
  return made_labels<std::uint32_t>(
      {1, 36, 60}, [](std::int64_t, std::int64_t y, std::int64_t x) -> std::int64_t {
        const std::int64_t disc = disc_at(y, x - 2);
        if (y >= 34 && x >= 50) return 30;       // a false object
        if (disc == 3 && x % 12 < 8) return 20;  // split
        if (disc == 7) return 8;                 // merged
        return disc == 11 ? 0 : disc;            // missing
      });
}

}  // namespace synthoscope::test

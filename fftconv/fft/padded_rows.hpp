// SPDX-License-Identifier: MIT
// fftconv/fft/padded_rows.hpp — volumes that libraries transform in place.
#pragma once
#include <cstdint>
#include "core/volume/extent.hpp"

namespace synthoscope::fftconv {

/// Returns the doubles of a row of `width` in memory, where its spectrum of width / 2 + 1 complex
/// values has room as well.
constexpr std::int64_t padded_row(std::int64_t width) {
  return 2 * (width / 2 + 1);
}

/// Returns the doubles of a volume of such rows.
constexpr std::int64_t padded_volume(const Extent3& extent) {
  return extent.z * extent.y * padded_row(extent.x);
}

}  // namespace synthoscope::fftconv

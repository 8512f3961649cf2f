// SPDX-License-Identifier: MIT
// tests/fuzz/described_tiff.hpp — a small TIFF whose description is of a stranger.
#pragma once
#include <string>
#include <string_view>
#include "tests/support/tiff_bytes.hpp"

namespace synthoscope::fuzz {

/// `pages` pages of 3 x 4 pixels of 8 bits; the first one has the description. Pixels of 12 planes
/// follow each other.
inline std::string described_tiff(std::string_view description, int pages) {
  constexpr std::uint64_t kHeight = 3, kWidth = 4, kPlanes = 12;
  test::TiffBytes tiff;
  std::string pixels;
  for (std::uint64_t i = 0; i < kPlanes * kHeight * kWidth; ++i) pixels += static_cast<char>(i);
  const auto first = tiff.append(pixels);
  for (int page = 0; page < pages; ++page) {
    const auto begin = first + static_cast<std::uint64_t>(page) * kHeight * kWidth;
    auto fields = test::grey_page(kHeight, kWidth, 8, begin);
    if (page == 0 && !description.empty())
      fields = test::with(std::move(fields), {270, test::kAscii, {}, std::string{description}});
    tiff.page(fields);
  }
  return tiff.bytes();
}

}  // namespace synthoscope::fuzz

// SPDX-License-Identifier: MIT
// tests/unit/textures/made_textures.hpp — folders of small images of textures that differ: stripes
// of two widths, and noise.
#pragma once
#include <fmt/format.h>
#include <cmath>
#include "core/math/random.hpp"
#include "imageio/small/png_preview.hpp"
#include "tests/support/temporary_folder.hpp"
#include "textures/images/image_set.hpp"

namespace synthoscope::textures {

enum class MadeTexture { noise, narrow, wide };

/// An image of 64 x 64 in `folder`: turned and placed as its number says, with noise.
inline std::filesystem::path made_image(const test::TemporaryFolder& folder, MadeTexture kind,
                                        std::uint64_t number) {
  constexpr std::int64_t kSize = 64;
  const RandomStream draws{number, RandomStage::texture};
  const double turn = 3 * uniform32(draws.block(1u << 20)[0]);
  const double period = kind == MadeTexture::narrow ? 5 : 12;
  std::vector<std::uint8_t> pixels;
  for (std::int64_t y = 0; y < kSize; ++y)
    for (std::int64_t x = 0; x < kSize; ++x) {
      const double along =
          std::cos(turn) * static_cast<double>(x) + std::sin(turn) * static_cast<double>(y);
      const double wave = kind == MadeTexture::noise ? 0 : std::sin(6.2832 * along / period);
      const double noise = uniform32(draws.block(static_cast<std::uint64_t>(y * kSize + x))[1]);
      pixels.push_back(static_cast<std::uint8_t>(100 + 40 * wave + 40 * noise));
    }
  const char* const names[] = {"noise", "narrow", "wide"};
  const auto class_folder = folder / names[static_cast<int>(kind)];
  std::filesystem::create_directories(class_folder);
  const auto path = class_folder / fmt::format("{}.png", number);
  imageio::write_png(path, kSize, kSize, pixels, true);
  return path;
}

/// `count` images of each.
inline ImageSet finished_data_set(const test::TemporaryFolder& folder, std::uint64_t first,
                                  std::uint64_t count) {
  for (const auto kind : {MadeTexture::noise, MadeTexture::narrow, MadeTexture::wide})
    for (std::uint64_t i = 0; i < count; ++i) made_image(folder, kind, first + i);
  return classes_in(folder.path());
}

}  // namespace synthoscope::textures

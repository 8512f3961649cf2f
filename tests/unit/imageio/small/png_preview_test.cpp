// SPDX-License-Identifier: MIT
#include "imageio/small/png_preview.hpp"
#include <gtest/gtest.h>
#include <png.h>
#include <vector>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

/// Pixels as libpng reads them back.
std::vector<std::uint8_t> read_png(const std::filesystem::path& path, png_image& image) {
  image.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_file(&image, path.c_str()));
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
  EXPECT_TRUE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr));
  return pixels;
}

TEST(PngPreview, GivesBackItsPixels) {
  for (const std::int64_t samples : {1, 3}) {
    const test::TemporaryFolder folder;
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(13 * 7 * samples));
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * 31);
    write_png(folder / "preview.png", 13, 7, pixels, false);
    png_image image{};
    EXPECT_EQ(read_png(folder / "preview.png", image), pixels);
    EXPECT_EQ(image.width, 13u);
    EXPECT_EQ(image.height, 7u);
    EXPECT_EQ(image.format, samples == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY);
    EXPECT_EQ(folder.names(), std::set<std::string>{"preview.png"});
  }
}

TEST(PngPreview, RefusesAnEmptyPictureAndAnExistingFile) {
  const test::TemporaryFolder folder;
  folder.write("preview.png", "older");
  const std::vector<std::uint8_t> pixel{7};
  test::expect_failure<InvalidSpec>([&] { write_png(folder / "new.png", 0, 7, {}, false); },
                                    {"7x0 pixels"});
  test::expect_failure<InvalidSpec>([&] { write_png(folder / "preview.png", 1, 1, pixel, false); },
                                    {"exists already"});
  EXPECT_EQ(test::content_of(folder / "preview.png"), "older");
}

}  // namespace
}  // namespace synthoscope::imageio

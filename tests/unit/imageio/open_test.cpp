// SPDX-License-Identifier: MIT
#include "imageio/open.hpp"
#include <gtest/gtest.h>
#include <unistd.h>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tiff_bytes.hpp"

namespace synthoscope::imageio {
namespace {

using test::grey_page;
using test::kAscii;
using test::kLong;
using test::kShort;
using test::TiffBytes;
using test::with;

std::string two_pixels() {
  return std::string(2 * 3, '\7');
}

TEST(Open, RefusesAnythingOrReadsItWhenOneByteIsWrong) {
  // A good file of two pages with a description, each byte turned in turn
  TiffBytes tiff;
  const auto a = tiff.append(two_pixels()), b = tiff.append(two_pixels());
  tiff.page(with(grey_page(2, 3, 8, a), {270, kAscii, {}, "ImageJ=1.54f\nimages=2\nslices=2\n"}));
  tiff.page(grey_page(2, 3, 8, b));
  const test::TemporaryFolder folder;
  int refused = 0, read = 0;
  for (std::size_t i = 0; i < tiff.bytes().size(); ++i)
    for (const int flip : {0x01, 0x80, 0xFF}) {
      auto bytes = tiff.bytes();
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      try {
        auto image = open_image(folder.write("flipped.tif", bytes));
        visit_pixel_type(image.info.type, [&](auto zero) {
          Volume<decltype(zero)> voxels{image.info.extent};
          image.source->read(whole(voxels.extent), VoxelView{voxels.view()});
        });
        ++read;
      } catch (const Error&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, 100);
  EXPECT_GT(read, 50);
}

TEST(Open, RefusesAFileThatIsCutAnywhere) {
  TiffBytes tiff;
  const auto pixels = tiff.append(two_pixels());
  tiff.page(with(grey_page(2, 3, 8, pixels), {270, kAscii, {}, "ImageJ=1.54f\nimages=1\n"}));
  tiff.page(grey_page(2, 3, 8, tiff.append(two_pixels())));
  const test::TemporaryFolder folder;
  for (std::size_t size = 0; size < tiff.bytes().size(); ++size) {
    const auto path = folder.write("cut.tif", std::string_view{tiff.bytes()}.substr(0, size));
    EXPECT_THROW(inspect(path), InvalidInput) << size << " bytes";
  }
  EXPECT_NO_THROW(inspect(folder.write("whole.tif", tiff.bytes())));
}

TEST(Open, SaysThatAFileIsMissing) {
  test::expect_failure<IoError>([] { inspect("no/such/file.tif"); },
                                {"open no/such/file.tif", "no such file"});
}

TEST(Open, SaysThatAFolderIsNoImage) {
  const test::TemporaryFolder folder;
  test::expect_failure<InvalidInput>([&] { inspect(folder.path()); }, {"this folder is neither"});
}

TEST(Open, SaysThatADeviceIsNoFile) {
  test::expect_failure<IoError>([] { inspect("/dev/null"); }, {"not a regular file"});
}

/// Somebody without root's privileges for as long as it lives.
class Nobody {
 public:
  Nobody() : was_{::geteuid()} {
    constexpr uid_t kNobody = 65534;
    if (was_ == 0 && ::seteuid(kNobody) != 0) throw std::runtime_error("cannot become nobody");
  }
  Nobody(const Nobody&) = delete;
  Nobody& operator=(const Nobody&) = delete;
  ~Nobody() {
    if (::seteuid(was_) != 0) std::abort();
  }

 private:
  uid_t was_;
};

TEST(Open, SaysThatAFileCannotBeRead) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("secret.tif", "II*");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const Nobody nobody;
  test::expect_failure<IoError>([&] { inspect(path); }, {"cannot be read", "permissions"});
}

OpenOptions limits_of(std::int64_t directories) {
  OpenOptions options;
  InputLimits& limits = options.limits;
  limits.directories = directories;
  return options;
}

TEST(Open, StopsAtTheLimitOfDirectories) {
  TiffBytes tiff;
  for (int i = 0; i < 5; ++i) tiff.page(grey_page(2, 3, 8, tiff.append(two_pixels())));
  const test::TemporaryFolder folder;
  const auto path = folder.write("pages.tif", tiff.bytes());
  EXPECT_EQ(inspect(path, limits_of(5)).extent, (Extent3{5, 2, 3}));
  test::expect_failure<InvalidInput>([&] { inspect(path, limits_of(4)); },
                                     {"more than 4 directories", "--max-directories"});
}

TEST(Open, StopsAtTheLimitOfTheDescription) {
  TiffBytes wordy;
  wordy.page(with(grey_page(2, 3, 8, wordy.append(two_pixels())),
                  {270, kAscii, {}, std::string(1000, 'x')}));
  const test::TemporaryFolder folder;
  const auto path = folder.write("wordy.tif", wordy.bytes());
  EXPECT_NO_THROW(inspect(path));
  OpenOptions options;
  options.limits.description_bytes = 999;
  test::expect_failure<InvalidInput>([&] { inspect(path, options); },
                                     {"1001 bytes", "999", "--max-description"});
}

OpenOptions channel(std::int64_t number) {
  OpenOptions options;
  options.channel = number;
  return options;
}

TEST(Open, NeedsAChannelWhereThereAreSeveral) {
  const test::TemporaryFolder folder;
  TiffBytes tiff;
  auto fields = grey_page(2, 3, 8, tiff.append(std::string{"rgbRGBxyzXYZ123456"}));
  tiff.page(with(with(fields, {277, kShort, {3}}), {258, kShort, {8, 8, 8}}));
  const auto path = folder.write("rgb.tif", tiff.bytes());
  EXPECT_EQ(inspect(path).channels, 3);
  EXPECT_EQ(inspect(path).samples_per_pixel, 3);
  test::expect_failure<InvalidSpec>([&] { open_image(path); },
                                    {"holds 3 channels", "--channel 0, 1 or 2"});
  test::expect_failure<InvalidSpec>([&] { open_image(path, channel(3)); },
                                    {"no channel 3", "--channel 0, 1 or 2"});
  test::expect_failure<InvalidSpec>([&] { open_image(path, channel(-1)); }, {"no channel -1"});
  const auto image = open_image(path, channel(1));
  Volume<std::uint8_t> green{image.info.extent};
  image.source->read(whole(green.extent), VoxelView{green.view()});
  EXPECT_EQ((std::string{green.voxels.begin(), green.voxels.end()}), "gGyY25");
}

TEST(Open, IgnoresThumbnails) {
  TiffBytes tiff;
  tiff.page(grey_page(2, 3, 8, tiff.append("abcdef")));
  tiff.page(with(grey_page(1, 1, 8, tiff.append("x")), {254, kLong, {1}}));
  tiff.page(grey_page(2, 3, 8, tiff.append("ghijkl")));
  const test::TemporaryFolder folder;
  const auto info = inspect(folder.write("lsm.tif", tiff.bytes()));
  EXPECT_EQ(info.extent, (Extent3{2, 2, 3}));
  EXPECT_EQ(info.notes.size(), 1u);
}

}  // namespace
}  // namespace synthoscope::imageio

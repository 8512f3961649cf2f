// SPDX-License-Identifier: MIT
// Space that is taken while a file is written: it is there in the end, and a failure is told.
#include "imageio/output/background_allocation.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <set>
#include <string>
#include "imageio/create.hpp"
#include "imageio/output/partial_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

std::int64_t disk_bytes(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_blocks * 512 : -1;
}

TEST(BackgroundAllocation, TakesAllSpace) {
  const test::TemporaryFolder folder;
  constexpr std::int64_t kBytes = std::int64_t{80} << 20;
  PartialFile file{folder / "a", false};
  file.allocate_meanwhile(kBytes);
  EXPECT_EQ(file.size(), kBytes);
  const std::byte one[] = {std::byte{7}};
  file.write_at(kBytes - 1, one);
  file.commit();
  EXPECT_GE(disk_bytes(folder / "a"), kBytes);
}

TEST(BackgroundAllocation, EndsWithItsFile) {
  const test::TemporaryFolder folder;
  {
    PartialFile file{folder / "a", false};
    file.allocate_meanwhile(std::int64_t{200} << 20);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "a.partial"));
}

TEST(BackgroundAllocation, TellsWhyItFailed) {
  BackgroundAllocation allocation{-1, 0, 10};
  EXPECT_EQ(allocation.wait(), EBADF);
  EXPECT_EQ(allocation.failure(), EBADF);
}

class BeginImage : public testing::Test {
 protected:
  static ImageSpec spec_of(const Extent3& extent) {
    ImageSpec spec;
    spec.extent = extent;
    spec.type = PixelType::uint8;
    return spec;
  }
  [[nodiscard]] std::set<std::string> names() const { return folder_.names(); }

  static constexpr Extent3 kLarge{65, 1024, 1024};
  test::TemporaryFolder folder_;
};

TEST_F(BeginImage, TakesSpaceWithWhichCreateImageContinues) {
  ImageSpec spec = spec_of(kLarge);
  spec.begun = begin_image(folder_ / "a.tif", spec);
  ASSERT_NE(spec.begun, nullptr);
  EXPECT_GE(std::filesystem::file_size(folder_ / "a.tif.partial"), volume(kLarge));
  const auto file = create_image(folder_ / "a.tif", spec);
  EXPECT_EQ(spec.begun->file, nullptr);
  spec.begun.reset();
  EXPECT_GT(std::filesystem::file_size(folder_ / "a.tif.partial"), volume(kLarge));
  EXPECT_EQ(names(), std::set<std::string>{"a.tif.partial"});
}

TEST_F(BeginImage, LeavesNothingIfTheRunIsNotPlanned) {
  { const auto begun = begin_image(folder_ / "a.tif", spec_of(kLarge)); }
  EXPECT_EQ(names(), std::set<std::string>{});
}

TEST_F(BeginImage, KeepsWhatAnEarlierRunLeftAndIgnoresWhatIsSmallOrGrows) {
  folder_.write("a.tif.partial", "finished work");
  EXPECT_EQ(begin_image(folder_ / "a.tif", spec_of(kLarge)), nullptr);
  EXPECT_EQ(begin_image(folder_ / "b.tif", spec_of({4, 8, 8})), nullptr);
  EXPECT_EQ(begin_image(folder_ / "b.h5", spec_of(kLarge)), nullptr);
  EXPECT_EQ(names(), std::set<std::string>{"a.tif.partial"});
}

}  // namespace
}  // namespace synthoscope::imageio

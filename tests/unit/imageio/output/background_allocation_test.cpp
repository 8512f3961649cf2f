// SPDX-License-Identifier: MIT
// Space that is taken while a file is written: it is there in the end, and a failure is told.
#include "imageio/output/background_allocation.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
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

}  // namespace
}  // namespace synthoscope::imageio

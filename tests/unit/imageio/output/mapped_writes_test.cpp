// SPDX-License-Identifier: MIT
// Many threads write one file in memory: the bytes arrive, and bad weather is no signal.
#include "imageio/output/mapped_writes.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <optional>
#include <vector>
#include "core/run/task_pool.hpp"
#include "imageio/output/partial_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

/// A folder of a file system in memory; tests are skipped where there is none.
class MappedWritesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (::access(kMemory, W_OK) != 0) GTEST_SKIP() << kMemory << " cannot be written";
    folder.emplace(kMemory);
  }

  /// A file of `size` zeros.
  [[nodiscard]] int open_file(std::int64_t size) const {
    const int file = ::open((*folder / "a").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(::ftruncate(file, size), 0);
    return file;
  }

  static constexpr const char* kMemory = "/dev/shm";
  std::optional<test::TemporaryFolder> folder;
};

std::vector<std::byte> pattern(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 251);
  return bytes;
}

TEST_F(MappedWritesTest, WritesWhatFourThreadsGive) {
  constexpr std::size_t kBytes = (std::size_t{5} << 20) + 12345, kShare = 700'001;
  const std::vector<std::byte> bytes = pattern(kBytes);
  PartialFile file{*folder / "a", false};
  file.allocate(static_cast<std::int64_t>(kBytes));
  file.expect_writers(4);
  TaskPool pool{4};
  pool.for_ranges(std::int64_t{kBytes}, std::int64_t{kShare}, [&](auto begin, auto end) {
    file.write_at(begin, std::span{bytes}.subspan(static_cast<std::size_t>(begin),
                                                  static_cast<std::size_t>(end - begin)));
  });
  std::vector<std::byte> read(kBytes);
  EXPECT_EQ(file.read_some(0, read), kBytes);
  EXPECT_EQ(read, bytes);
}

TEST_F(MappedWritesTest, FailsWhereOthersHaveCutTheFile) {
  constexpr std::int64_t kBytes = std::int64_t{2} << 20;
  const int file = open_file(kBytes);
  const auto mapped = MappedWrites::of(file, kBytes);
  ASSERT_NE(mapped, nullptr);
  const std::vector<std::byte> bytes = pattern(std::size_t{kBytes});
  EXPECT_TRUE(mapped->write(0, bytes));
  ASSERT_EQ(::ftruncate(file, kBytes / 2), 0);
  EXPECT_FALSE(mapped->write(0, bytes));
  EXPECT_TRUE(mapped->write(0, std::span{bytes}.first(std::size_t{kBytes / 2})));
  ::close(file);
}

TEST_F(MappedWritesTest, RefusesWhatLiesBehindTheFile) {
  const int file = open_file(4096);
  const auto mapped = MappedWrites::of(file, 4096);
  ASSERT_NE(mapped, nullptr);
  EXPECT_FALSE(mapped->write(1, pattern(4096)));
  EXPECT_FALSE(mapped->write(-1, pattern(1)));
  ::close(file);
}

TEST(MappedWrites, AreNotForOtherFiles) {
  EXPECT_EQ(MappedWrites::of(-1, 4096), nullptr);
  const int disk = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(MappedWrites::of(disk, 4096), nullptr);
  ::close(disk);
}

}  // namespace
}  // namespace synthoscope::imageio

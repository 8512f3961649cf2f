// SPDX-License-Identifier: MIT
// What was read longest ago makes room; needs neither a device nor a compiler of device code.
#include "core/cuda/code/code_cache.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <set>
#include <thread>
#include <vector>
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::cuda {
namespace {

constexpr std::int64_t kFileBytes = 100;

class CodeCache : public testing::Test {
 protected:
  /// A file of the cache, read at second `read` of 1970 and written when it is made.
  std::string keep(int number, std::int64_t read, const std::string& ending = {}) {
    const std::string name = fmt::format("{:032x}{}", 0xabc0000 + number, ending);
    const auto path = folder.write(name, std::string(kFileBytes, 'x'));
    const timespec times[] = {{read, 0}, {0, UTIME_OMIT}};
    EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    return name;
  }
  test::TemporaryFolder folder;
};

TEST_F(CodeCache, StaysAsItIsWithinItsLimits) {
  std::set<std::string> kept;
  for (int i = 0; i < 8; ++i) kept.insert(keep(i, i));
  prune_code_cache(folder.path(), {8, 8 * kFileBytes});
  EXPECT_EQ(folder.names(), kept);
}

TEST_F(CodeCache, LosesWhatWasReadLongestAgo) {
  struct Case {
    const char* name;
    CodeCacheLimits limits;
    int left;
  };
  // Three quarters are left of whichever limit is passed
  for (const Case& c : {Case{"files", {8, 1 << 20}, 6}, Case{"bytes", {1000, 8 * kFileBytes}, 6},
                        Case{"both", {8, 4 * kFileBytes}, 3}, Case{"nothing fits", {8, 0}, 0}}) {
    std::set<std::string> kept;
    for (int i = 0; i < 9; ++i) {
      const int read = (i * 5) % 9;  // not in the order of names or of writing
      const std::string name = keep(i, read);
      if (read >= 9 - c.left) kept.insert(name);
    }
    prune_code_cache(folder.path(), c.limits);
    EXPECT_EQ(folder.names(), kept) << c.name;
  }
}

TEST_F(CodeCache, TakesHalfWrittenFilesOfItsOwnAndNoOthers) {
  const std::string left = keep(1, 5, ".aB3dE9");
  folder.write("00000000deadbeef", "of an earlier version, whose names were shorter");
  std::set<std::string> others{keep(2, 1, "0"), keep(3, 1, "-notes")};
  for (const char* name : {"README", "0123", "0123456789abcdeX", "0123456789ABCDEF"}) {
    folder.write(name, "not of the cache");
    others.insert(name);
  }
  std::filesystem::create_directory(folder / "0123456789abcdef");
  others.insert("0123456789abcdef");
  prune_code_cache(folder.path(), {0, 0});
  EXPECT_EQ(folder.names(), others);
}

TEST_F(CodeCache, IsPrunedByManyAtOnce) {
  for (int i = 0; i < 400; ++i) keep(i, i);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { prune_code_cache(folder.path(), {40, 1 << 20}); });
  for (std::thread& thread : threads) thread.join();
  // Whoever looks late sees fewer, and leaves them
  EXPECT_EQ(folder.names().size(), 30u);
  EXPECT_TRUE(folder.names().contains(fmt::format("{:032x}", 0xabc0000 + 399)));
}

TEST_F(CodeCache, NeedsNoFolder) {
  prune_code_cache(folder / "none", {0, 0});
  prune_code_cache({}, {0, 0});
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace synthoscope::cuda

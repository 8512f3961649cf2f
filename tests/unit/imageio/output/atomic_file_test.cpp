// SPDX-License-Identifier: MIT
#include "imageio/output/atomic_file.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "imageio/output/partial_file.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

using test::TemporaryFolder;

TEST(AtomicFile, AppearsWhole) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "objects.csv", "id,frame\n1,0\n", false);
  EXPECT_EQ(test::content_of(folder / "objects.csv"), "id,frame\n1,0\n");
  write_file_atomically(folder / "empty.csv", "", false);
  EXPECT_EQ(folder.names(), (std::set<std::string>{"empty.csv", "objects.csv"}));
}

TEST(AtomicFile, ReplacesOnlyWhenAsked) {
  const TemporaryFolder folder;
  folder.write("a.json", "older");
  test::expect_failure<InvalidSpec>([&] { write_file_atomically(folder / "a.json", "new", false); },
                                    {"a.json", "exists already", "--overwrite"});
  EXPECT_EQ(test::content_of(folder / "a.json"), "older");
  write_file_atomically(folder / "a.json", "new", true);
  EXPECT_EQ(test::content_of(folder / "a.json"), "new");
  EXPECT_EQ(folder.names(), std::set<std::string>{"a.json"});
}

TEST(AtomicFile, LeavesNothingOnAFullDisk) {
  const TemporaryFolder folder;
  folder.write("a.json", "older");
  const test::FullDisk full{1000};
  test::expect_failure<IoError>(
      [&] { write_file_atomically(folder / "a.json", std::string(5000, 'x'), true); },
      {"a.json", "4.88 KiB are needed", "ulimit -f"});
  EXPECT_EQ(test::content_of(folder / "a.json"), "older");
  EXPECT_EQ(folder.names(), std::set<std::string>{"a.json"});
}

TEST(PartialFile, TakesOverWhatACrashLeftBehind) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.write("a.json.partial", std::string(100'000, 'x')),
                               std::filesystem::perms::sticky_bit,
                               std::filesystem::perm_options::add);
  write_file_atomically(folder / "a.json", "new", false);
  EXPECT_EQ(test::content_of(folder / "a.json"), "new");
  EXPECT_EQ(folder.names(), std::set<std::string>{"a.json"});
}

TEST(PartialFile, DoesNotReplaceAFileThatCameMeanwhile) {
  const TemporaryFolder folder;
  {
    PartialFile file{folder / "a.json", false};
    folder.write("a.json", "somebody else's");
    test::expect_failure<NameTaken>([&] { file.commit(); },
                                    {"a.json", "another program created it", "a.json.partial"});
  }
  EXPECT_EQ(test::content_of(folder / "a.json"), "somebody else's");
  EXPECT_EQ(folder.names(), (std::set<std::string>{"a.json", "a.json.partial"}));
}

}  // namespace
}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "simulator/data_set/folder.hpp"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include "core/base/error.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

bool known(const std::string& path) {
  return path == "a.txt" || path == "b.txt" || path == "in/" || path == "in/c.txt";
}

class DataSetFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("synthoscope_folder_" + std::to_string(::getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  static void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream{path} << text;
  }
  /// As a run does that makes the folder.
  void mark_unfinished(const char* folder) const {
    fs::permissions(root_ / folder, fs::perms::sticky_bit, fs::perm_options::add);
  }
  static std::string read(const fs::path& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  /// Every path below the root, folders included.
  [[nodiscard]] std::vector<std::string> tree() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator{root_})
      names.push_back(fs::relative(entry.path(), root_).string());
    std::sort(names.begin(), names.end());
    return names;
  }
  template <class Failure>
  void expect_refused(bool overwrite, const std::string& fragment) const {
    const auto before = tree();
    try {
      DataSetFolder folder{root_ / "set", overwrite, known};
      FAIL() << "it was accepted";
    } catch (const Failure& error) {
      EXPECT_NE(std::string{error.what()}.find(fragment), std::string::npos) << error.what();
    }
    EXPECT_EQ(tree(), before);
  }

  fs::path root_;
};

TEST_F(DataSetFolderTest, AppearsUnderItsNameAtCommitAndNotBefore) {
  DataSetFolder folder{root_ / "set", false, known};
  write(folder / "a.txt", "new");
  EXPECT_FALSE(fs::exists(root_ / "set"));
  folder.commit();
  EXPECT_EQ(tree(), (std::vector<std::string>{"set", "set/a.txt"}));
}

TEST_F(DataSetFolderTest, LeavesNothingWithoutCommit) {
  {
    DataSetFolder folder{root_ / "set", false, known};
    write(folder / "a.txt", "new");
  }
  EXPECT_TRUE(tree().empty());
}

TEST_F(DataSetFolderTest, HoldsAndReplacesKnownFoldersInside) {
  write(root_ / "set/in/c.txt", "old");
  write(root_ / "set.partial/in/c.txt.partial", "half");
  mark_unfinished("set.partial");
  DataSetFolder folder{root_ / "set", true, known};
  folder.make_folder("in");
  write(folder / "in/c.txt", "new");
  folder.commit();
  EXPECT_EQ(read(root_ / "set/in/c.txt"), "new");
  EXPECT_EQ(tree(), (std::vector<std::string>{"set", "set/in", "set/in/c.txt"}));
}

TEST_F(DataSetFolderTest, NeverReplacesFilesOfOthersDeepInside) {
  write(root_ / "set/in/c.txt", "old");
  write(root_ / "set/in/notes.txt", "mine");
  expect_refused<InvalidSpec>(true, "it holds in/notes.txt");
}

TEST_F(DataSetFolderTest, TakesANameWithASlashAtItsEnd) {
  DataSetFolder folder{root_ / "set/", false, known};
  folder.commit();
  EXPECT_EQ(tree(), std::vector<std::string>{"set"});
}

TEST_F(DataSetFolderTest, RefusesAnExistingFolder) {
  write(root_ / "set/a.txt", "old");
  expect_refused<InvalidSpec>(false,
                              "it exists; choose another folder with -o or give --overwrite");
}

TEST_F(DataSetFolderTest, ReplacesAnOlderDataSetAtCommitAndNotBefore) {
  write(root_ / "set/a.txt", "old");
  write(root_ / "set/b.txt", "old");
  DataSetFolder folder{root_ / "set", true, known};
  write(folder / "a.txt", "new");
  EXPECT_EQ(read(root_ / "set/a.txt"), "old");
  folder.commit();
  EXPECT_EQ(read(root_ / "set/a.txt"), "new");
  EXPECT_EQ(tree(), (std::vector<std::string>{"set", "set/a.txt"}));
}

TEST_F(DataSetFolderTest, KeepsTheOlderDataSetWithoutCommit) {
  write(root_ / "set/a.txt", "old");
  { DataSetFolder folder{root_ / "set", true, known}; }
  EXPECT_EQ(tree(), (std::vector<std::string>{"set", "set/a.txt"}));
}

TEST_F(DataSetFolderTest, NeverReplacesAFolderWithFilesOfOthers) {
  write(root_ / "set/a.txt", "old");
  write(root_ / "set/notes.txt", "mine");
  expect_refused<InvalidSpec>(true, "it holds notes.txt, which no simulation wrote");
}

TEST_F(DataSetFolderTest, NeverReplacesAFolderWithFoldersInIt) {
  write(root_ / "set/a.txt/deep.txt", "mine");
  expect_refused<InvalidSpec>(true, "it holds a.txt");
}

TEST_F(DataSetFolderTest, NeverReplacesAFile) {
  write(root_ / "set", "mine");
  expect_refused<InvalidSpec>(true, "it is not a folder");
}

TEST_F(DataSetFolderTest, NeverFollowsALink) {
  fs::create_directories(root_ / "elsewhere");
  fs::create_directory_symlink(root_ / "elsewhere", root_ / "set");
  expect_refused<InvalidSpec>(true, "it is not a folder");
}

TEST_F(DataSetFolderTest, EmptiesWhatAKilledRunLeft) {
  write(root_ / "set.partial/b.txt.partial", "half");
  mark_unfinished("set.partial");
  DataSetFolder folder{root_ / "set", false, known};
  folder.commit();
  EXPECT_EQ(tree(), std::vector<std::string>{"set"});
}

TEST_F(DataSetFolderTest, KeepsAPartialFolderOfOthersThatHoldsKnownNames) {
  write(root_ / "set.partial/b.txt", "mine");
  expect_refused<InvalidSpec>(false, "it was not left by a run of this program");
  EXPECT_EQ(read(root_ / "set.partial/b.txt"), "mine");
}

TEST_F(DataSetFolderTest, MarksAnOlderDataSetThatGoes) {
  write(root_ / "set/a.txt", "old");
  DataSetFolder folder{root_ / "set", true, known};
  folder.commit();
  EXPECT_EQ(fs::status(root_ / "set").permissions() & fs::perms::sticky_bit, fs::perms::none);
  EXPECT_FALSE(fs::exists(root_ / "set.partial"));
}

TEST_F(DataSetFolderTest, KeepsAPartialFolderThatHoldsFilesOfOthers) {
  write(root_ / "set.partial/notes.txt", "mine");
  mark_unfinished("set.partial");
  expect_refused<InvalidSpec>(false, "is in the way and holds notes.txt");
}

TEST_F(DataSetFolderTest, RefusesWhatAnotherRunIsWriting) {
  DataSetFolder first{root_ / "set", false, known};
  expect_refused<IoError>(false, "another run is writing it");
}

TEST_F(DataSetFolderTest, SaysWhyItCannotBeMade) {
  try {
    DataSetFolder folder{root_ / "missing/set", false, known};
    FAIL() << "it was accepted";
  } catch (const IoError& error) {
    EXPECT_NE(std::string{error.what()}.find("No such file or directory"), std::string::npos);
  }
}

}  // namespace
}  // namespace synthoscope::simulator

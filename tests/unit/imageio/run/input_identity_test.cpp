// SPDX-License-Identifier: MIT
// Inputs that change while they are read are noticed, and what does no harm is not.
#include "imageio/run/input_identity.hpp"
#include <gtest/gtest.h>
#include <chrono>
#include <fstream>
#include <functional>
#include "imageio/run/content_hash.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

/// File systems tell times in steps of some milliseconds: a change would have the same.
void make_older(const fs::path& file) {
  fs::last_write_time(file, fs::last_write_time(file) - std::chrono::seconds{1});
}

/// Without a new inode.
void overwrite(const fs::path& file, const char* content) {
  std::fstream{file, std::ios::in | std::ios::out | std::ios::binary} << content;
}

struct ChangeCase {
  const char* name;
  std::function<void(const TemporaryFolder&)> change;
  bool is_noticed = true;
};

// NOLINTNEXTLINE(cppcoreguidelines-interfaces-global-init): std::ios::app is a constant
const ChangeCase kChanges[] = {
    {"none", [](const auto&) {}, false},
    {"another_file", [](const auto& folder) { folder.write("c.tif", "new"); }, false},
    {"in_place", [](const auto& folder) { overwrite(folder / "a.tif", "ABC"); }},
    {"other_permissions",
     [](const auto& folder) { fs::permissions(folder / "a.tif", fs::perms::owner_read); }, false},
    {"another_name",
     [](const auto& folder) { fs::create_hard_link(folder / "a.tif", folder / "b.tif"); }, false},
    {"longer",
     [](const auto& folder) {
       std::ofstream{folder / "a.tif", std::ios::app} << "more";
     }},
    {"cut", [](const auto& folder) { fs::resize_file(folder / "a.tif", 1); }},
    {"removed", [](const auto& folder) { fs::remove(folder / "a.tif"); }},
    {"another_by_rename",
     [](const auto& folder) {
       folder.write("b.tif", "abc");
       fs::rename(folder / "b.tif", folder / "a.tif");
     }},
    {"chunk_changed", [](const auto& folder) { overwrite(folder / "z.zarr/0/0", "x"); }},
    {"chunk_removed", [](const auto& folder) { fs::remove(folder / "z.zarr/0/0"); }},
    {"chunk_appeared", [](const auto& folder) { folder.write("z.zarr/0/1", "new"); }},
};

class Inputs : public testing::TestWithParam<ChangeCase> {};

TEST_P(Inputs, ThatChangeWhileTheyAreReadAreNoticed) {
  const TemporaryFolder folder;
  folder.write("a.tif", "abc");
  folder.write("set.h5", "set");
  fs::create_directories(folder / "z.zarr/0");
  folder.write("z.zarr/0/0", "chunk");
  for (const char* file : {"a.tif", "z.zarr/0/0"}) make_older(folder / file);
  InputsAsRead read;
  read.note({folder / "a.tif", folder / "set.h5:/image", folder / "z.zarr", folder / "none.tif"});
  GetParam().change(folder);
  const auto end = [&] { read.require_unchanged(); };
  if (!GetParam().is_noticed) {
    EXPECT_NO_THROW(end());
    return;
  }
  const bool is_folder = std::string{GetParam().name}.starts_with("chunk");
  const char* const input = is_folder ? "z.zarr" : "a.tif";
  test::expect_failure<InputChanged>(end, {input, "was changed, removed or replaced", "again"});
  test::expect_failure<InputChanged>([&] { (void)read.records(nullptr, nullptr); }, {input});
}

INSTANTIATE_TEST_SUITE_P(Table, Inputs, testing::ValuesIn(kChanges), test::kCaseName);

TEST(InputsAsRead, RecordsWhatWasRead) {
  const TemporaryFolder folder;
  folder.write("set.h5", "abc");
  InputsAsRead read;
  read.note(folder / "set.h5:/image");
  const auto records = read.records(nullptr, nullptr);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].path, folder / "set.h5:/image");
  EXPECT_EQ(records[0].bytes, 3);
  EXPECT_EQ(records[0].xxh64, "44bc2cf5ad770999");
  EXPECT_EQ(records[0].xxh3_tree, "5758ca032005f7ac");
}

TEST(InputsAsRead, MayChangeWhenTheyAreReadWhole) {
  const TemporaryFolder folder;
  for (const char* file : {"scene.toml", "a.tif"}) folder.write(file, "abc");
  for (const char* file : {"scene.toml", "a.tif"}) make_older(folder / file);
  InputsAsRead read;
  read.note({folder / "scene.toml", folder / "a.tif"});
  read.record_now(folder / "scene.toml");
  read.record_now(folder / "none.toml");  // that is no input
  overwrite(folder / "scene.toml", "ABC");
  read.record_now(folder / "scene.toml");
  EXPECT_NO_THROW(read.require_unchanged());
  EXPECT_EQ(read.records(nullptr, nullptr)[0].xxh64, "44bc2cf5ad770999");  // of what was read
  overwrite(folder / "a.tif", "ABC");
  test::expect_failure<InputChanged>([&] { read.record_now(folder / "a.tif"); }, {"a.tif"});
}

TEST(InputsAsRead, KeepsTheFilesOfAnImageTogether) {
  const TemporaryFolder folder;
  for (const char* file : {"a.tif", "rest.tif", "kernel.tif"}) folder.write(file, "abc");
  InputsAsRead read;
  read.note({folder / "a.tif", folder / "kernel.tif"});
  ImageInfo info;
  info.further_files = {folder / "rest.tif"};
  info.axes_source = "named by its OME-XML";
  info.axes = {{.letter = 'Y', .size = 4}};
  read.note_image(folder / "a.tif", info);
  read.note_image(folder / "a.tif", info);
  const auto records = read.records(nullptr, nullptr);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].path, folder / "a.tif");
  EXPECT_EQ(records[0].axes, info.axes_text());
  EXPECT_EQ(records[1].path, folder / "rest.tif");
  EXPECT_EQ(records[2].path, folder / "kernel.tif");
  EXPECT_EQ(records[2].axes, "");
}

TEST(InputsAsRead, RefusesToRecordAMissingFile) {
  const TemporaryFolder folder;
  InputsAsRead read;
  read.note(folder / "none.tif");
  test::expect_failure<IoError>([&] { (void)read.records(nullptr, nullptr); },
                                {"none.tif", "no such file"});
}

TEST(InputsAsRead, KeepsTheFirstNoteOfAFile) {
  const TemporaryFolder folder;
  folder.write("a.tif", "abc");
  make_older(folder / "a.tif");
  InputsAsRead read;
  read.note(folder / "a.tif");
  overwrite(folder / "a.tif", "xyz");
  read.note(folder / "a.tif");
  EXPECT_THROW(read.require_unchanged(), InputChanged);
}

}  // namespace
}  // namespace synthoscope::imageio

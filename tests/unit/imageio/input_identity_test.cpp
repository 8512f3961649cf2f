// SPDX-License-Identifier: MIT
// Inputs that change while they are read are noticed, whatever they claim of their times.
#include "imageio/input_identity.hpp"
#include <gtest/gtest.h>
#include <fstream>
#include <functional>
#include "imageio/content_hash.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

/// Without a new inode.
void overwrite(const fs::path& file, const char* content) {
  std::fstream{file, std::ios::in | std::ios::out | std::ios::binary} << content;
}

struct ChangeCase {
  const char* name;
  std::function<void(const TemporaryFolder&)> change;
  bool is_noticed = true;
};

const ChangeCase kChanges[] = {
    {"none", [](const auto&) {}, false},
    {"another_file", [](const auto& folder) { folder.write("c.tif", "new"); }, false},
    {"in_place", [](const auto& folder) { overwrite(folder / "a.tif", "ABC"); }},
    {"in_place_with_the_old_time",
     [](const auto& folder) {
       const auto time = fs::last_write_time(folder / "a.tif");
       overwrite(folder / "a.tif", "ABC");
       fs::last_write_time(folder / "a.tif", time);
     }},
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
    {"renamed_and_back",
     [](const auto& folder) {
       fs::rename(folder / "a.tif", folder / "b.tif");
       folder.write("a.tif", "another");
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
  InputsAsRead read;
  read.note({folder / "a.tif", folder / "set.h5:/image", folder / "z.zarr", folder / "none.tif"});
  GetParam().change(folder);
  const auto end = [&] { read.require_unchanged(); };
  const auto record = [&] { (void)read.records({folder / "set.h5:/image"}, nullptr); };
  if (!GetParam().is_noticed) {
    EXPECT_NO_THROW(end());
    EXPECT_NO_THROW(record());
    return;
  }
  const bool is_folder = std::string{GetParam().name}.starts_with("chunk");
  const char* const input = is_folder ? "z.zarr" : "a.tif";
  test::expect_failure<InputChanged>(end, {input, "while it was read", "again"});
  test::expect_failure<InputChanged>(record, {input});
}

INSTANTIATE_TEST_SUITE_P(Table, Inputs, testing::ValuesIn(kChanges), test::kCaseName);

TEST(InputsAsRead, RecordsWhatWasRead) {
  const TemporaryFolder folder;
  folder.write("set.h5", "abc");
  InputsAsRead read;
  const auto records = read.records({folder / "set.h5:/image"}, nullptr);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].path, folder / "set.h5:/image");
  EXPECT_EQ(records[0].bytes, 3);
  EXPECT_EQ(records[0].xxh64, "44bc2cf5ad770999");
}

TEST(InputsAsRead, KeepsTheFirstNoteOfAFile) {
  const TemporaryFolder folder;
  folder.write("a.tif", "abc");
  InputsAsRead read;
  read.note(folder / "a.tif");
  overwrite(folder / "a.tif", "xyz");
  read.note(folder / "a.tif");
  EXPECT_THROW(read.require_unchanged(), InputChanged);
}

}  // namespace
}  // namespace synthoscope::imageio

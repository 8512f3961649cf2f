// SPDX-License-Identifier: MIT
#include "textures/images/image_set.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::textures {
namespace {

namespace fs = std::filesystem;

void put(const test::TemporaryFolder& folder, const std::string& name) {
  fs::create_directories((folder / name).parent_path());
  folder.write(name, "");
}

TEST(ImageSet, FoldersAreClassesAndFilesAreSortedByName) {
  const test::TemporaryFolder folder;
  for (const char* name : {"grass/b.png", "grass/a.TIF", "brick/c.h5", "brick/notes.txt",
                           "brick/.hidden.png", ".git/x.png", "readme.md"})
    put(folder, name);
  const ImageSet set = classes_in(folder.path());
  EXPECT_EQ(set.classes, (std::vector<std::string>{"brick", "grass"}));
  ASSERT_EQ(set.images.size(), 3u);
  EXPECT_EQ(set.images[0].path, folder / "brick/c.h5");
  EXPECT_EQ(set.images[1].path, folder / "grass/a.TIF");
  EXPECT_EQ(set.images[1].of_class, 1);
}

TEST(ImageSet, AFolderOfImagesWithinIsThatOfADataSet) {
  const test::TemporaryFolder folder;
  for (const char* name :
       {"set/images/t0.tif", "set/images/t1.tif", "set/masks/t0.tif", "set/photons.ome.tif"})
    put(folder, name);
  EXPECT_EQ(images_in(folder / "set"),
            (std::vector{folder / "set/images/t0.tif", folder / "set/images/t1.tif"}));
  EXPECT_EQ(images_in(folder / "set/masks/t0.tif"), std::vector{folder / "set/masks/t0.tif"});
}

TEST(ImageSet, LinksThatLeadNowhereArePassedOver) {
  const test::TemporaryFolder folder;
  put(folder, "set/a.png");
  fs::create_symlink("b.png", folder / "set/b.png");  // to itself
  EXPECT_EQ(images_in(folder / "set"), std::vector{folder / "set/a.png"});
  fs::create_symlink("loop", folder / "loop");
  test::expect_failure<IoError>([&] { images_in(folder / "loop"); }, {"loop", "no such"});
}

TEST(ImageSet, WhatIsNotThereIsSaid) {
  const test::TemporaryFolder folder;
  put(folder, "one/a.png");
  fs::create_directories(folder / "empty/class");
  test::expect_failure<IoError>([&] { images_in(folder / "none"); }, {"none", "no such"});
  test::expect_failure<InvalidSpec>([&] { images_in(folder / "empty"); }, {"empty", "PNG"});
  test::expect_failure<InvalidSpec>([&] { classes_in(folder / "empty"); }, {"class", "none"});
  fs::remove_all(folder / "empty");
  test::expect_failure<InvalidSpec>([&] { classes_in(folder.path()); }, {"1 folders", "two"});
}

}  // namespace
}  // namespace synthoscope::textures

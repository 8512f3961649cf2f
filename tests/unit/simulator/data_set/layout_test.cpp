// SPDX-License-Identifier: MIT
#include "simulator/data_set/layout.hpp"
#include <gtest/gtest.h>
#include <algorithm>

namespace synthoscope::simulator {
namespace {

using Names = std::vector<std::string>;

TEST(DataSetLayout, NamesASingleNativeFrameWithoutANumber) {
  const DataSetLayout layout{TruthLayout::native, 1, ".ome.tif"};
  EXPECT_EQ(layout.files(),
            (Names{"labels.ome.tif", "photons.ome.tif", "image.ome.tif", "psf.ome.tif",
                   "objects.csv", "world.h5", "scene.toml", "scene.json", "preview.png"}));
  EXPECT_TRUE(layout.folders().empty());
}

struct FrameCase {
  TruthLayout layout;
  std::string image;
  Names labels;
};

TEST(DataSetLayout, NamesFramesAsTheirReadersDo) {
  const FrameCase kCases[] = {
      {TruthLayout::native, "image_t007.h5", {"labels_t007.h5"}},
      {TruthLayout::ctc, "01/t007.tif", {"01_GT/SEG/man_seg007.tif", "01_GT/TRA/man_track007.tif"}},
      {TruthLayout::stardist, "images/t007.tif", {"masks/t007.tif"}},
      {TruthLayout::cellpose, "images/t007.tif", {"images/t007_masks.tif"}},
      {TruthLayout::coco, "images/t007.tif", {"masks/t007.tif"}},
      {TruthLayout::yolo, "images/t007.tif", {"masks/t007.tif"}},
      {TruthLayout::napari, "images/t007.tif", {"masks/t007.tif"}},
  };
  for (const auto& c : kCases) {
    const DataSetLayout layout{c.layout, 8, ".h5"};
    EXPECT_EQ(layout.image(7), c.image);
    EXPECT_EQ(layout.labels(7), c.labels);
    EXPECT_EQ(layout.photons(7), "photons_t007.h5");
    EXPECT_EQ(layout.light(7), "light_t007.h5");
  }
}

TEST(DataSetLayout, HasTheTablesOfItsReaders) {
  const auto tables = [](TruthLayout layout, bool movie) {
    return DataSetLayout{layout, 9, ".ome.tif", {.movie = movie}, {}, FrameRange{7, 8}}
        .annotations();
  };
  EXPECT_EQ(tables(TruthLayout::coco, true), (Names{"annotations.json"}));
  EXPECT_EQ(tables(TruthLayout::yolo, true),
            (Names{"data.yaml", "labels/t007.txt", "labels/t008.txt"}));
  EXPECT_EQ(tables(TruthLayout::napari, false), (Names{"points.csv"}));
  EXPECT_EQ(tables(TruthLayout::napari, true), (Names{"points.csv", "tracks-napari.csv"}));
  EXPECT_EQ(tables(TruthLayout::stardist, true), Names{});
}

TEST(DataSetLayout, PutsLabelsIntoEveryImageThatIsAFolder) {
  const DataSetLayout layout{
      TruthLayout::native, 2, kOmeZarrEnding, {.structures = true}, {"gfp", "rfp"}};
  EXPECT_TRUE(layout.nests_labels());
  EXPECT_EQ(layout.labels(1), (Names{"image_gfp_t001.ome.zarr/labels/objects",
                                     "image_rfp_t001.ome.zarr/labels/objects"}));
  EXPECT_EQ(layout.structures(1).front(), "image_gfp_t001.ome.zarr/labels/structures");
  EXPECT_EQ(layout.files_of(1), (Names{"photons_gfp_t001.ome.zarr", "image_gfp_t001.ome.zarr",
                                       "photons_rfp_t001.ome.zarr", "image_rfp_t001.ome.zarr"}));
  EXPECT_EQ(layout.unnested("labels", 1), "labels_t001.ome.zarr");
}

TEST(DataSetLayout, HasTheLightOfEveryImageIfItIsWanted) {
  const DataSetLayout layout{TruthLayout::native, 1, ".ome.tif", {.light = true}, {"gfp", "rfp"}};
  EXPECT_EQ(layout.files_of(0), (Names{"labels.ome.tif", "light_gfp.ome.tif", "photons_gfp.ome.tif",
                                       "image_gfp.ome.tif", "light_rfp.ome.tif",
                                       "photons_rfp.ome.tif", "image_rfp.ome.tif"}));
  for (const char* known : {"light.ome.tif", "light_t001.tif", "light_gfp_t0001.h5",
                            "light.ome.zarr/0/1/2/3", "light_gfp.ome.zarr.partial/"})
    EXPECT_TRUE(may_be_simulated(known)) << known;
  EXPECT_FALSE(may_be_simulated("lights.ome.tif"));
}

TEST(DataSetLayout, KnowsWhatLiesInAnImageThatIsAFolder) {
  for (const char* known :
       {"image.ome.zarr/", "image.ome.zarr.partial/", "image_gfp_t001.ome.zarr/0/",
        "photons.ome.zarr/0/1/2/3", "psf.ref01.ome.zarr/.zattrs", "image.ome.zarr/zarr.json",
        "image.ome.zarr/labels/", "image.ome.zarr/labels/.zgroup", "image.ome.zarr/labels/objects/",
        "image.ome.zarr/labels/structures/1/c/0/0/0", "labels.ome.zarr/0/.zarray",
        "labels.ome.zarr.chunks"})
    EXPECT_TRUE(may_be_simulated(known)) << known;
  for (const char* other : {"image.ome.zarr/notes.txt", "notes.ome.zarr/", "image.zarr/",
                            "image.ome.zarr/labels/mine/", "image.ome.zarr.bak/"})
    EXPECT_FALSE(may_be_simulated(other)) << other;
}

TEST(DataSetLayout, HasAFourthDigitBeyondAThousandFrames) {
  EXPECT_EQ((DataSetLayout{TruthLayout::ctc, 1000, ".tif"}.image(5)), "01/t005.tif");
  EXPECT_EQ((DataSetLayout{TruthLayout::ctc, 1001, ".tif"}.image(5)), "01/t0005.tif");
  const DataSetLayout part{TruthLayout::ctc, 1001, ".tif", {}, {}, FrameRange{5, 6}};
  EXPECT_EQ(part.image(5), "01/t0005.tif");
  const auto files = part.files();
  EXPECT_EQ(std::count(files.begin(), files.end(), "01/t0006.tif"), 1);
  EXPECT_EQ(std::count(files.begin(), files.end(), "01/t0004.tif"), 0);
  EXPECT_EQ(std::count(files.begin(), files.end(), "01/t0007.tif"), 0);
}

TEST(DataSetLayout, KnowsEveryNameOfEveryLayoutAndNoOther) {
  for (const auto& [layout, name] : kTruthLayoutNames)
    for (const char* ending : {".ome.tif", ".tif", ".h5", kOmeZarrEnding})
      for (const std::int64_t frames : {1, 2, 1001}) {
        const DataSetLayout all{layout, frames, ending, {.movie = true}};
        for (const auto& file : all.files()) EXPECT_TRUE(may_be_simulated(file)) << file;
        for (const auto& folder : all.folders())
          EXPECT_TRUE(may_be_simulated(folder + "/")) << folder;
      }
  for (const char* other :
       {"notes.txt", "image.tif.bak", "labels_t1.tif", "image_.tif", "01/notes.tif", "01", "02/",
        "images/psf.tif", "sub/scene.json", "image.png", "labels/notes.txt", "labels/t001.tif"})
    EXPECT_FALSE(may_be_simulated(other)) << other;
}

}  // namespace
}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "imageio/tiff/planes/stacks.hpp"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <fstream>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/open.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tiff_bytes.hpp"

namespace synthoscope::imageio {
namespace {

using test::Field;
using test::grey_page;
using test::kAscii;
using test::kLong;
using test::kRational;
using test::kShort;
using test::TemporaryFolder;
using test::TiffBytes;
using test::with;

/// Pages of one pixel, each with the value of its number.
std::string numbered_pages(int pages, const std::string& description,
                           const std::vector<Field>& extra = {}) {
  TiffBytes tiff;
  for (int i = 0; i < pages; ++i) {
    auto fields = grey_page(1, 1, 8, tiff.append(std::string(1, static_cast<char>(i))));
    if (i == 0) fields = with(fields, {270, kAscii, {}, description});
    for (const auto& field : extra) fields = with(fields, field);
    tiff.page(fields);
  }
  return tiff.bytes();
}

/// Voxels of one stack of bytes, as numbers.
std::vector<int> voxels(const std::filesystem::path& path, std::int64_t channel,
                        std::int64_t frame) {
  OpenOptions options;
  options.channel = channel;
  options.frame = frame;
  const auto image = open_image(path, options);
  Volume<std::uint8_t> all{image.info.extent};
  image.source->read(whole(all.extent), VoxelView{all.view()});
  return {all.voxels.begin(), all.voxels.end()};
}

std::string ome_document(const std::string& attributes, const std::string& data,
                         const std::string& uuid = "") {
  return "<?xml version=\"1.0\"?><OME UUID=\"" + uuid +
         "\"><Image ID=\"Image:0\"><Pixels SizeX=\"1\" SizeY=\"1\" " + attributes + ">" + data +
         "</Pixels></Image></OME>";
}

TEST(ImagejStack, HasChannelsFirstThenSlicesThenFrames) {
  const TemporaryFolder folder;
  const auto path = folder.write(
      "hyper.tif", numbered_pages(12,
                                  "ImageJ=1.54f\nimages=12\nchannels=2\nslices=3\nframes=2\n"
                                  "hyperstack=true\n"));
  const auto info = inspect(path);
  EXPECT_EQ(info.extent, (Extent3{3, 1, 1}));
  EXPECT_EQ(info.channels, 2);
  EXPECT_EQ(info.frames, 2);
  EXPECT_EQ(voxels(path, 0, 0), (std::vector{0, 2, 4}));
  EXPECT_EQ(voxels(path, 1, 0), (std::vector{1, 3, 5}));
  EXPECT_EQ(voxels(path, 1, 1), (std::vector{7, 9, 11}));
}

TEST(ImagejStack, NeedsAFrameWhereThereAreSeveral) {
  const TemporaryFolder folder;
  const auto path =
      folder.write("frames.tif", numbered_pages(2, "ImageJ=1.54f\nimages=2\nframes=2\n"));
  test::expect_failure<InvalidSpec>([&] { open_image(path); },
                                    {"holds 2 frames", "--frame 0 or 1"});
  EXPECT_EQ(voxels(path, 0, 1), std::vector{1});
}

TEST(ImagejStack, ThatContradictsItselfIsReadAsPagesWithANote) {
  const TemporaryFolder folder;
  const auto path =
      folder.write("odd.tif", numbered_pages(5, "ImageJ=1.54f\nimages=6\nchannels=2\nslices=3\n"));
  const auto info = inspect(path);
  EXPECT_EQ(info.extent.z, 5);
  EXPECT_EQ(info.channels, 1);
  ASSERT_EQ(info.notes.size(), 1u);
  EXPECT_NE(info.notes[0].find("does not fit"), std::string::npos);
}

struct VoxelCase {
  const char* description;
  std::vector<Field> tags;
  std::optional<double> z_um, x_um;
};

/// Rational `n / d` as a field value.
std::uint64_t ratio(std::uint64_t n, std::uint64_t d) {
  return n | d << 32;
}

TEST(ImagejStack, HasTheVoxelSizeThatItsUnitSays) {
  const VoxelCase cases[] = {
      {"ImageJ=1\nunit=um\nspacing=0.5\n",
       {{282, kRational, {ratio(10, 1)}}, {296, kShort, {1}}},
       0.5,
       0.1},
      {"ImageJ=1\nunit=\\u00B5m\nspacing=0.5\n",
       {{282, kRational, {ratio(10, 1)}}, {296, kShort, {1}}},
       0.5,
       0.1},
      {"ImageJ=1\nunit=\xC2\xB5m\nspacing=0.5\n",
       {{282, kRational, {ratio(4, 1)}}, {296, kShort, {1}}},
       0.5,
       0.25},
      {"ImageJ=1\nunit=nm\nspacing=200\n",
       {{282, kRational, {ratio(1, 50)}}, {296, kShort, {1}}},
       0.2,
       0.05},
      // ImageJ's conversion: the tags speak of centimetres, the text of micrometres
      {"ImageJ=1\nunit=um\nspacing=2\n",
       {{282, kRational, {ratio(50000, 1)}}, {296, kShort, {3}}},
       2.0,
       0.2},
      {"ImageJ=1\nunit=pixel\nspacing=2\n",
       {{282, kRational, {ratio(10, 1)}}, {296, kShort, {1}}},
       std::nullopt,
       std::nullopt},
      {"ImageJ=1\nspacing=2\n",
       {{282, kRational, {ratio(10, 1)}}, {296, kShort, {1}}},
       std::nullopt,
       std::nullopt},
      {"ImageJ=1\nunit=um\nspacing=-1\n",
       {{282, kRational, {ratio(0, 0)}}, {296, kShort, {1}}},
       1.0,
       std::nullopt},
      {"ImageJ=1\nunit=um\nzunit=nm\nspacing=300\n",
       {{282, kRational, {ratio(10, 1)}}, {296, kShort, {1}}},
       0.3,
       0.1},
  };
  for (const auto& c : cases) {
    const TemporaryFolder folder;
    const auto info = inspect(folder.write("a.tif", numbered_pages(1, c.description, c.tags)));
    EXPECT_EQ(info.z_um, c.z_um) << c.description;
    ASSERT_EQ(info.x_um.has_value(), c.x_um.has_value()) << c.description;
    if (c.x_um) {
      EXPECT_DOUBLE_EQ(*info.x_um, *c.x_um) << c.description;
    }
    EXPECT_FALSE(info.y_um);
  }
}

TEST(PlainStack, TakesNoScreenResolutionForAVoxelSize) {
  const struct {
    std::uint64_t per_unit;
    int unit;
    std::optional<double> x_um;
  } cases[] = {{72, 2, {}}, {300, 2, {}}, {1, 2, {}}, {100'000, 3, 0.1}, {254'000, 2, 0.1}};
  for (const auto& c : cases) {
    const TemporaryFolder folder;
    const auto info = inspect(folder.write(
        "a.tif", numbered_pages(1, "x",
                                {{282, kRational, {ratio(c.per_unit, 1)}},
                                 {296, kShort, {static_cast<std::uint64_t>(c.unit)}}})));
    EXPECT_EQ(info.x_um, c.x_um) << c.per_unit << " per unit " << c.unit;
  }
}

TEST(ImagejStack, BeyondFourGigabytesHasOneDirectory) {
  // 5 planes of 1 GiB: only the last is beyond what a classic TIFF can point to. The file is
  // sparse, a few kilobytes on disk
  constexpr std::int64_t kSide = 1 << 15, kPlane = kSide * kSide, kPlanes = 5;
  TiffBytes tiff;
  auto fields = grey_page(kSide, kSide, 8, 4096);
  tiff.page(with(fields, {270,
                          kAscii,
                          {},
                          "ImageJ=1.54f\nimages=5\nslices=5\nunit=um\n"
                          "spacing=0.25\n"}));
  const TemporaryFolder folder;
  const auto path = folder.write("huge.tif", tiff.bytes());
  {
    std::fstream file{path, std::ios::binary | std::ios::in | std::ios::out};
    for (int z = 0; z < kPlanes; ++z) {
      file.seekp(4096 + z * kPlane + 1000 * kSide + 77);
      file.put(static_cast<char>(10 + z));
    }
  }
  std::filesystem::resize_file(path, 4096 + kPlanes * kPlane);
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  if (status.st_blocks * 512 > 64 << 20) GTEST_SKIP() << "this file system has no sparse files";

  const auto image = open_image(path);
  EXPECT_EQ(image.info.extent, (Extent3{kPlanes, kSide, kSide}));
  EXPECT_EQ(image.info.z_um, 0.25);
  EXPECT_NE(image.info.format.find("one directory"), std::string::npos);
  Volume<std::uint8_t> column{{kPlanes, 1, 3}};
  image.source->read({{0, 1000, 76}, column.extent}, VoxelView{column.view()});
  EXPECT_EQ(column.voxels,
            (std::vector<std::uint8_t>{0, 10, 0, 0, 11, 0, 0, 12, 0, 0, 13, 0, 0, 14, 0}));

  // One byte short is a truncated file
  std::filesystem::resize_file(path, 4096 + kPlanes * kPlane - 1);
  test::expect_failure<InvalidInput>([&] { inspect(path); },
                                     {"declares 5 images but only 4 fit", "truncated"});
}

TEST(MinIsWhite, IsReadInverted) {
  const TemporaryFolder folder;
  TiffBytes tiff{true};
  const auto pixels = tiff.append(std::string{"\x00\x01\xFF\xFE", 4});
  tiff.page(with(grey_page(1, 2, 16, pixels), {262, kShort, {0}}));
  const auto image = open_image(folder.write("white.tif", tiff.bytes()));
  Volume<std::uint16_t> voxels{{1, 1, 2}};
  image.source->read(whole(voxels.extent), VoxelView{voxels.view()});
  EXPECT_EQ(voxels.voxels, (std::vector<std::uint16_t>{0xFFFE, 0x0001}));
  ASSERT_EQ(image.info.notes.size(), 1u);
  EXPECT_NE(image.info.notes[0].find("inverted"), std::string::npos);
}

TEST(Palette, IsReadAsIndicesWithANote) {
  const TemporaryFolder folder;
  const auto path = folder.write("palette.tif", numbered_pages(3, "x", {{262, kShort, {3}}}));
  EXPECT_EQ(voxels(path, 0, 0), (std::vector{0, 1, 2}));
  ASSERT_EQ(inspect(path).notes.size(), 1u);
  EXPECT_NE(inspect(path).notes[0].find("palette"), std::string::npos);
}

TEST(Notes, AreTakenFromAllPlanesAndGivenOnce) {
  const TemporaryFolder folder;
  TiffBytes tiff;
  for (const std::uint64_t orientation : {1, 3, 3})
    tiff.page(with(grey_page(1, 2, 8, tiff.append("ab")), {274, kShort, {orientation}}));
  const auto notes = inspect(folder.write("turned.tif", tiff.bytes())).notes;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("orientation (code 3)"), std::string::npos);
}

TEST(OmeStack, FollowsItsDimensionOrder) {
  const struct {
    const char* order;
    std::vector<int> stack;  ///< of channel 1, frame 1
  } cases[] = {{"XYZCT", {9, 10, 11}}, {"XYCZT", {7, 9, 11}}, {"XYZTC", {9, 10, 11}},
               {"XYTCZ", {3, 7, 11}},  {"XYCTZ", {3, 7, 11}}, {"XYTZC", {7, 9, 11}}};
  for (const auto& c : cases) {
    const TemporaryFolder folder;
    const auto path = folder.write(
        "a.ome.tif", numbered_pages(12, ome_document("SizeZ=\"3\" SizeC=\"2\" SizeT=\"2\" "
                                                     "DimensionOrder=\"" +
                                                         std::string{c.order} + "\"",
                                                     "<TiffData/>")));
    EXPECT_EQ(voxels(path, 1, 1), c.stack) << c.order;
  }
}

TEST(OmeStack, FollowsItsTiffData) {
  const TemporaryFolder folder;
  const auto path = folder.write(
      "a.ome.tif",
      numbered_pages(4, ome_document("DimensionOrder=\"XYZCT\" SizeZ=\"2\" SizeC=\"2\" "
                                     "SizeT=\"1\"",
                                     "<TiffData IFD=\"3\" FirstZ=\"0\" FirstC=\"0\"/>"
                                     "<TiffData IFD=\"1\" FirstZ=\"1\" FirstC=\"0\"/>"
                                     "<TiffData IFD=\"0\" FirstC=\"1\" PlaneCount=\"1\"/>"
                                     "<TiffData IFD=\"2\" FirstZ=\"1\" FirstC=\"1\"/>")));
  EXPECT_EQ(voxels(path, 0, 0), (std::vector{3, 1}));
  EXPECT_EQ(voxels(path, 1, 0), (std::vector{0, 2}));
}

TEST(OmeStack, PlacesEachPlaneOnlySoOften) {
  // Each TiffData speaks of all planes: a file of many such takes their product
  const auto with_places = [](int places) {
    std::string data;
    for (int i = 0; i < places; ++i) data += "<TiffData/>";
    return numbered_pages(40, ome_document("SizeZ=\"40\" SizeC=\"1\" SizeT=\"1\"", data));
  };
  const TemporaryFolder folder;
  EXPECT_EQ(inspect(folder.write("a.ome.tif", with_places(8))).extent, (Extent3{40, 1, 1}));
  const auto path = folder.write("b.ome.tif", with_places(30));
  test::expect_failure<InvalidInput>([&] { inspect(path); },
                                     {"OME-XML", "places 40 planes more than 8 times"});
}

TEST(OmeStack, HasTheVoxelSizeThatItsUnitsSay) {
  const TemporaryFolder folder;
  const auto info = inspect(folder.write(
      "a.ome.tif", numbered_pages(1, ome_document("SizeZ=\"1\" SizeC=\"1\" SizeT=\"1\" "
                                                  "PhysicalSizeX=\"65\" PhysicalSizeXUnit=\"nm\" "
                                                  "PhysicalSizeY=\"0.065\" PhysicalSizeZ=\"3\" "
                                                  "PhysicalSizeZUnit=\"reference frame\"",
                                                  ""))));
  EXPECT_EQ(info.format, "TIFF, OME");
  EXPECT_DOUBLE_EQ(info.x_um.value(), 0.065);
  EXPECT_DOUBLE_EQ(info.y_um.value(), 0.065);
  EXPECT_FALSE(info.z_um);
}

/// Two files, one plane each; the first carries the document.
std::string set_document() {
  return ome_document("DimensionOrder=\"XYZCT\" SizeZ=\"2\" SizeC=\"1\" SizeT=\"1\"",
                      "<TiffData FirstZ=\"0\" IFD=\"0\"><UUID FileName=\"a.ome.tif\">urn:a</UUID>"
                      "</TiffData><TiffData FirstZ=\"1\" IFD=\"1\"><UUID FileName=\"b.ome.tif\">"
                      "urn:b</UUID></TiffData>",
                      "urn:a");
}

TEST(OmeStack, IsReadFromSeveralFilesOfOneFolder) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.ome.tif", numbered_pages(1, set_document()));
  folder.write("b.ome.tif", numbered_pages(2, "x"));
  EXPECT_EQ(voxels(path, 0, 0), (std::vector{0, 1}));
}

TEST(OmeStack, NamesAMissingFileOfItsSet) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.ome.tif", numbered_pages(1, set_document()));
  test::expect_failure<IoError>([&] { inspect(path); }, {"b.ome.tif", "no such file"});
}

TEST(OmeStack, IsKnownAgainAfterRenaming) {
  const TemporaryFolder folder;
  // By its UUID within a set, and by being the only file otherwise
  const auto in_set = folder.write("renamed.tif", numbered_pages(1, set_document()));
  folder.write("b.ome.tif", numbered_pages(2, "x"));
  EXPECT_EQ(voxels(in_set, 0, 0), (std::vector{0, 1}));
  const auto alone = folder.write(
      "alone.tif",
      numbered_pages(1, ome_document("SizeZ=\"1\" SizeC=\"1\" SizeT=\"1\"",
                                     "<TiffData><UUID FileName=\"old.tif\">u</UUID></TiffData>")));
  EXPECT_EQ(voxels(alone, 0, 0), std::vector{0});
  EXPECT_EQ(inspect(alone).notes.size(), 1u);
}

TEST(OmeStack, CountsSamplesAsChannels) {
  const TemporaryFolder folder;
  TiffBytes tiff;
  auto fields = with(grey_page(1, 1, 8, tiff.append("rgb")), {277, kShort, {3}});
  fields = with(with(fields, {258, kShort, {8, 8, 8}}), {262, kShort, {2}});
  tiff.page(
      with(fields,
           {270, kAscii, {}, ome_document("SizeZ=\"1\" SizeC=\"3\" SizeT=\"1\"", "<TiffData/>")}));
  const auto path = folder.write("rgb.ome.tif", tiff.bytes());
  EXPECT_EQ(inspect(path).channels, 3);
  EXPECT_EQ(voxels(path, 2, 0), std::vector{int{'b'}});
}

}  // namespace
}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
// A TIFF with several channels and frames is read back as it was written.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "imageio/create.hpp"
#include "imageio/image/stack_sink.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

using test::TemporaryFolder;

constexpr std::int64_t kChannels = 3, kFrames = 2;
constexpr Extent3 kStack{5, 33, 47};
constexpr Extent3 kAll{kChannels * kFrames * kStack.z, kStack.y, kStack.x};

struct StacksCase {
  const char* name;
  TiffFlavor flavor = TiffFlavor::ome;
  Compression compression = Compression::none;
  bool is_big = false;
};

constexpr StacksCase kCases[] = {
    {"ome"},
    {"ome_big", TiffFlavor::ome, Compression::none, true},
    {"ome_deflate", TiffFlavor::ome, Compression::deflate},
    {"ome_big_zstd", TiffFlavor::ome, Compression::zstd, true},
    {"imagej", TiffFlavor::imagej},
};

ImageSpec spec_of(const StacksCase& c) {
  ImageSpec spec;
  spec.extent = kAll;
  spec.type = PixelType::uint16;
  spec.flavor = c.flavor;
  spec.compression = c.compression;
  spec.force_bigtiff = c.is_big;
  spec.channels = kChannels;
  spec.frames = kFrames;
  spec.channel_names = {{"DAPI", 460, 405, 0x0000ff}, {}, {"RFP", 610, {}, {}}};
  spec.z_um = spec.y_um = spec.x_um = 0.5;
  return spec;
}

Volume<std::uint16_t> stack_of(const Volume<std::uint16_t>& all, std::int64_t channel,
                               std::int64_t frame) {
  return test::cut(all, {{(frame * kChannels + channel) * kStack.z, 0, 0}, kStack});
}

void expect_all_stacks(const std::filesystem::path& file, const Volume<std::uint16_t>& all) {
  for (std::int64_t frame = 0; frame < kFrames; ++frame)
    for (std::int64_t channel = 0; channel < kChannels; ++channel) {
      const auto image = open_image(file, {.channel = channel, .frame = frame, .limits = {}});
      ASSERT_EQ(image.info.extent, kStack);
      Volume<std::uint16_t> voxels{kStack};
      image.source->read(whole(kStack), VoxelView{voxels.view()});
      EXPECT_EQ(voxels.voxels, stack_of(all, channel, frame).voxels) << channel << " " << frame;
    }
}

class SeveralStacks : public testing::TestWithParam<StacksCase> {};

TEST_P(SeveralStacks, AreReadBackWithTheirNames) {
  const TemporaryFolder folder;
  const auto spec = spec_of(GetParam());
  const auto all = test::pattern<std::uint16_t>(kAll);
  const auto file = create_image(folder / "image.tif", spec);
  file->write(whole(kAll), ConstVoxelView{all.view()});
  file->close();

  const ImageInfo info = inspect(folder / "image.tif");
  EXPECT_EQ(info.channels, kChannels);
  EXPECT_EQ(info.frames, kFrames);
  EXPECT_EQ(info.extent, kStack);
  EXPECT_EQ(info.format.starts_with("BigTIFF"), GetParam().is_big);
  EXPECT_EQ(info.z_um, 0.5);
  EXPECT_TRUE(info.notes.empty());
  const bool has_names = spec.flavor == TiffFlavor::ome;
  EXPECT_EQ(info.channel_names, has_names ? spec.channel_names : std::vector<ImageChannel>{});
  expect_all_stacks(folder / "image.tif", all);
}

TEST_P(SeveralStacks, AreWrittenOneAfterAnother) {
  const TemporaryFolder folder;
  const auto all = test::pattern<std::uint16_t>(kAll);
  const auto file = create_image(folder / "image.tif", spec_of(GetParam()));
  for (std::int64_t i = 0; i < kChannels * kFrames; ++i) {
    StackSink stack{*file, kStack, i};
    EXPECT_EQ(stack.accepts(), file->accepts());
    for (std::int64_t z = 0; z < kStack.z; ++z) {
      const auto part = test::cut(all, plane(kAll, i * kStack.z + z));
      stack.write(plane(kStack, z), ConstVoxelView{part.view()});
    }
    stack.close();
  }
  file->close();
  expect_all_stacks(folder / "image.tif", all);
}

TEST_P(SeveralStacks, AreResumedToTheSameBytes) {
  const TemporaryFolder folder;
  const auto spec = spec_of(GetParam());
  const auto all = test::pattern<std::uint16_t>(kAll);
  const Box3 first{{0, 0, 0}, {8, kAll.y, kAll.x}}, rest{{8, 0, 0}, {kAll.z - 8, kAll.y, kAll.x}};
  const auto write = [&](Sink& file, const Box3& box) {
    const auto part = test::cut(all, box);
    file.write(box, ConstVoxelView{part.view()});
  };
  std::string state;
  {
    const auto file = create_image(folder / "image.tif", spec);
    write(*file, first);
    state = file->checkpoint();
    file->keep(true);
  }
  const auto file = resume_image(folder / "image.tif", spec, state);
  write(*file, rest);
  file->close();
  expect_all_stacks(folder / "image.tif", all);
}

INSTANTIATE_TEST_SUITE_P(Tiff, SeveralStacks, testing::ValuesIn(kCases), test::kCaseName);

TEST(OneStack, IsDescribedAsOneChannelAndFrame) {
  const TemporaryFolder folder;
  auto spec = spec_of({"one"});
  spec.extent = kStack;
  spec.channels = spec.frames = 1;
  spec.channel_names.clear();
  create_image(folder / "image.tif", spec)->keep(true);
  const auto content = test::content_of(folder / "image.tif.partial");
  EXPECT_NE(content.find(R"(SizeC="1" SizeT="1")"), std::string::npos);
  EXPECT_NE(content.find(R"(<Channel ID="Channel:0:0" SamplesPerPixel="1"/>)"), std::string::npos);
  EXPECT_EQ(content.find("Channel:0:1"), std::string::npos);
}

struct RefusedFormat {
  const char* name;
  FileFormat format;
  TiffFlavor flavor = TiffFlavor::ome;
};

constexpr RefusedFormat kRefused[] = {
    {"hdf5", FileFormat::hdf5},
    {"zarr", FileFormat::zarr},
    {"zarr3", FileFormat::zarr3},
    {"bdv", FileFormat::bdv},
    {"tiff_without_metadata", FileFormat::tiff, TiffFlavor::plain},
};

class FormatOfOneStack : public testing::TestWithParam<RefusedFormat> {};

TEST_P(FormatOfOneStack, RefusesSeveral) {
  const TemporaryFolder folder;
  auto spec = spec_of({"refused"});
  spec.format = GetParam().format;
  spec.flavor = GetParam().flavor;
  test::expect_failure<InvalidSpec>(
      [&] { create_image(folder / "image.h5", spec); },
      {"image.h5", "3 channels and 2 frames", "--channel", "--frame"});
  EXPECT_TRUE(folder.names().empty());
}

INSTANTIATE_TEST_SUITE_P(Create, FormatOfOneStack, testing::ValuesIn(kRefused), test::kCaseName);

}  // namespace
}  // namespace synthoscope::imageio

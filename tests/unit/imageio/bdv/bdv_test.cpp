// SPDX-License-Identifier: MIT
// Files of BigDataViewer as sinks: two files or none, and the same ones after a pause. Their
// content is checked with npy2bdv.
#include <gtest/gtest.h>
#include <set>
#include <string>
#include "core/base/error.hpp"
#include "core/run/stop.hpp"
#include "imageio/create.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/full_disk.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

constexpr Extent3 kExtent{7, 40, 300};

struct BdvCase {
  const char* name;
  Compression compression;
};

constexpr BdvCase kCases[] = {{"none", Compression::none},
                              {"deflate", Compression::deflate},
                              {"zstd", Compression::zstd},
                              {"blosc", Compression::blosc}};

class Bdv : public testing::TestWithParam<BdvCase> {
 protected:
  Bdv() {
    spec_.extent = kExtent;
    spec_.type = PixelType::uint16;
    spec_.format = FileFormat::bdv;
    spec_.compression = GetParam().compression;
    spec_.chunks = Extent3{3, 16, 64};
  }

  static void write_planes(Sink& sink, std::int64_t begin, std::int64_t end) {
    const auto all = test::pattern<std::uint16_t>(kExtent);
    const Box3 box{{begin, 0, 0}, {end - begin, kExtent.y, kExtent.x}};
    const auto part = test::cut(all, box);
    sink.write(box, ConstVoxelView{part.view()});
  }

  void make(const char* name) {
    const auto file = create_image(folder_ / name, spec_);
    write_planes(*file, 0, kExtent.z);
    file->close();
  }

  void expect_same(const char* a, const char* b) {
    EXPECT_TRUE(test::content_of(folder_ / a) == test::content_of(folder_ / b)) << a << ", " << b;
  }

  test::TemporaryFolder folder_;
  ImageSpec spec_;
};

TEST_P(Bdv, IsTwoFilesThatAreReadAsTheyWereWritten) {
  make("a.h5");
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"a.h5", "a.xml"}));
  for (const char* name : {"a.h5", "a.xml"}) {
    const auto image = open_image(folder_ / name);
    EXPECT_EQ(image.info.levels, (std::vector<Extent3>{kExtent, {4, 20, 150}}));
    Volume<std::uint16_t> voxels{kExtent};
    image.source->read(whole(kExtent), VoxelView{voxels.view()});
    EXPECT_EQ(voxels.voxels, test::pattern<std::uint16_t>(kExtent).voxels);
  }
}

TEST_P(Bdv, EndsInTheSameBytesAfterAPause) {
  make("whole.h5");
  for (const std::int64_t pause : {0, 1, 3, 5, 7}) {
    std::string state;
    {
      const auto file = create_image(folder_ / "part.h5", spec_);
      if (pause > 0) write_planes(*file, 0, pause);
      state = file->checkpoint();
      if (pause < kExtent.z) write_planes(*file, pause, kExtent.z);
      file->keep(true);
    }
    EXPECT_FALSE(folder_.names().contains("part.h5") || folder_.names().contains("part.xml"));
    const auto file = resume_image(folder_ / "part.h5", spec_, state);
    if (pause < kExtent.z) write_planes(*file, pause, kExtent.z);
    file->close();
    expect_same("part.h5", "whole.h5");
    EXPECT_EQ(folder_.names(),
              (std::set<std::string>{"part.h5", "part.xml", "whole.h5", "whole.xml"}));
    for (const char* name : {"part.h5", "part.xml"}) std::filesystem::remove(folder_ / name);
  }
}

TEST_P(Bdv, EndsInTheSameBytesWhenTheLastStageIsInterrupted) {
  make("whole.h5");
  StopFlag stop;
  auto spec = spec_;
  spec.stop = &stop;
  std::string state;
  {
    const auto file = create_image(folder_ / "part.h5", spec);
    write_planes(*file, 0, kExtent.z);
    stop.request();
    EXPECT_THROW(file->build(), Interrupted);
    state = file->checkpoint();
    file->keep(true);
  }
  resume_image(folder_ / "part.h5", spec_, state)->close();
  expect_same("part.h5", "whole.h5");
}

TEST_P(Bdv, GoesOnBetweenTheNamesOfItsTwoFiles) {
  make("whole.h5");
  std::string state;
  {
    const auto file = create_image(folder_ / "part.h5", spec_);
    write_planes(*file, 0, kExtent.z);
    file->build();
    state = file->checkpoint();
    file->keep(true);
  }
  std::filesystem::rename(folder_ / "part.xml.partial", folder_ / "part.xml");
  resume_image(folder_ / "part.h5", spec_, state)->close();
  expect_same("part.h5", "whole.h5");
}

TEST_P(Bdv, ReplacesNoXmlOfImagesThatAreElsewhereNow) {
  make("moved.h5");
  std::filesystem::rename(folder_ / "moved.h5", folder_ / "away.h5");
  test::expect_failure<InvalidSpec>([&] { make("moved.h5"); }, {"moved.xml", "exists"});
}

TEST_P(Bdv, PutsTheOlderXmlBackWhereTheImagesGetNoName) {
  make("a.h5");
  const std::string older = test::content_of(folder_ / "a.xml") + "<!-- older -->";
  folder_.write("a.xml", older);
  spec_.overwrite = true;
  const auto file = create_image(folder_ / "a.h5", spec_);
  write_planes(*file, 0, kExtent.z);
  std::filesystem::remove(folder_ / "a.h5");
  std::filesystem::create_directories(folder_ / "a.h5" / "in the way");
  test::expect_failure<IoError>([&] { file->close(); }, {"write", "a.h5"});
  EXPECT_EQ(test::content_of(folder_ / "a.xml"), older);
  EXPECT_FALSE(folder_.names().contains("a.xml.partial.older"));
}

TEST_P(Bdv, LeavesNothingOnAFullDisk) {
  const test::FullDisk full{20'000};
  test::expect_failure<IoError>([&] { make("a.h5"); }, {"a.", "ulimit -f"});
  EXPECT_TRUE(folder_.names().empty());
}

TEST_P(Bdv, LeavesWhatIsNotOfItsKindAlone) {
  folder_.write("a.xml", "<notes/>");
  spec_.overwrite = true;
  test::expect_failure<InvalidSpec>([&] { make("a.h5"); }, {"a.xml", "another name"});
  EXPECT_EQ(folder_.names(), std::set<std::string>{"a.xml"});
}

INSTANTIATE_TEST_SUITE_P(Table, Bdv, testing::ValuesIn(kCases), test::kCaseName);

}  // namespace
}  // namespace synthoscope::imageio

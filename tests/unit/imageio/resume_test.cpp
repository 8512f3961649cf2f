// SPDX-License-Identifier: MIT
// A file that was kept unfinished is gone on with to the same bytes.
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include "core/base/error.hpp"
#include "core/run/stop.hpp"
#include "imageio/create.hpp"
#include "imageio/output/partial_file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

using test::TemporaryFolder;

constexpr Extent3 kExtent{4, 290, 947};  // several strips a plane

void write_planes(Sink& sink, std::int64_t begin, std::int64_t end) {
  visit_pixel_type(sink.pixel_type(), [&](auto zero) {
    const auto all = test::pattern<decltype(zero)>(sink.extent());
    const Box3 box{{begin, 0, 0}, {end - begin, kExtent.y, kExtent.x}};
    const auto part = test::cut(all, box);
    if (end > begin) sink.write(box, ConstVoxelView{part.view()});
  });
}

struct ResumeCase {
  const char* name;
  TiffFlavor flavor;
  PixelType type;
  Compression compression;
  FileFormat format = FileFormat::tiff;
  std::optional<Extent3> chunks = {};
};

constexpr ResumeCase kCases[] = {
    {"ome", TiffFlavor::ome, PixelType::float32, Compression::none},
    {"imagej", TiffFlavor::imagej, PixelType::uint16, Compression::none},
    {"plain", TiffFlavor::plain, PixelType::float64, Compression::none},
    {"deflate", TiffFlavor::ome, PixelType::uint16, Compression::deflate},
    {"lzw", TiffFlavor::plain, PixelType::uint8, Compression::lzw},
    {"zstd", TiffFlavor::ome, PixelType::float32, Compression::zstd},
    {"hdf5", TiffFlavor::ome, PixelType::float32, Compression::none, FileFormat::hdf5},
    {"hdf5_chunks", TiffFlavor::ome, PixelType::uint8, Compression::none, FileFormat::hdf5,
     Extent3{2, 20, 20}},
    {"hdf5_deflate", TiffFlavor::ome, PixelType::uint16, Compression::deflate, FileFormat::hdf5,
     Extent3{3, 20, 20}},
    {"hdf5_zstd", TiffFlavor::ome, PixelType::float32, Compression::zstd, FileFormat::hdf5,
     Extent3{3, 20, 20}},
    {"hdf5_blosc", TiffFlavor::ome, PixelType::uint16, Compression::blosc, FileFormat::hdf5,
     Extent3{3, 20, 20}},
    {"zarr", TiffFlavor::ome, PixelType::float32, Compression::none, FileFormat::zarr,
     Extent3{2, 64, 200}},
    {"zarr_zstd", TiffFlavor::ome, PixelType::uint16, Compression::zstd, FileFormat::zarr,
     Extent3{3, 64, 200}},
    {"zarr3_blosc", TiffFlavor::ome, PixelType::uint16, Compression::blosc, FileFormat::zarr3,
     Extent3{3, 64, 200}},
};

class Resume : public testing::TestWithParam<ResumeCase> {
 protected:
  Resume() {
    spec_.extent = kExtent;
    spec_.flavor = GetParam().flavor;
    spec_.type = GetParam().type;
    spec_.compression = GetParam().compression;
    spec_.format = GetParam().format;
    spec_.chunks = GetParam().chunks;
    spec_.z_um = 0.3;
    spec_.provenance = R"({"seed":7})";  // not the name, makes the file what it is
    const auto file = create_image(folder_ / "whole.tif", spec_);
    write_planes(*file, 0, kExtent.z);
    file->close();
  }

  [[nodiscard]] std::string bytes_of(const char* name) const {
    return test::content_of(folder_ / name);
  }
  [[nodiscard]] std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> contents;
    for (const auto& name : folder_.names()) contents[name] = bytes_of(name.c_str());
    return contents;
  }

  TemporaryFolder folder_;
  ImageSpec spec_;
};

TEST_P(Resume, EndsInTheSameBytesFromAnyPlane) {
  for (std::int64_t kept = 0; kept <= kExtent.z; ++kept) {
    const auto name = "file" + std::to_string(kept) + ".tif";
    std::string state;
    {
      const auto file = create_image(folder_ / name, spec_);
      write_planes(*file, 0, kept);
      state = file->checkpoint();
      file->sync();
      // Written behind the state, and so written again
      write_planes(*file, kept, std::min(kept + 2, kExtent.z));
      file->keep(true);
    }
    const auto file = resume_image(folder_ / name, spec_, state);
    write_planes(*file, kept, kExtent.z);
    file->close();
    EXPECT_TRUE(bytes_of(name.c_str()) == bytes_of("whole.tif")) << "from plane " << kept;
  }
}

TEST_P(Resume, RefusesWhatAnotherWriterHolds) {
  const auto file = create_image(folder_ / "file.tif", spec_);
  write_planes(*file, 0, 3);
  const auto state = file->checkpoint();
  file->keep(true);
  test::expect_failure<IoError>([&] { resume_image(folder_ / "file.tif", spec_, state); },
                                {"another process is writing it"});
  auto names = folder_.names();
  names.erase("file.tif.chunks.partial");  // of deflated HDF5
  EXPECT_EQ(names, (std::set<std::string>{"file.tif.partial", "whole.tif"}));
}

TEST_P(Resume, RefusesWhatWasNotBegunLikeThis) {
  std::string state;
  {
    const auto file = create_image(folder_ / "file.tif", spec_);
    write_planes(*file, 0, kExtent.z - 1);
    state = file->checkpoint();
    file->keep(true);
  }
  folder_.write("file.tif.partial.journal", "its journal");
  const auto before = contents();
  auto other = spec_;
  other.extent.y += 1;
  test::expect_failure<InvalidSpec>([&] { resume_image(folder_ / "file.tif", other, state); },
                                    {"file.tif", "is a different one", "without --resume"});
  for (const char* strange :
       {"", "{}", "[1]", "{\"voxels\":\"many\"}", "{\"planes\":-1,\"bytes\":999}"})
    test::expect_failure<InvalidSpec>([&] { resume_image(folder_ / "file.tif", spec_, strange); },
                                      {"file.tif", "without --resume"});
  EXPECT_TRUE(contents() == before) << "what was refused stays as it is";
  test::expect_failure<LeftoverChanged>([&] { resume_image(folder_ / "none.tif", spec_, state); },
                                        {"none.tif.partial is gone", "without --resume"});
}

TEST_P(Resume, KeepsWhatIsThereWhenAPartIsMissing) {
  std::string state;
  {
    const auto file = create_image(folder_ / "file.tif", spec_);
    write_planes(*file, 0, kExtent.z - 1);
    state = file->checkpoint();
    file->keep(true);
  }
  for (const std::string name : {"file.tif.partial", "file.tif.chunks.partial"}) {
    if (!folder_.names().contains(name)) continue;
    if (std::filesystem::is_directory(folder_ / name)) {
      std::filesystem::rename(folder_ / name, folder_ / "away");
      test::expect_failure<LeftoverChanged>(
          [&] { resume_image(folder_ / "file.tif", spec_, state); },
          {"is gone", "without --resume"});
      std::filesystem::rename(folder_ / "away", folder_ / name);
      continue;
    }
    const std::string content = bytes_of(name.c_str());
    const bool is_made_last = name == "file.tif.partial" && folder_.names().size() > 2;
    for (const bool is_gone : {true, false}) {
      if (!is_gone && content.empty()) continue;  // no plane was put aside
      folder_.write("file.tif.partial.journal", "its journal");
      if (is_gone)
        std::filesystem::remove(folder_ / name);
      else
        folder_.write(name, content.substr(0, content.size() / 2));
      const auto before = contents();
      if (is_gone || !is_made_last)
        test::expect_failure<LeftoverChanged>(
            [&] { resume_image(folder_ / "file.tif", spec_, state); }, {"without --resume"});
      EXPECT_TRUE(contents() == before) << name << (is_gone ? " is gone" : " is short");
    }
    folder_.write(name, content);
  }
  const auto file = resume_image(folder_ / "file.tif", spec_, state);
  write_planes(*file, kExtent.z - 1, kExtent.z);
  file->close();
  EXPECT_TRUE(bytes_of("file.tif") == bytes_of("whole.tif")) << "after all that";
}

TEST_P(Resume, EndsInTheSameBytesWhenTheLastStageIsInterrupted) {
  StopFlag stop;
  auto spec = spec_;
  spec.stop = &stop;
  std::string state;
  {
    const auto file = create_image(folder_ / "file.tif", spec);
    write_planes(*file, 0, kExtent.z);
    stop.request();
    const bool is_made_last =
        is_zarr(GetParam().format) ||
        (GetParam().format == FileFormat::hdf5 && GetParam().compression != Compression::none);
    if (is_made_last)
      EXPECT_THROW(file->build(), Interrupted);
    else
      EXPECT_NO_THROW(file->build());
    state = file->checkpoint();
    file->keep(true);
  }
  resume_image(folder_ / "file.tif", spec_, state)->close();
  EXPECT_TRUE(bytes_of("file.tif") == bytes_of("whole.tif"));
  EXPECT_EQ(folder_.names(), (std::set<std::string>{"file.tif", "whole.tif"}));
}

INSTANTIATE_TEST_SUITE_P(Table, Resume, testing::ValuesIn(kCases), test::kCaseName);

TEST(PartialFile, TakesItsJournalAlongWhenItIsBegunAnew) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.write("a.tif.partial", "old"),
                               std::filesystem::perms::sticky_bit,
                               std::filesystem::perm_options::add);
  folder.write("a.tif.partial.journal", "about the old");
  {
    const PartialFile file{folder / "a.tif", false};
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.tif.partial"});
    folder.write("a.tif.partial.journal", "about the new");
  }
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace synthoscope::imageio

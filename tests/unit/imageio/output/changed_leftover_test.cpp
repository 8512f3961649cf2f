// SPDX-License-Identifier: MIT
// Finished pieces that were changed are never taken, and an output that others take away under a
// run is noticed.
#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <vector>
#include "core/base/json.hpp"
#include "imageio/create.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/shared_image.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

constexpr Extent3 kExtent{7, 50, 60};
constexpr std::int64_t kFinished = 5;  ///< planes
constexpr Extent3 kChunks{2, 25, 20};  ///< which divide planes: no bits that are no voxels

struct LeftoverCase {
  const char* name;
  const char* output;
  FileFormat format;
  Compression compression;
  TiffFlavor flavor = TiffFlavor::ome;
  std::optional<Extent3> chunks = {};
};

constexpr LeftoverCase kCases[] = {
    {"tiff", "a.tif", FileFormat::tiff, Compression::none},
    {"imagej", "a.tif", FileFormat::tiff, Compression::none, TiffFlavor::imagej},
    {"tiff_deflate", "a.tif", FileFormat::tiff, Compression::deflate},
    {"hdf5", "a.h5", FileFormat::hdf5, Compression::none},
    {"hdf5_chunks", "a.h5", FileFormat::hdf5, Compression::none, TiffFlavor::ome, kChunks},
    {"hdf5_deflate", "a.h5", FileFormat::hdf5, Compression::deflate, TiffFlavor::ome, kChunks},
    {"zarr", "a.zarr", FileFormat::zarr, Compression::none, TiffFlavor::ome, kChunks},
    {"zarr3_zstd", "a.zarr", FileFormat::zarr3, Compression::zstd, TiffFlavor::ome, kChunks},
    {"bdv", "a.h5", FileFormat::bdv, Compression::deflate, TiffFlavor::ome, kChunks},
};

void flip(const fs::path& file, std::int64_t at) {
  std::fstream stream{file, std::ios::in | std::ios::out | std::ios::binary};
  stream.seekg(at);
  const char was = static_cast<char>(stream.get());
  stream.seekp(at);
  stream.put(static_cast<char>(was ^ 0x40));
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator{folder})
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class ChangedLeftover : public testing::TestWithParam<LeftoverCase> {
 protected:
  ChangedLeftover() {
    const LeftoverCase& its = GetParam();
    spec_.extent = kExtent;
    spec_.type = PixelType::uint16;
    spec_.format = its.format;
    spec_.compression = its.compression;
    spec_.flavor = its.flavor;
    spec_.chunks = its.chunks;
    const auto file = create(whole_);
    write(*file, 0, kExtent.z);
    file->close();
    expected_ = test::content_of(whole_ / its.output);
  }

  [[nodiscard]] std::unique_ptr<ImageFile> create(const test::TemporaryFolder& folder) const {
    return create_image(folder / GetParam().output, spec_);
  }
  static void write(Sink& sink, std::int64_t begin, std::int64_t end) {
    const auto all = test::pattern<std::uint16_t>(kExtent);
    for (std::int64_t z = begin; z < end; ++z) {
      const auto part = test::cut(all, plane(kExtent, z));
      sink.write(plane(kExtent, z), ConstVoxelView{part.view()});
    }
  }
  /// Leaves the first planes finished. @returns the state
  [[nodiscard]] std::string begin(const test::TemporaryFolder& folder) const {
    const auto file = create(folder);
    write(*file, 0, kFinished);
    auto state = file->checkpoint();
    file->keep(true);
    return state;
  }
  /// Whether the rest makes the right file of what was left; false where that is refused.
  [[nodiscard]] bool is_finished_right(const test::TemporaryFolder& folder,
                                       const std::string& state) const {
    try {
      const auto file = resume_image(folder / GetParam().output, spec_, state);
      write(*file, kFinished, kExtent.z);
      file->close();
    } catch (const LeftoverChanged&) {
      return false;
    }
    EXPECT_TRUE(test::content_of(folder / GetParam().output) == expected_);
    return true;
  }

  test::TemporaryFolder whole_;
  ImageSpec spec_;
  std::string expected_;
};

TEST_P(ChangedLeftover, IsTakenWhereNothingChanged) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(is_finished_right(folder, begin(folder)));
}

TEST_P(ChangedLeftover, IsNotTakenWhereAnyOfItsFilesIsCutOrGoneOrHasAFlippedBit) {
  std::size_t files = 0;
  {
    const test::TemporaryFolder folder;
    (void)begin(folder);
    files = files_below(folder.path()).size();
  }
  int refused = 0, changes = 0;
  const std::size_t step = std::max<std::size_t>(1, files / 4);  // of many chunks a few
  for (std::size_t i = 0; i < files; i += step)
    for (const double at : {-2.0, -1.0, 0.0, 0.2, 0.5, 0.7, 0.999}) {
      const test::TemporaryFolder folder;
      const std::string state = begin(folder);
      const fs::path file = files_below(folder.path())[i];
      const auto size = static_cast<std::int64_t>(fs::file_size(file));
      if (size == 0) continue;  // made last
      ++changes;
      if (at == -2)
        fs::remove(file);
      else if (at == -1)
        fs::resize_file(file, static_cast<std::uintmax_t>(size / 2));
      else
        flip(file, static_cast<std::int64_t>(at * static_cast<double>(size)));
      refused += !is_finished_right(folder, state);
    }
  EXPECT_GT(refused, changes / 4);
}

TEST_P(ChangedLeftover, IsNoticedIfOthersTakeItAwayUnderARun) {
  const std::string output = GetParam().output;
  for (const bool is_replaced : {false, true}) {
    const test::TemporaryFolder folder;
    const fs::path partial = folder / (output + ".partial");
    {
      const auto file = create(folder);
      write(*file, 0, kFinished);
      fs::rename(partial, folder / "away");
      if (is_replaced) folder.write(output + ".partial", "of somebody else");
      // What was begun can be written to where it is: then only its name is missing at the end
      try {
        write(*file, kFinished, kExtent.z);
        file->close();
        ADD_FAILURE() << "nothing was thrown";
      } catch (const IoError&) {
      }
    }
    EXPECT_FALSE(folder.names().contains(output));
    if (is_replaced) {
      EXPECT_EQ(test::content_of(partial), "of somebody else");
    }
  }
}

TEST_P(ChangedLeftover, IsNoticedIfOthersCutItUnderARun) {
  const test::TemporaryFolder folder;
  const auto file = create(folder);
  write(*file, 0, kFinished);
  bool is_cut = false;
  for (const fs::path& part : files_below(folder.path())) {
    if (fs::file_size(part) < 2) continue;
    fs::resize_file(part, fs::file_size(part) / 2);
    is_cut = true;
  }
  ASSERT_TRUE(is_cut);
  EXPECT_THROW(
      {
        write(*file, kFinished, kExtent.z);
        file->close();
      },
      IoError);
  EXPECT_FALSE(folder.names().contains(GetParam().output));
}

INSTANTIATE_TEST_SUITE_P(Table, ChangedLeftover, testing::ValuesIn(kCases), test::kCaseName);

TEST(ChangedChunk, ThatWasRemovedUnderARunIsNotMadeAgainWithZeros) {
  const test::TemporaryFolder folder;
  ImageSpec spec;
  spec.extent = kExtent;
  spec.type = PixelType::uint16;
  spec.format = FileFormat::zarr;
  spec.chunks = kChunks;
  const auto all = test::pattern<std::uint16_t>(kExtent);
  for (const bool is_last : {false, true}) {
    const auto file = create_image(folder / "a.zarr", spec);
    for (std::int64_t z = 0; z < (is_last ? kExtent.z : kFinished); ++z)
      file->write(plane(kExtent, z), ConstVoxelView{test::cut(all, plane(kExtent, z)).view()});
    if (is_last) file->build();
    fs::remove(folder / "a.zarr.partial" / "0" / "2" / "1" / "1");  // planes 4 and 5
    const auto finish = [&] {
      if (!is_last)
        file->write(plane(kExtent, 5), ConstVoxelView{test::cut(all, plane(kExtent, 5)).view()});
      file->close();
    };
    test::expect_failure<OutputLost>(finish, {"a.zarr", "0/2/1/1 was removed"});
  }
}

TEST(SharesOfOneFile, AreCheckedTogether) {
  const test::TemporaryFolder folder;
  ImageSpec spec;
  spec.extent = kExtent;
  spec.type = PixelType::uint16;
  const auto all = test::pattern<std::uint16_t>(kExtent);
  const fs::path output = folder / "a.tif";
  std::string begun;
  {
    const auto file = create_image(output, spec);
    begun = file->checkpoint();
    file->keep(true);
  }
  spec.shared = true;
  std::vector<std::string> states;
  for (const bool odd : {false, true}) {
    const auto file = resume_image(output, spec, begun);
    for (std::int64_t z = odd; z < kExtent.z; z += 2)
      file->write(plane(kExtent, z), ConstVoxelView{test::cut(all, plane(kExtent, z)).view()});
    states.push_back(file->checkpoint());
  }
  const std::string joined = joined_states(output, states);
  flip(folder / "a.tif.partial",
       static_cast<std::int64_t>(fs::file_size(folder / "a.tif.partial")) - 1);
  test::expect_failure<LeftoverChanged>([&] { resume_image(output, spec, joined); },
                                        {"a.tif.partial does not hold what an earlier run wrote"});
  test::expect_failure<LeftoverChanged>([&] { resume_image(output, spec, states[0]); }, {"a.tif"});
  EXPECT_NO_THROW(resume_image(output, spec, states[1])) << "the share that did not change";
  flip(folder / "a.tif.partial",
       static_cast<std::int64_t>(fs::file_size(folder / "a.tif.partial")) - 1);
  resume_image(output, spec, joined)->close();
  EXPECT_TRUE(fs::exists(output));
}

}  // namespace
}  // namespace synthoscope::imageio

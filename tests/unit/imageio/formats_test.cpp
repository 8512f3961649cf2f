// SPDX-License-Identifier: MIT
#include "imageio/formats.hpp"
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>
#include <array>
#include <optional>
#include <stdexcept>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/create.hpp"
#include "imageio/open.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tiff_bytes.hpp"

namespace synthoscope::imageio {
namespace {

struct NameCase {
  const char* path;
  FileFormat asked, written;
};

constexpr NameCase kNames[] = {
    {"a.tif", FileFormat::by_name, FileFormat::tiff},
    {"a.h5", FileFormat::by_name, FileFormat::hdf5},
    {"A.HDF5", FileFormat::by_name, FileFormat::hdf5},
    {"a.h5:/b.zarr", FileFormat::by_name, FileFormat::hdf5},
    {"a.ome.zarr", FileFormat::by_name, FileFormat::zarr},
    {"a.zarr/", FileFormat::by_name, FileFormat::zarr},
    {"a.png", FileFormat::by_name, FileFormat::tiff},  // it is read, but not written
    {"a.tar", FileFormat::by_name, FileFormat::tiff},
    {"a", FileFormat::by_name, FileFormat::tiff},
    {"a.h5", FileFormat::tiff, FileFormat::tiff},
    {"a.tif", FileFormat::bdv, FileFormat::bdv},
};

TEST(Formats, AreChosenByNameUnlessOneIsAskedFor) {
  for (const NameCase& c : kNames) EXPECT_EQ(format_of(c.path, c.asked), c.written) << c.path;
}

TEST(Formats, ThatCanBeAskedForAreWritten) {
  for (const auto& [format, name] : kFileFormatNames) {
    if (format == FileFormat::by_name) continue;
    EXPECT_EQ(row_of(format).writer->format, format) << name;
  }
}

TEST(Formats, AreKnownByTheExtensionsOfTheirFiles) {
  for (const char* name : {"a.tif", "a.TIFF", "a.btf", "a.h5", "a.ics", "a.PNG", "a.zarr"}) {
    const ImageFormat* const format = format_with_extension_of(name);
    ASSERT_TRUE(format) << name;
    EXPECT_TRUE(format->reader) << name;
  }
  for (const char* name : {"a", "a.jpg", ".tif", "tif", "a.tif.gz"})
    EXPECT_FALSE(format_with_extension_of(name)) << name;
}

TEST(Formats, TakePlanesInOrderWherePixelsHaveNoPlaceOfTheirOwn) {
  for (const auto& [format, name] : kFileFormatNames) {
    const bool is_bdv = format == FileFormat::bdv;
    EXPECT_EQ(order_of(format, Compression::none),
              is_bdv ? BoxOrder::planes_in_order : BoxOrder::any)
        << name;
    EXPECT_EQ(order_of(format, Compression::deflate), BoxOrder::planes_in_order) << name;
  }
}

struct FormatCase {
  const char* name;
  FileFormat format;
  const char* opened;  ///< what is opened, where it has another name
  const char* found;   ///< begins ImageInfo::format
};

constexpr FormatCase kWritten[] = {
    {"a.dat", FileFormat::tiff, "a.dat", "TIFF"},
    {"b.dat", FileFormat::hdf5, "b.dat", "HDF5"},
    {"c.dat", FileFormat::zarr, "c.dat", "OME-Zarr 0.4"},
    {"d.dat", FileFormat::zarr3, "d.dat", "OME-Zarr 0.5"},
    {"e.h5", FileFormat::bdv, "e.xml", "BigDataViewer HDF5"},
};

TEST(Formats, AreRecognisedByTheirContentWhateverTheirName) {
  const test::TemporaryFolder folder;
  for (const FormatCase& c : kWritten) {
    ImageSpec spec;
    spec.extent = {1, 2, 3};
    spec.type = PixelType::uint8;
    spec.format = c.format;
    const auto file = create_image(folder.path() / c.name, spec);
    const Volume<std::uint8_t> voxels{spec.extent};
    file->write(whole(spec.extent), ConstVoxelView{voxels.view()});
    file->close();
    const ImageInfo info = inspect(folder.path() / c.opened);
    EXPECT_EQ(info.format.substr(0, std::string_view{c.found}.size()), c.found);
    EXPECT_EQ(info.extent, spec.extent) << c.name;
  }
}

/// Cut by the edges of an image of 3 x 40 x 60, and none.
const std::optional<Extent3> kChunks[] = {Extent3{2, 32, 32}, std::nullopt};

TEST(Formats, AreReadInTheLeastMemoryThatIsNamedBeforeTheyAreWritten) {
  for (const FormatCase& c : kWritten)
    for (const auto& [compression, name] : kCompressionNames)
      for (const auto& chunks : kChunks) {
        const test::TemporaryFolder folder;
        ImageSpec spec;
        spec.extent = {3, 40, 60};
        spec.type = PixelType::float32;
        spec.format = c.format;
        spec.compression = compression;
        spec.chunks = chunks;
        try {
          const auto file = create_image(folder.path() / c.name, spec);
          const Volume<float> voxels{spec.extent};
          for (std::int64_t z = 0; z < spec.extent.z; ++z)
            file->write(plane(spec.extent, z),
                        HostView3<const float>{voxels.view().row(z, 0), {1, 40, 60}});
          file->build();
          file->close();
        } catch (const InvalidSpec&) {
          continue;  // the format has no such files
        }
        OpenOptions options;
        options.cache_bytes = 0;
        const std::int64_t held = open_image(folder.path() / c.opened, options).buffer_bytes,
                           least = least_reading_bytes(spec);
        EXPECT_LE(held, least) << c.found << ", " << name;
        EXPECT_LE(least, held + held / 4) << c.found << ", " << name;
      }
}

/// Counts how often a file is opened.
class Openings {
 public:
  explicit Openings(const std::filesystem::path& file)
      : descriptor_{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)} {
    if (::inotify_add_watch(descriptor_, file.c_str(), IN_OPEN | IN_ACCESS) < 0)
      throw std::runtime_error("cannot watch a file");
  }
  Openings(const Openings&) = delete;
  Openings& operator=(const Openings&) = delete;
  ~Openings() { ::close(descriptor_); }

  /// Since this was made. Reads between two openings keep the system from counting them as one.
  [[nodiscard]] int count() const {
    int opened = 0;
    alignas(inotify_event) std::array<char, 4096> events{};
    for (ssize_t got = 0; (got = ::read(descriptor_, events.data(), events.size())) > 0;)
      for (ssize_t at = 0; at < got; at += ssize_t{sizeof(inotify_event)})
        if (reinterpret_cast<const inotify_event*>(events.data() + at)->mask & IN_OPEN) ++opened;
    return opened;
  }

 private:
  int descriptor_;
};

TEST(Formats, AreToldApartByOneOpeningOfATiffFile) {
  const test::TemporaryFolder folder;
  test::TiffBytes tiff;
  tiff.page(test::grey_page(2, 3, 8, tiff.append("abcdef")));
  tiff.page(test::grey_page(2, 3, 8, tiff.append("ghijkl")));
  const auto path = folder.write("a.tif", tiff.bytes());
  const Openings openings{path};
  const OpenImage image = open_image(path);
  Volume<std::uint8_t> voxels{image.info.extent};
  image.source->read(whole(voxels.extent), VoxelView{voxels.view()});
  EXPECT_EQ(voxels.voxels.back(), 'l');
  EXPECT_EQ(openings.count(), 1);
}

}  // namespace
}  // namespace synthoscope::imageio

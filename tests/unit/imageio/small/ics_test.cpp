// SPDX-License-Identifier: MIT
// ics_test.cpp — files of the Image Cytometry Standard: one and two files, raw and packed, both
// byte orders, and what is refused.
#include <gtest/gtest.h>
#include <functional>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

using namespace std::string_literals;

struct Header {
  std::string version = "2.0", order = "bits\tx\ty\tz", sizes = "16\t3\t2\t2",
              representation = "integer", sign = "unsigned", compression = "uncompressed",
              bytes = "1\t2", more = "";

  [[nodiscard]] std::string text() const {
    return "\t\n\nics_version\t" + version + "\nfilename\tstack\nlayout\tparameters\t4\n" +
           "layout\torder\t" + order + "\nlayout\tsizes\t" + sizes + "\nrepresentation\tformat\t" +
           representation + "\nrepresentation\tsign\t" + sign + "\nrepresentation\tcompression\t" +
           compression + "\nrepresentation\tbyte_order\t" + bytes +
           "\nparameter\tscale\t1\t0.1\t0.2\t300\n" +
           "parameter\tunits\tbits\tmicrometers\tum\tnm\n" + more + "end\n";
  }
};

/// 1 ... 12 as 16 bits.
std::string counts(bool big_endian = false) {
  std::string bytes;
  for (char i = 1; i <= 12; ++i) bytes += big_endian ? "\0"s + i : i + "\0"s;
  return bytes;
}

/// 0 ... 7 as 32-bit floats, little endian, packed by Python's gzip.
const std::string kPacked{
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x63\x60\x00\x81\x06\x7b\x20\xe1\x00\x44\x40\xdc\x00"
    "\xc4\x0b\x80\xf8\x00\x10\x3f\x70\x00\x00\x7c\x40\x0a\x7a\x20\x00\x00\x00",
    41};

Header packed_floats() {
  Header header;
  header.sizes = "32\t2\t2\t2";
  header.representation = "real";
  header.sign = "signed";
  header.compression = "gzip";
  header.bytes = "1\t2\t3\t4";
  return header;
}

template <class T>
std::vector<T> voxels_of(const OpenImage& image) {
  Volume<T> all{image.info.extent};
  image.source->read({{}, image.info.extent}, VoxelView{all.view()});
  return all.voxels;
}

const std::vector<std::uint16_t> kCounted{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

TEST(Ics, OneFileIsReadWithItsVoxelSize) {
  const test::TemporaryFolder folder;
  const OpenImage image = open_image(folder.write("stack.ics", Header{}.text() + counts()));
  EXPECT_EQ(image.info.format, "ICS 2.0");
  EXPECT_EQ(image.info.extent, (Extent3{2, 2, 3}));
  EXPECT_EQ(voxels_of<std::uint16_t>(image), kCounted);
  ASSERT_TRUE(image.info.voxel_size());
  EXPECT_NEAR(image.info.voxel_size()->z_um, 0.3, 1e-12);
  EXPECT_NEAR(image.info.voxel_size()->y_um, 0.2, 1e-12);
  EXPECT_NEAR(image.info.voxel_size()->x_um, 0.1, 1e-12);
}

TEST(Ics, LinesMayEndAsWindowsEndsThem) {
  const test::TemporaryFolder folder;
  std::string text = "\t\r\n";
  for (const char c : Header{}.text().substr(3)) text += c == '\n' ? "\r\n"s : std::string(1, c);
  const OpenImage image = open_image(folder.write("stack.ics", text + counts()));
  EXPECT_EQ(voxels_of<std::uint16_t>(image), kCounted);
}

TEST(Ics, BoxesAreReadAlone) {
  const test::TemporaryFolder folder;
  const OpenImage image = open_image(folder.write("stack.ics", Header{}.text() + counts()));
  Volume<std::uint16_t> box{{1, 2, 2}};
  image.source->read({{1, 0, 1}, {1, 2, 2}}, VoxelView{box.view()});
  EXPECT_EQ(box.voxels, (std::vector<std::uint16_t>{8, 9, 11, 12}));
}

TEST(Ics, TwoFilesAreReadInTheOtherByteOrder) {
  const test::TemporaryFolder folder;
  Header header;
  header.version = "1.0";
  header.bytes = "2\t1";
  folder.write("stack.ids", counts(true));
  const auto path = folder.write("stack.ics", header.text());
  const OpenImage image = open_image(path);
  EXPECT_EQ(voxels_of<std::uint16_t>(image), kCounted);
  EXPECT_EQ(image.info.further_files, std::vector{folder / "stack.ids"});
}

TEST(Ics, PackedFloatsAreUnpackedOnceAndCounted) {
  const test::TemporaryFolder folder;
  const OpenImage image = open_image(folder.write("psf.ics", packed_floats().text() + kPacked));
  EXPECT_EQ(voxels_of<float>(image), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(image.buffer_bytes, 32);
  EXPECT_EQ(inspect(folder / "psf.ics").compression, "gzip");
}

TEST(Ics, ANamedFileIsLookedForBesideTheHeaderAlone) {
  const test::TemporaryFolder folder;
  Header header;
  header.more = "source\tfile\t/elsewhere/raw.bin\nsource\toffset\t5\n";
  folder.write("raw.bin", "12345" + counts());
  EXPECT_EQ(voxels_of<std::uint16_t>(open_image(folder.write("stack.ics", header.text()))),
            kCounted);
}

struct Refused {
  const char* name;
  std::function<std::string()> bytes;
  std::vector<const char*> words;
};

std::string changed(std::string Header::*member, const std::string& value) {
  Header header;
  header.*member = value;
  return header.text() + counts();
}

std::string packed_as(const std::string& sizes, const std::string& bytes) {
  Header header = packed_floats();
  header.sizes = sizes;
  return header.text() + bytes;
}

// clang-format off
const Refused kRefused[] = {
    {"no_end", [] { return "\t\n\nics_version\t2.0\nlayout\torder\tbits\tx\ty\n"s; }, {"no end"}},
    {"nothing_else", [] { return "\t\n\nics_version\t2.0\nend\n"s; }, {"layout order"}},
    {"short", [] { return Header{}.text() + counts().substr(1); }, {"23", "24"}},
    {"other_order", [] { return changed(&Header::order, "bits\tz\ty\tx"); }, {"axes"}},
    {"more_sizes_than_axes", [] { return changed(&Header::sizes, "16\t3\t2\t2\t4"); }, {"axes"}},
    {"several_frames",
     [] { Header h; h.order += "\tt"; h.sizes += "\t2"; return h.text() + counts() + counts(); },
     {"axis t has 2 elements"}},
    {"channels",
     [] { Header h; h.order += "\tch"; h.sizes += "\t2"; return h.text() + counts() + counts(); },
     {"axis ch"}},
    {"negative", [] { return changed(&Header::sizes, "16\t-3\t2\t2"); }, {"axis x", "-3"}},
    {"huge", [] { return changed(&Header::sizes, "16\t3\t2\t2000000"); }, {"--max-axis"}},
    {"overflows_the_file",
     [] { return changed(&Header::sizes, "16\t1000000\t1000000\t1000000"); }, {"bytes"}},
    {"odd_bits", [] { return changed(&Header::sizes, "12\t3\t2\t2"); }, {"12 bits"}},
    {"complex", [] { return changed(&Header::representation, "complex"); }, {"complex"}},
    {"unix_compress", [] { return changed(&Header::compression, "compress"); }, {"compress"}},
    {"mixed_bytes", [] { return changed(&Header::bytes, "1\t3"); }, {"endian"}},
    {"before_its_file",
     [] { return changed(&Header::more, "source\tfile\tstack.ics\nsource\toffset\t-9\n"); },
     {"begin"}},
    {"broken_gzip", [] { return packed_as("32\t2\t2\t2", kPacked.substr(0, 30)); }, {"gzip"}},
    {"too_little_packed", [] { return packed_as("32\t2\t2\t3", kPacked); }, {"gzip"}},
    {"too_much_packed", [] { return packed_as("32\t2\t2\t1", kPacked); }, {"gzip"}},
    {"bomb", [] { return packed_as("32\t100000\t100000\t100", kPacked); }, {"--max-ratio"}},
};
// clang-format on

class IcsRefused : public testing::TestWithParam<Refused> {};

TEST_P(IcsRefused, SaysWhatIsWrongInASentence) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("stack.ics", GetParam().bytes());
  try {
    open_image(path);
    FAIL() << "nothing was thrown";
  } catch (const InvalidInput& failure) {
    const std::string said = failure.what();
    for (const char* word : GetParam().words)
      EXPECT_NE(said.find(word), std::string::npos) << word << " in: " << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, IcsRefused, testing::ValuesIn(kRefused), test::kCaseName);

TEST(IcsMissing, VoxelsAreNamed) {
  const test::TemporaryFolder folder;
  Header header;
  header.version = "1.0";
  for (const auto& [name, voxels] : {std::pair{"stack.ics", "stack.ids"}, {"one.ICS", "one.IDS"}}) {
    const std::string said = "open " + (folder / voxels).string() + ":";
    test::expect_failure<IoError>(
        [&, name = name] { open_image(folder.write(name, header.text())); }, {said.c_str()});
  }
  // And are found in the case of their header
  folder.write("one.IDS", counts());
  EXPECT_EQ(voxels_of<std::uint16_t>(open_image(folder / "one.ICS")), kCounted);
}

}  // namespace
}  // namespace synthoscope::imageio

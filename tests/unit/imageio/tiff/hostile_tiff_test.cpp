// SPDX-License-Identifier: MIT
// Files that are refused, each with one sentence.
#include <gtest/gtest.h>
#include <functional>
#include "core/base/error.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tiff_bytes.hpp"

namespace synthoscope::imageio {
namespace {

using test::Field;
using test::grey_page;
using test::kAscii;
using test::kLong;
using test::kShort;
using test::TiffBytes;
using test::with;
using test::without;

/// A file that is refused: how it is made, and words of the sentence.
struct HostileCase {
  const char* name;
  std::function<std::string()> bytes;
  std::vector<const char*> words;
};

std::string two_pixels() {
  return std::string(2 * 3, '\7');
}

/// One page of 2x3 bytes after `change`.
std::string one_page(const std::function<std::vector<Field>(std::vector<Field>)>& change) {
  TiffBytes tiff;
  const auto pixels = tiff.append(two_pixels());
  tiff.page(change(grey_page(2, 3, 8, pixels)));
  return tiff.bytes();
}

std::string one_page_with(Field field) {
  return one_page([&](auto fields) { return with(std::move(fields), std::move(field)); });
}

std::string loop() {
  TiffBytes tiff;
  const auto pixels = tiff.append(two_pixels());
  const auto first = tiff.page(grey_page(2, 3, 8, pixels));
  tiff.page(grey_page(2, 3, 8, tiff.append(two_pixels())));
  tiff.link_to(first);
  return tiff.bytes();
}

std::string two_pages(std::vector<Field> second) {
  TiffBytes tiff;
  tiff.page(grey_page(2, 3, 8, tiff.append(two_pixels())));
  const auto pixels = tiff.append(std::string(64, '\1'));
  tiff.page(with(std::move(second), {273, kLong, {pixels}}));
  return tiff.bytes();
}

/// Strips of a row each, which RowsPerStrip takes for one strip of two rows.
std::string two_strips_apart() {
  TiffBytes tiff;
  const auto first = tiff.append("\1\2\3"), second = tiff.append("\4\5\6");
  tiff.page(with(with(grey_page(2, 3, 8, 0), {273, kLong, {first, second}}), {279, kLong, {3, 3}}));
  return tiff.bytes();
}

std::string overlapping() {
  TiffBytes tiff;
  const auto pixels = tiff.append(two_pixels());
  tiff.page(grey_page(2, 3, 8, pixels));
  tiff.page(grey_page(2, 3, 8, pixels + 2));
  return tiff.bytes();
}

std::string declared_too_large() {
  TiffBytes tiff;
  const auto strip = tiff.append(std::string(32, '\1'));
  tiff.page(
      with(with(grey_page(1 << 19, 1 << 19, 8, strip), {259, kShort, {8}}), {279, kLong, {32}}));
  return tiff.bytes();
}

std::string ome(const std::string& pixels, const std::string& before = "") {
  const std::string text = before + "<OME><Image ID=\"Image:0\">" + pixels + "</Image></OME>";
  return one_page_with({270, kAscii, {}, text});
}

const std::string kPlaneSize = "DimensionOrder=\"XYZCT\" SizeX=\"3\" SizeY=\"2\" ";

const HostileCase kHostileCases[] = {
    {"empty_file", [] { return std::string{}; }, {"it is empty"}},
    {"text_file", [] { return std::string{"Hello world"}; }, {"not an image", "give a TIFF"}},
    {"gif_file",
     [] {
       return std::string{"GIF89a\1\0\1\0", 10};
     },
     {"a GIF picture"}},
    {"two_bytes", [] { return std::string{"II"}; }, {"not an image"}},
    {"header_cut",
     [] {
       return std::string{"II*\0\10", 5};
     },
     {"ends within its header"}},
    {"another_version",
     [] {
       return std::string{"IIRO\10\0\0\0", 8};
     },
     {"version is 20306 instead of 42 (TIFF)"}},
    {"big_header_odd",
     [] {
       return std::string{"II+\0", 4} + std::string(12, '\3');
     },
     {"8-byte offsets"}},
    {"no_directory", [] { return TiffBytes{}.bytes(); }, {"holds no image", "directories"}},
    {"no_directory_big",
     [] {
       return TiffBytes{true, true}.bytes();
     },
     {"holds no image"}},
    {"first_directory_outside",
     [] {
       TiffBytes t;
       t.link_to(4000);
       return t.bytes();
     },
     {"points to byte 4000", "ends at byte 8", "truncated"}},
    {"directory_cut",
     [] {
       TiffBytes t;
       t.page(grey_page(2, 3, 8, 8));
       return t.bytes().substr(0, 40);
     },
     {"ends within the directory"}},
    {"no_entries",
     [] {
       TiffBytes t;
       t.page({});
       return t.bytes();
     },
     {"claims 0 entries"}},
    {"directory_loop", loop, {"occurs twice"}},
    {"pixels_outside",
     [] {
       return one_page_with({273, kLong, {1000}});
     },
     {"needs 6 bytes from byte 1000", "truncated"}},
    {"pixels_nowhere",
     [] { return one_page([](auto f) { return without(f, 273); }); },
     {"does not give the position of its pixels"}},
    {"strip_at_zero",
     [] {
       return one_page_with({273, kLong, {0}});
     },
     {"has no data"}},
    {"too_few_strips",
     [] {
       return one_page_with({278, kLong, {1}});
     },
     {"needs 2 strips or tiles but lists 1"}},
    {"more_strips_than_rows_per_strip_makes", two_strips_apart, {"lists 2 strips", "makes 1"}},
    {"more_packed_strips",
     [] {
       return one_page([](auto f) {
         return with(with(with(f, {259, kShort, {8}}), {273, kLong, {8, 10}}),
                     {279, kLong, {2, 2}});
       });
     },
     {"lists 2 strips", "makes 1"}},
    {"strips_overlap", overlapping, {"overlap at byte"}},
    {"no_width",
     [] { return one_page([](auto f) { return without(f, 256); }); },
     {"width is 0 pixels"}},
    {"zero_height",
     [] {
       return one_page_with({257, kLong, {0}});
     },
     {"height is 0 pixels"}},
    {"axis_limit",
     [] {
       return one_page_with({256, kLong, {1 << 21}});
     },
     {"width is 2097152 pixels", "1048576", "--max-axis"}},
    {"signed_twelve_bits",
     [] {
       return one_page([](auto f) {
         return with(with(f, {258, kShort, {12}}), {339, kShort, {2}});
       });
     },
     {"signed integers of 12 bits", "convert"}},
    {"twenty_four_bits",
     [] {
       return one_page_with({258, kShort, {24}});
     },
     {"unsigned integers of 24 bits", "1 to 16, 32 and 64"}},
    {"complex",
     [] {
       return one_page_with({339, kShort, {6}});
     },
     {"complex numbers of 8 bits"}},
    {"quarter_float",
     [] {
       return one_page_with({339, kShort, {3}});
     },
     {"floating-point numbers of 8 bits"}},
    {"mixed_bits",
     [] {
       return one_page([](auto f) {
         return with(with(f, {277, kShort, {2}}), {258, kShort, {8, 16}});
       });
     },
     {"samples differ in their number of bits"}},
    {"old_jpeg",
     [] {
       return one_page_with({259, kShort, {6}});
     },
     {"JPEG of TIFF 6.0", "code 6", "deflate"}},
    {"jpeg_2000",
     [] {
       return one_page_with({259, kShort, {34712}});
     },
     {"JPEG 2000 (code 34712)", "deflate"}},
    {"jpeg_of_sixteen_bits",
     [] {
       return one_page([](auto f) {
         return with(with(f, {259, kShort, {7}}), {258, kShort, {16}});
       });
     },
     {"jpeg with 16 bits", "8 bits"}},
    {"fax_of_bytes",
     [] {
       return one_page_with({259, kShort, {4}});
     },
     {"ccitt fax 4 with 8 bits", "1 bit"}},
    {"strange_compression",
     [] {
       return one_page_with({259, kShort, {4711}});
     },
     {"code 4711"}},
    {"ycbcr",
     [] {
       return one_page_with({262, kShort, {6}});
     },
     {"colour model is YCbCr (code 6)"}},
    {"many_samples",
     [] {
       return one_page_with({277, kShort, {2000}});
     },
     {"2000 samples", "1024", "--max-channels"}},
    {"deep_page",
     [] {
       return one_page_with({32997, kLong, {5}});
     },
     {"5 planes deep"}},
    {"zero_tile",
     [] {
       return one_page([](auto f) { return with(with(f, {322, kLong, {0}}), {323, kLong, {16}}); });
     },
     {"tiles are 16x0 pixels"}},
    {"text_as_width",
     [] {
       return one_page_with({256, kAscii, {}, "wide"});
     },
     {"tag 256 (ImageWidth) has type 2"}},
    {"claims_more_values_than_bytes",
     [] {
       auto bytes = one_page_with({278, kLong, {1}});
       // Entry 5 is the strip table: its count sits 4 bytes into the entry
       const auto directory = bytes.size() - (2 + 9 * 12 + 4);
       bytes.replace(directory + 2 + 5 * 12 + 4, 4, std::string("\xff\xff\xff\x7f", 4));
       return bytes;
     },
     {"tag 273 (StripOffsets) claims 2147483647 values"}},
    {"tag_without_values",
     [] {
       return one_page_with({278, kLong, {}});
     },
     {"tag 278 (RowsPerStrip) has no value"}},
    {"mixed_sizes",
     [] { return two_pages(grey_page(3, 3, 8, 0)); },
     {"differ in size", "page 0 has 2x3", "page 1 has 3x3"}},
    {"mixed_whites",
     [] {
       return two_pages(with(grey_page(2, 3, 8, 0), {262, kShort, {0}}));
     },
     {"smallest value", "black on page 0", "white on page 1"}},
    {"mixed_types",
     [] { return two_pages(grey_page(2, 3, 16, 0)); },
     {"differ in type", "uint8", "uint16"}},
    {"declared_ratio", declared_too_large, {"declares 256 GiB", "10000 to 1", "--max-ratio"}},
    {"only_thumbnails",
     [] {
       return one_page_with({254, kLong, {1}});
     },
     {"thumbnails only"}},
    {"imagej_stack_cut",
     [] {
       return one_page_with({270, kAscii, {}, "ImageJ=1.53t\nimages=50\nslices=50\n"});
     },
     {"declares 50 images", "fit into", "truncated"}},
    {"imagej_many_images",
     [] {
       return one_page_with({270, kAscii, {}, "ImageJ=1.53t\nimages=99999999999\n"});
     },
     {"99999999999 images", "--max-directories"}},
    {"ome_broken",
     [] {
       return one_page_with({270, kAscii, {}, "<OME><Image>"});
     },
     {"OME-XML is not well formed"}},
    {"ome_entities",
     [] { return ome("", "<!DOCTYPE OME [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>"); },
     {"document type"}},
    {"ome_no_pixels", [] { return ome(""); }, {"no Image with Pixels"}},
    {"ome_no_size", [] { return ome("<Pixels SizeX=\"3\"/>"); }, {"no positive SizeY"}},
    {"ome_negative_size",
     [] { return ome("<Pixels " + kPlaneSize + "SizeZ=\"-4\" SizeC=\"1\" SizeT=\"1\"/>"); },
     {"SizeZ=\"-4\""}},
    {"ome_order",
     [] {
       return ome(
           "<Pixels DimensionOrder=\"ZYXCC\" SizeX=\"3\" SizeY=\"2\" SizeZ=\"1\" "
           "SizeC=\"1\" SizeT=\"1\"/>");
     },
     {"DimensionOrder=\"ZYXCC\""}},
    {"ome_planes_missing",
     [] { return ome("<Pixels " + kPlaneSize + "SizeZ=\"4\" SizeC=\"1\" SizeT=\"1\"/>"); },
     {"declares 4 planes but 3 of them are in no page"}},
    {"ome_page_missing",
     [] {
       return ome("<Pixels " + kPlaneSize +
                  "SizeZ=\"1\" SizeC=\"1\" SizeT=\"1\"><TiffData IFD=\"7\"/></Pixels>");
     },
     {"page 7", "has 1"}},
    {"ome_other_size",
     [] {
       return ome(
           "<Pixels DimensionOrder=\"XYZCT\" SizeX=\"30\" SizeY=\"20\" SizeZ=\"1\" "
           "SizeC=\"1\" SizeT=\"1\"/>");
     },
     {"declares 20x30 pixels but its pages have 2x3"}},
    {"ome_huge_product",
     [] {
       return ome("<Pixels " + kPlaneSize + "SizeZ=\"1000000\" SizeC=\"1000\" SizeT=\"1000000\"/>");
     },
     {"1000000 planes", "--max-directories"}},
    {"ome_path_outside",
     [] {
       return ome("<Pixels " + kPlaneSize +
                  "SizeZ=\"1\" SizeC=\"1\" SizeT=\"1\"><TiffData><UUID "
                  "FileName=\"../secret.tif\">u</UUID></TiffData></Pixels>");
     },
     {"../secret.tif", "not in the same folder"}},
    {"ome_path_absolute",
     [] {
       return ome("<Pixels " + kPlaneSize +
                  "SizeZ=\"1\" SizeC=\"1\" SizeT=\"1\"><TiffData><UUID "
                  "FileName=\"/etc/passwd\">u</UUID></TiffData></Pixels>");
     },
     {"/etc/passwd", "not in the same folder"}},
};

class HostileFile : public testing::TestWithParam<HostileCase> {};

TEST_P(HostileFile, IsRefusedWithOneSentence) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("hostile.tif", GetParam().bytes());
  try {
    inspect(path);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InvalidInput& failure) {
    const std::string message = failure.what();
    EXPECT_TRUE(message.starts_with("open " + path.string())) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const char* word : GetParam().words)
      EXPECT_NE(message.find(word), std::string::npos) << "'" << word << "' in: " << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Open, HostileFile, testing::ValuesIn(kHostileCases), test::kCaseName);

}  // namespace
}  // namespace synthoscope::imageio

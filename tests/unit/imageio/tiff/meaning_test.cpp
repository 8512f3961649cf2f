// SPDX-License-Identifier: MIT
// Every tag that changes what the numbers of a TIFF page mean: applied, refused or named, and by
// both ways in which pixels are read: our own of uncompressed ones and libtiff's of packed ones.
#include <gtest/gtest.h>
#include <algorithm>
#include <optional>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "imageio/chunks/filters.hpp"
#include "imageio/image/stored_type.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tiff_bytes.hpp"

namespace synthoscope::imageio {
namespace {

using test::Field;
using test::kAscii;
using test::kLong;
using test::kRational;
using test::kShort;

/// What is read of a page of 2x3 bytes, 1 to 6, that has these fields, too.
struct MeaningCase {
  const char* name;
  std::vector<Field> fields;
  std::vector<int> voxels = {1, 2, 3, 4, 5, 6};  ///< of the first channel; empty: it is refused
  const char* words = "";                        ///< of the refusal or of a note
  std::optional<std::vector<int>> packed = {};   ///< where packed pixels are another matter
  bool are_labels = false;
};

/// Rows with one field of one short value.
MeaningCase short_field(const char* name, std::uint16_t tag, std::uint64_t value,
                        const char* note = "") {
  return {name, {{tag, kShort, {value}}}, {1, 2, 3, 4, 5, 6}, note};
}

MeaningCase refused(const char* name, std::uint16_t tag, std::uint64_t value, const char* words) {
  return {name, {{tag, kShort, {value}}}, {}, words};
}

/// Two samples per pixel, of which `extra` says what the second is.
MeaningCase two_samples(const char* name, std::uint64_t extra, const char* note) {
  return {name,
          {{277, kShort, {2}},
           {258, kShort, {8, 8}},
           {257, kLong, {1}},
           {278, kLong, {1}},
           {338, kShort, {extra}}},
          {1, 3, 5},
          note};
}

const std::vector<MeaningCase> kMeaningCases = {
    {"usual", {}},
    refused("thumbnail", 254, 1, "thumbnails only"),
    refused("old_thumbnail", 255, 2, "thumbnails only"),
    {"min_is_white", {{262, kShort, {0}}}, {254, 253, 252, 251, 250, 249}, "inverted"},
    {"min_is_white_of_imagej",
     {{262, kShort, {0}}, {270, kAscii, {}, "ImageJ=1.54f\n"}},
     {1, 2, 3, 4, 5, 6},
     "as they are stored"},
    {"min_is_white_of_labels",
     {{262, kShort, {0}}},
     {1, 2, 3, 4, 5, 6},
     "labels are read as they are stored",
     {},
     true},
    short_field("palette", 262, 3, "palette"),
    refused("ycbcr", 262, 6, "colour model is YCbCr (code 6)"),
    refused("cielab", 262, 8, "colour model is CIELab (code 8)"),
    refused("colour_filters", 262, 32803, "a colour filter array (code 32803)"),
    refused("luminance_logarithms", 262, 32844, "colour model is CIE LogL (code 32844)"),
    short_field("threshholding_none", 263, 1),
    short_field("threshholding", 263, 2, "pattern of dots"),
    short_field("fill_order_1", 266, 1),
    short_field("fill_order_2", 266, 2),
    refused("fill_order_3", 266, 3, "FillOrder has code 3"),
    short_field("orientation", 274, 3, "orientation"),
    short_field("least_value", 280, 2),
    short_field("most_value", 281, 5),
    short_field("planar_1", 284, 1),
    short_field("planar_2_of_one_sample", 284, 2),
    refused("planar_3", 284, 3, "PlanarConfiguration has code 3"),
    short_field("grey_response_unit", 290, 3),
    short_field("grey_response_curve", 291, 7, "GrayResponseCurve"),
    short_field("fax_3_options_of_no_fax", 292, 1),
    short_field("fax_4_options_of_no_fax", 293, 2),
    short_field("transfer_function", 301, 7, "TransferFunction"),
    short_field("predictor_1", 317, 1),
    {"predictor_2", {{317, kShort, {2}}}, {}, "Predictor has code 2", {{1, 3, 6, 4, 9, 15}}},
    refused("predictor_3_of_integers", 317, 3, "Predictor has code 3"),
    refused("predictor_unknown", 317, 34892, "Predictor has code 34892"),
    short_field("halftone_hints", 321, 3),
    short_field("no_sub_directory", 330, 0),
    short_field("sub_directory", 330, 8, "images in SubIFDs of its pages are left out (1)"),
    {"bits_of_more_samples_than_there_are", {{258, kShort, {8, 1}}}},
    short_field("inks", 332, 2),
    short_field("range_of_dots", 336, 3),
    two_samples("extra_unknown", 0, ""),
    two_samples("extra_multiplied", 1, "opacity"),
    two_samples("extra_opacity", 2, ""),
    short_field("sample_format_unsigned", 339, 1),
    short_field("sample_format_signed", 339, 2),
    short_field("sample_format_untyped", 339, 4),
    refused("sample_format_float", 339, 3, "floating-point numbers of 8 bits"),
    refused("sample_format_complex", 339, 5, "complex numbers"),
    refused("sample_format_unknown", 339, 9, "numbers of an unknown kind"),
    short_field("least_sample", 340, 2),
    short_field("most_sample", 341, 5),
    short_field("indexed", 346, 1, "Indexed"),
    short_field("jpeg_tables_of_no_jpeg", 347, 1),
    refused("decode", 433, 1, "Decode (433)"),
    short_field("subsampling_of_grey", 530, 2),
    {"reference_black_white",
     {{532, kRational, {1, 2}}},
     {1, 2, 3, 4, 5, 6},
     "ReferenceBlackWhite"},
    short_field("matteing", 32995, 1, "opacity"),
    refused("data_type_float", 32996, 3, "floating-point numbers of 8 bits"),
    short_field("data_type_signed", 32996, 1),
    refused("depth", 32997, 5, "5 planes deep"),
    refused("tile_depth", 32998, 2, "TileDepth (32998)"),
    {"no_data", {{42113, kAscii, {}, "255"}}},
    refused("linearization", 50712, 1, "LinearizationTable (50712)"),
};

class TiffMeaning : public testing::TestWithParam<MeaningCase> {
 protected:
  /// A file of the case's fields, its pixels packed or not.
  static std::string file(const MeaningCase& c, bool is_packed) {
    std::vector<std::byte> pixels;
    for (int i = 1; i <= 6; ++i) pixels.push_back(static_cast<std::byte>(i));
    if (is_packed) {
      std::vector<std::byte> packed;
      deflate_bytes(pixels, 6, packed);
      pixels = packed;
    }
    const bool is_reversed = std::ranges::any_of(
        c.fields, [](const Field& f) { return f.tag == 266 && f.values[0] == 2; });
    if (is_reversed) reverse_bits(pixels.data(), std::ssize(pixels));
    test::TiffBytes tiff;
    const auto at = tiff.append({reinterpret_cast<const char*>(pixels.data()), pixels.size()});
    auto fields = test::with(test::grey_page(2, 3, 8, at), {279, kLong, {pixels.size()}});
    if (is_packed) fields = test::with(fields, {259, kShort, {8}});
    for (const Field& field : c.fields) fields = test::with(fields, field);
    std::ranges::sort(fields, {}, &Field::tag);
    tiff.page(fields);
    return tiff.bytes();
  }

  static void check(const std::filesystem::path& path, const std::vector<int>& voxels,
                    const char* words, bool are_labels) {
    OpenOptions first;
    first.labels = are_labels;
    if (voxels.size() < 6) first.channel = 0;
    if (voxels.empty())
      return test::expect_failure<InvalidInput>([&] { open_image(path, {}); }, {words});
    const auto image = open_image(path, first);
    std::vector<std::uint8_t> got(voxels.size());
    const VoxelView view{reinterpret_cast<std::byte*>(got.data()), image.info.type,
                         image.info.extent};
    image.source->read(whole(image.info.extent), view);
    EXPECT_EQ((std::vector<int>{got.begin(), got.end()}), voxels);
    std::string notes;
    for (const std::string& note : image.info.notes) notes += note + '\n';
    if (*words == '\0')
      EXPECT_EQ(notes, "");
    else
      EXPECT_NE(notes.find(words), std::string::npos) << notes;
  }
};

TEST_P(TiffMeaning, IsAppliedRefusedOrNamedByBothWaysOfReading) {
  const MeaningCase& c = GetParam();
  const test::TemporaryFolder folder;
  check(folder.write("plain.tif", file(c, false)), c.voxels, c.words, c.are_labels);
  const bool is_other = c.packed.has_value();
  check(folder.write("packed.tif", file(c, true)), is_other ? *c.packed : c.voxels,
        is_other ? "" : c.words, c.are_labels);
}

INSTANTIATE_TEST_SUITE_P(Tags, TiffMeaning, testing::ValuesIn(kMeaningCases), test::kCaseName);

TEST(TiffMeaning, TakesTheKindOfNumbersFromTheOldTagWhereThereIsNoOther) {
  const test::TemporaryFolder folder;
  test::TiffBytes tiff;
  const auto at = tiff.append(std::string(6, '\xFF'));
  tiff.page(test::with(test::grey_page(2, 3, 8, at), {32996, kShort, {1}}));
  EXPECT_EQ(inspect(folder.write("old.tif", tiff.bytes())).type, PixelType::int8);
}

}  // namespace
}  // namespace synthoscope::imageio

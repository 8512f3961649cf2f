// SPDX-License-Identifier: MIT
// Members of Zarr's descriptions are closed sets: what is not known is refused by its name.
#include "imageio/zarr/array.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/open.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::imageio {
namespace {

using test::TemporaryFolder;

/// One member of a good description of format 3 that is replaced, by nothing or by a value.
struct MemberCase {
  const char* name;
  const char* member;
  const char* value;  ///< JSON; null: the member is removed
  const char* words;  ///< null: it is accepted
};

constexpr MemberCase kMembers[] = {
    {"as_it_is", "attributes", "{}", nullptr},
    {"format_2", "zarr_format", "2", "format 3"},
    {"format_as_text", "zarr_format", R"("3")", "format 3"},
    {"strange_node", "node_type", R"("table")", "table"},
    {"strange_type", "data_type", R"("complex64")", "complex64"},
    {"type_with_settings", "data_type", R"({"name":"uint16","configuration":{"a":1}})", "uint16"},
    {"type_as_object", "data_type", R"({"name":"uint16"})", nullptr},
    {"no_attributes", "attributes", nullptr, nullptr},
    {"attributes_of_text", "attributes", R"("none")", "attributes"},
    {"strange_grid", "chunk_grid", R"({"name":"rectangular"})", "rectangular"},
    {"grid_with_more", "chunk_grid",
     R"({"name":"regular","configuration":{"chunk_shape":[1,4,4],"shift":[0,1,1]}})", "shift"},
    {"strange_keys", "chunk_key_encoding", R"({"name":"hashed"})", "hashed"},
    {"strange_separator", "chunk_key_encoding",
     R"({"name":"default","configuration":{"separator":"-"}})", "\"-\""},
    {"keys_with_more", "chunk_key_encoding",
     R"({"name":"default","configuration":{"separator":"/","prefix":"x"}})", "prefix"},
    {"keys_as_text", "chunk_key_encoding", R"("default")", nullptr},
    {"keys_of_v2", "chunk_key_encoding", R"({"name":"v2"})", nullptr},
    {"no_codecs", "codecs", "[]", "[]"},
    {"null_codecs", "codecs", "null", "null"},
    {"no_bytes", "codecs", R"([{"name":"gzip","configuration":{"level":1}}])", "'gzip' first"},
    {"bytes_twice", "codecs",
     R"([{"name":"bytes","configuration":{"endian":"big"}},)"
     R"({"name":"bytes","configuration":{"endian":"little"}}])",
     "'bytes' once more"},
    {"no_byte_order", "codecs", R"([{"name":"bytes"}])", "byte order"},
    {"strange_byte_order", "codecs", R"([{"name":"bytes","configuration":{"endian":"BIG"}}])",
     "BIG"},
    {"big", "codecs", R"([{"name":"bytes","configuration":{"endian":"big"}}])", nullptr},
    {"bytes_with_more", "codecs", R"([{"name":"bytes","configuration":{"endian":"big","swap":1}}])",
     "swap"},
    {"codec_with_more", "codecs",
     R"([{"name":"bytes","configuration":{"endian":"big"},"order":1}])", "order"},
    {"transposed", "codecs",
     R"([{"name":"transpose","configuration":{"order":[2,1,0]}},)"
     R"({"name":"bytes","configuration":{"endian":"big"}}])",
     "transpose"},
    {"checksum", "codecs",
     R"([{"name":"bytes","configuration":{"endian":"big"}},{"name":"crc32c"}])", "crc32c"},
    {"zlib", "codecs", R"([{"name":"bytes","configuration":{"endian":"big"}},{"name":"zlib"}])",
     "zlib"},
    {"shards", "codecs", R"([{"name":"sharding_indexed"}])", "shards"},
    {"strange_level", "codecs",
     R"([{"name":"bytes","configuration":{"endian":"big"}},)"
     R"({"name":"gzip","configuration":{"level":10}}])",
     "level = 10"},
    {"strange_shuffle", "codecs",
     R"([{"name":"bytes","configuration":{"endian":"big"}},)"
     R"({"name":"blosc","configuration":{"shuffle":"twice"}}])",
     "twice"},
    {"zstd", "codecs",
     R"([{"name":"bytes","configuration":{"endian":"big"}},)"
     R"({"name":"zstd","configuration":{"level":0,"checksum":false}}])",
     nullptr},
    {"zstd_with_more", "codecs",
     R"([{"name":"bytes","configuration":{"endian":"big"}},)"
     R"({"name":"zstd","configuration":{"level":0,"dictionary":"d"}}])",
     "dictionary"},
    {"no_fill", "fill_value", nullptr, "fill value"},
    {"null_fill", "fill_value", "null", "fill value"},
    {"broken_fill", "fill_value", "0.5", "0.5"},
    {"fill_beyond", "fill_value", "70000", "70000"},
    {"fill_below", "fill_value", "-1", "-1"},
    {"fill_of_text", "fill_value", R"("NaN")", "NaN"},
    {"no_transformers", "storage_transformers", "[]", nullptr},
    {"transformers", "storage_transformers", R"([{"name":"xor"}])", "xor"},
    {"names", "dimension_names", R"(["z","t","x"])", "axis Y is missing"},
    {"name_of_two", "dimension_names", R"(["z",null,"x"])", nullptr},
    {"good_names", "dimension_names", R"(["z","y","x"])", nullptr},
    {"names_of_two", "dimension_names", R"(["y","x"])", "3 axes"},
    {"names_of_numbers", "dimension_names", "[0,1,2]", "axis 0"},
    {"must_be_understood", "evil", R"({"must_understand":true})", "evil"},
    {"silent_member", "evil", R"({"name":"x"})", "evil"},
    {"plain_member", "evil", "1", "evil"},
    {"may_be_passed_over", "kind", R"({"must_understand":false})", nullptr},
};

class ZarrMember : public testing::TestWithParam<MemberCase> {};

TEST_P(ZarrMember, IsOneOfAClosedSet) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a.zarr");
  auto json = parse_json(
      R"({"zarr_format":3,"node_type":"array","shape":[1,4,4],"data_type":"uint16",)"
      R"("chunk_grid":{"name":"regular","configuration":{"chunk_shape":[1,4,4]}},)"
      R"("chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},)"
      R"("fill_value":0,"codecs":[{"name":"bytes","configuration":{"endian":"little"}}]})");
  const auto& [name, member, value, words] = GetParam();
  if (value)
    json[member] = parse_json(value);
  else
    json.erase(member);
  folder.write("a.zarr/zarr.json", text_of(json));
  const auto open = [&] { inspect(folder / "a.zarr"); };
  if (words)
    test::expect_failure<InvalidInput>(open, {"a.zarr", words});
  else
    EXPECT_NO_THROW(open());
}

INSTANTIATE_TEST_SUITE_P(Table, ZarrMember, testing::ValuesIn(kMembers), test::kCaseName);

TEST(ZarrRead, FillValuesOfFloatsMayBeWordsOrBits) {
  const struct {
    const char *type, *fill;
    double expected;
  } rows[] = {
      {"float32", R"("NaN")", NAN},
      {"float32", R"("Infinity")", INFINITY},
      {"float64", R"("-Infinity")", -INFINITY},
      {"float32", R"("0x3fc00000")", 1.5},
      {"float64", R"("0x3FF8000000000000")", 1.5},
      {"float32", "2.5", 2.5},
  };
  for (const auto& [type, fill, expected] : rows) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "a.zarr");
    const auto array = [type = type](const char* value) {
      return fmt::format(
          R"({{"zarr_format":3,"node_type":"array","shape":[1,2,2],"data_type":"{}",)"
          R"("chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[1,2,2]}}}},)"
          R"("chunk_key_encoding":{{"name":"default"}},"fill_value":{},)"
          R"("codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}]}})",
          type, value);
    };
    folder.write("a.zarr/zarr.json", array(fill));
    const auto image = open_image(folder / "a.zarr");
    visit_pixel_type(image.info.type, [&, fill = fill, expected = expected](auto zero) {
      Volume<decltype(zero)> voxels{{1, 2, 2}};
      image.source->read(whole(voxels.extent), VoxelView{voxels.view()});
      const auto found = static_cast<double>(voxels.voxels[3]);
      EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected))) << fill;
    });
    for (const char* broken : {R"("0x3fc0")", R"("0x3fc0000g")", R"("nan")", R"("1.5")", "true"}) {
      folder.write("a.zarr/zarr.json", array(broken));
      test::expect_failure<InvalidInput>([&] { inspect(folder / "a.zarr"); }, {"fill value"});
    }
  }
}

TEST(ZarrRead, GroupsThatMustBeUnderstoodAreRefused) {
  for (const char* member : {R"("evil":{"must_understand":true})", R"("evil":3)"}) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "a.zarr");
    folder.write(
        "a.zarr/zarr.json",
        fmt::format(R"({{"zarr_format":3,"node_type":"group","attributes":{{}},{}}})", member));
    test::expect_failure<InvalidInput>([&] { inspect(folder / "a.zarr"); }, {"evil"});
  }
}

}  // namespace
}  // namespace synthoscope::imageio

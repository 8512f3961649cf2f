// SPDX-License-Identifier: MIT
#include "imageio/zarr_array.hpp"
#include <fmt/format.h>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/names.hpp"
#include "imageio/byte_order.hpp"

namespace synthoscope::imageio {
namespace {

constexpr NameTable<PixelType, 8> kTypes{{
    {PixelType::int8, "i1"},
    {PixelType::uint8, "u1"},
    {PixelType::int16, "i2"},
    {PixelType::uint16, "u2"},
    {PixelType::int32, "i4"},
    {PixelType::uint32, "u4"},
    {PixelType::float32, "f4"},
    {PixelType::float64, "f8"},
}};

/// Types that are read as another one.
struct OtherType {
  std::string_view v2, v3;
  PixelType type;
  StoredType stored;
};
constexpr OtherType kOtherTypes[] = {
    {"b1", "bool", PixelType::uint8, StoredType::voxels},
    {"f2", "float16", PixelType::float32, StoredType::float16},
    {"i8", "int64", PixelType::int32, StoredType::int64},
    {"u8", "uint64", PixelType::uint32, StoredType::uint64},
};

constexpr NameTable<ChunkCodec, 4> kCodecs{{
    {ChunkCodec::gzip, "gzip"},
    {ChunkCodec::zlib, "zlib"},
    {ChunkCodec::zstd, "zstd"},
    {ChunkCodec::blosc, "blosc"},
}};

constexpr const char* kHostOrder = kHostIsLittleEndian ? "little" : "big";

/// The codec as both versions write it, but for Blosc's shuffle.
Json codec_settings(const ZarrArray& array) {
  switch (array.codec) {
    case ChunkCodec::none:
      break;
    case ChunkCodec::gzip:
    case ChunkCodec::zlib:
      return {{"level", kGzipLevel}};
    case ChunkCodec::zstd:
      return {{"level", kZstdLevel}};
    case ChunkCodec::blosc:
      return {{"cname", "zstd"}, {"clevel", kBloscLevel}, {"shuffle", 1}, {"blocksize", 0}};
  }
  return Json::object();
}

Json json_of_v2(const ZarrArray& array) {
  Json compressor = nullptr;
  if (array.codec != ChunkCodec::none) {
    compressor = {{"id", name_in(kCodecs, array.codec)}};
    compressor.update(codec_settings(array));
  }
  const char order = size_of(array.type) == 1 ? '|' : kHostIsLittleEndian ? '<' : '>';
  return {{"zarr_format", 2},
          {"shape", array.shape},
          {"chunks", array.chunk},
          {"dtype", fmt::format("{}{}", order, name_in(kTypes, array.type))},
          {"compressor", compressor},
          {"fill_value", 0},
          {"order", "C"},
          {"filters", nullptr},
          {"dimension_separator", std::string{array.separator}}};
}

Json json_of_v3(const ZarrArray& array) {
  Json codecs = Json::array();
  codecs.push_back({{"name", "bytes"}, {"configuration", {{"endian", kHostOrder}}}});
  if (array.codec != ChunkCodec::none) {
    Json settings = codec_settings(array);
    if (array.codec == ChunkCodec::zstd) settings["checksum"] = false;
    if (array.codec == ChunkCodec::blosc) {
      settings["shuffle"] = "shuffle";
      settings["typesize"] = size_of(array.type);
    }
    codecs.push_back({{"name", name_in(kCodecs, array.codec)}, {"configuration", settings}});
  }
  Json json{
      {"zarr_format", 3},
      {"node_type", "array"},
      {"shape", array.shape},
      {"data_type", name_of(array.type)},
      {"chunk_grid", {{"name", "regular"}, {"configuration", {{"chunk_shape", array.chunk}}}}},
      {"chunk_key_encoding",
       {{"name", "default"}, {"configuration", {{"separator", std::string{array.separator}}}}}},
      {"fill_value", 0},
      {"codecs", codecs},
      {"attributes", Json::object()}};
  if (!array.names.empty()) json["dimension_names"] = array.names;
  return json;
}

/// Reads one description, step by step.
class ArrayReader {
 public:
  ArrayReader(const Json& json, ZarrVersion version, const std::filesystem::path& path)
      : json_{json}, path_{path} {
    array_.version = version;
  }

  ZarrArray read() {
    array_.version == ZarrVersion::ome_0_4 ? read_v2() : read_v3();
    if (array_.shape.empty() || array_.shape.size() != array_.chunk.size())
      refuse("has chunks of another number of axes than its own", "make it again");
    for (const std::int64_t n : array_.chunk)
      if (n < 1) refuse("has chunks without voxels", "make it again");
    for (const std::int64_t n : array_.shape)
      if (n < 1) refuse("has no voxels", "give an image that has some");
    return array_;
  }

 private:
  [[noreturn]] void refuse(const std::string& found, const std::string& advice) const {
    throw InvalidInput(fmt::format("open {}: the array {}; {}", path_.string(), found, advice));
  }

  void read_v2() {
    if (json_.at("zarr_format") != 2) refuse("is not of Zarr's format 2", "make it again");
    read_sizes(json_.at("shape"), json_.at("chunks"));
    const auto type = json_.at("dtype").is_string() ? json_["dtype"].get<std::string>() : "";
    const std::string_view name = type.size() == 3 ? std::string_view{type}.substr(1) : "";
    set_type(named_in(kTypes, name), name, &OtherType::v2, json_["dtype"]);
    set_order(type[0] == '>');
    if (json_.value("order", "C") != "C")
      refuse("lies column behind column (order F)", "save it in order C");
    if (json_.contains("filters") && !json_["filters"].is_null() && !json_["filters"].empty())
      refuse("is passed through filters", "save it without filters");
    if (const Json& packed = json_.at("compressor"); !packed.is_null())
      set_codec(packed.at("id").get<std::string>());
    set_separator(json_.value("dimension_separator", "."));
    read_fill();
  }

  void read_v3() {
    if (json_.at("zarr_format") != 3 || json_.at("node_type") != "array")
      refuse("is not of Zarr's format 3", "make it again");
    if (json_.at("chunk_grid").at("name") != "regular")
      refuse("has chunks of several sizes", "save it with equal chunks");
    read_sizes(json_.at("shape"), json_["chunk_grid"].at("configuration").at("chunk_shape"));
    const Json& type = json_.at("data_type");
    const std::string known = type.is_string() ? type.get<std::string>() : "";
    set_type(pixel_type_named(known), known, &OtherType::v3, type);
    for (const Json& codec : json_.at("codecs")) read_codec(codec);
    const Json& keys = json_.at("chunk_key_encoding");
    const bool is_default = keys.at("name") == "default";
    if (!is_default && keys["name"] != "v2")
      refuse("names its chunks in an unknown way", "save it with the default names");
    set_separator(
        keys.value("configuration", Json::object()).value("separator", is_default ? "/" : "."));
    if (is_default) array_.prefix = {'c', array_.separator};
    if (json_.contains("dimension_names") && json_["dimension_names"].is_array())
      for (const Json& name : json_["dimension_names"])
        array_.names.push_back(name.is_string() ? name.get<std::string>() : "");
    read_fill();
  }

  void read_codec(const Json& codec) {
    const std::string name =
        codec.is_string() ? codec.get<std::string>() : codec.at("name").get<std::string>();
    if (name == "bytes") {
      const Json settings =
          codec.is_object() ? codec.value("configuration", Json::object()) : Json::object();
      return set_order(settings.value("endian", kHostOrder) == "big");
    }
    if (name == "sharding_indexed") refuse("keeps its chunks in shards", "save it without shards");
    if (array_.codec != ChunkCodec::none) refuse("is packed twice", "save it packed once");
    set_codec(name);
  }

  void read_sizes(const Json& shape, const Json& chunk) {
    array_.shape = whole_numbers_of(shape);
    array_.chunk = whole_numbers_of(chunk);
  }

  void set_type(std::optional<PixelType> known, std::string_view name,
                std::string_view OtherType::*column, const Json& type) {
    if (known) {
      array_.type = *known;
      return;
    }
    for (const OtherType& other : kOtherTypes)
      if (other.*column == name) {
        array_.type = other.type;
        array_.stored = other.stored;
        is_bool_ = other.v3 == "bool";
        return;
      }
    refuse(fmt::format("holds voxels of type {}", text_of(type)),
           "accepted are bool, integers of 8, 16, 32 and 64 bits and floats of 16, 32 and 64: "
           "convert it");
  }

  void set_order(bool is_big) {
    array_.is_foreign_order =
        is_big == kHostIsLittleEndian && size_of_stored(array_.stored, array_.type) > 1;
  }

  void set_codec(const std::string& name) {
    const auto codec = named_in(kCodecs, name);
    if (!codec)
      refuse(fmt::format("is packed by '{}'", name),
             "accepted are gzip, zlib, zstd and blosc: save it with one of them");
    array_.codec = *codec;
  }

  void set_separator(const std::string& separator) {
    if (separator != "/" && separator != ".")
      refuse(fmt::format("names its chunks with '{}'", separator), "save it with '/'");
    array_.separator = separator[0];
  }

  /// A number, or the words that stand for those that JSON has not; 0 where it is left open.
  [[nodiscard]] double fill_value() const {
    const Json given = json_.value("fill_value", Json());
    if (given.is_null()) return 0;
    if (given.is_number()) return given.get<double>();
    if (is_bool_ && given.is_boolean()) return given.get<bool>() ? 1 : 0;
    if (given == "NaN") return std::numeric_limits<double>::quiet_NaN();
    if (given == "Infinity") return std::numeric_limits<double>::infinity();
    if (given == "-Infinity") return -std::numeric_limits<double>::infinity();
    refuse(fmt::format("has the fill value {}", text_of(given)),
           "accepted are numbers, NaN, Infinity and -Infinity: save it with one of them");
  }

  void read_fill() {
    const double value = fill_value();
    if (array_.stored == StoredType::float16) return set_fill(half_of(value));
    if (array_.stored != StoredType::voxels) {
      // Both have the same bits where an integer is small enough to be read
      if (!(std::abs(value) <= 0x1p31))
        refuse("has a fill value that cannot be read", "make it again");
      return set_fill(static_cast<std::int64_t>(value));
    }
    visit_pixel_type(array_.type, [&](auto zero) {
      using T = decltype(zero);
      const bool is_held = (is_floating(array_.type) && !std::isfinite(value)) ||
                           (value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                            value <= static_cast<double>(std::numeric_limits<T>::max()));
      if (!is_held) refuse("has a fill value that its type cannot hold", "make it again");
      set_fill(static_cast<T>(value));
    });
  }

  template <class T>
  void set_fill(T fill) {
    array_.fill.resize(sizeof fill);
    std::memcpy(array_.fill.data(), &fill, sizeof fill);
    if (array_.is_foreign_order)
      swap_elements(array_.fill.data(), 1, static_cast<std::int64_t>(sizeof fill));
  }

  /// The half that has this value.
  [[nodiscard]] std::uint16_t half_of(double value) const {
    constexpr std::uint16_t kNotANumber = 0x7E00;
    if (std::isnan(value)) return kNotANumber;
    for (unsigned half = 0; half <= 0xFFFF; ++half)
      if (static_cast<double>(float_of_half(static_cast<std::uint16_t>(half))) == value)
        return static_cast<std::uint16_t>(half);
    refuse("has a fill value that its type cannot hold", "make it again");
  }

  const Json& json_;
  const std::filesystem::path& path_;
  ZarrArray array_;
  bool is_bool_ = false;
};

}  // namespace

ChunkCodec zarr_codec(const ImageSpec& spec) {
  switch (spec.compression) {
    case Compression::deflate:
      return ChunkCodec::gzip;
    case Compression::zstd:
      return ChunkCodec::zstd;
    case Compression::blosc:
      return ChunkCodec::blosc;
    default:
      return ChunkCodec::none;
  }
}

std::string ZarrArray::chunk_name(const std::vector<std::int64_t>& at) const {
  std::string name = prefix;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (i > 0) name += separator;
    name += std::to_string(at[i]);
  }
  return name;
}

std::string_view array_file(ZarrVersion version) {
  return version == ZarrVersion::ome_0_4 ? ".zarray" : "zarr.json";
}

std::string print_zarr_array(const ZarrArray& array) {
  return indented_text_of(array.version == ZarrVersion::ome_0_4 ? json_of_v2(array)
                                                                : json_of_v3(array)) +
         '\n';
}

ZarrArray parse_zarr_array(std::string_view text, ZarrVersion version,
                           const std::filesystem::path& path) try {
  return ArrayReader{parse_json(text), version, path}.read();
} catch (const Json::exception& failure) {
  throw InvalidInput(fmt::format(
      "open {}: its {} is not what Zarr prescribes ({}); the file is broken, make it again",
      path.string(), array_file(version), failure.what()));
}

}  // namespace synthoscope::imageio

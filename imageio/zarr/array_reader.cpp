// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/input/byte_order.hpp"
#include "imageio/zarr/array.hpp"

namespace synthoscope::imageio {
namespace {

/// An element type of Zarr that is converted to another voxel type.
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

/// Value of a setting of a codec, and whether it may be that.
struct CodecSetting {
  const char *codec, *name, *accepted;
  bool (*is_accepted)(const Json& value);
};

bool is_level(const Json& value) {
  return value.is_number_integer() && value >= -1 && value <= 9;
}
bool is_count(const Json& value) {
  return value.is_number_integer() && value >= 0;
}
bool is_zstd_level(const Json& value) {
  return value.is_number_integer() && value >= -131072 && value <= 22;
}
bool is_switch(const Json& value) {
  return value.is_boolean();
}
bool is_blosc_codec(const Json& value) {
  return std::set<Json>{"blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"}.contains(value);
}
bool is_shuffle(const Json& value) {
  return std::set<Json>{"noshuffle", "shuffle", "bitshuffle", -1, 0, 1, 2}.contains(value);
}

/// @source  Zarr core specification 3.0 and its codecs; numcodecs for format 2.
constexpr CodecSetting kCodecSettings[] = {
    {"gzip", "level", "-1 ... 9", is_level},
    {"zlib", "level", "-1 ... 9", is_level},
    {"zstd", "level", "-131072 ... 22", is_zstd_level},
    {"zstd", "checksum", "true and false", is_switch},
    {"blosc", "cname", "blosclz, lz4, lz4hc, snappy, zlib and zstd", is_blosc_codec},
    {"blosc", "clevel", "-1 ... 9", is_level},
    {"blosc", "shuffle", "noshuffle, shuffle, bitshuffle and -1 ... 2", is_shuffle},
    {"blosc", "typesize", "numbers from 0", is_count},
    {"blosc", "blocksize", "numbers from 0", is_count},
};

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
      refuse("has chunks with a different number of axes", "create it again");
    for (const std::int64_t n : array_.chunk)
      if (n < 1) refuse("has chunks without voxels", "create it again");
    for (const std::int64_t n : array_.shape)
      if (n < 1) refuse("has no voxels", "give an image with voxels");
    return array_;
  }

 private:
  [[noreturn]] void refuse(const std::string& found, const std::string& advice) const {
    throw InvalidInput(fmt::format("open {}: the array {}; {}", path_.string(), found, advice));
  }

  /// @throws InvalidInput  `object` has a member that `known` does not name and that may not be
  ///                       passed over.
  void require_known(const Json& object, std::initializer_list<std::string_view> known,
                     const char* where) const {
    for (const auto& [name, value] : object.items())
      if (std::ranges::find(known, name) == known.end() && !may_be_ignored(value))
        refuse(fmt::format("has {} '{}', which readers must support and this one does not", where,
                           name),
               fmt::format("only {} are accepted: save it without", fmt::join(known, ", ")));
  }

  void read_v2() {
    if (json_.at("zarr_format") != 2) refuse("is not of Zarr's format 2", "create it again");
    read_sizes(json_.at("shape"), json_.at("chunks"));
    read_type_of_v2(json_.at("dtype"));
    if (const Json order = json_.value("order", Json("C")); order == "F")
      refuse("is stored column by column (order F)", "save it in order C");
    else if (order != "C")
      refuse(fmt::format("has the order {}", text_of(order)),
             "only C is accepted: save it that way");
    if (const Json filters = json_.value("filters", Json()); !filters.is_null() && !filters.empty())
      refuse(fmt::format("uses the filters {}", text_of(filters)), "save it without filters");
    if (const Json& packed = json_.at("compressor"); !packed.is_null()) {
      const auto id = packed.at("id").get<std::string>();
      set_codec(id, "gzip, zlib, zstd and blosc");
      require_settings(id, packed);
    }
    read_separator(json_, "dimension_separator", ".");
    read_fill(json_.value("fill_value", Json()));
  }

  void read_type_of_v2(const Json& said) {
    const auto type = said.is_string() ? said.get<std::string>() : "";
    const std::string_view name = type.size() == 3 ? std::string_view{type}.substr(1) : "";
    set_type(named_in(kZarrTypes, name), name, &OtherType::v2, said);
    const bool is_one_byte = element_bytes() == 1;
    if (type[0] != '<' && type[0] != '>' && !(type[0] == '|' && is_one_byte))
      refuse(fmt::format("has the type '{}', which does not give the order of its bytes", type),
             "< and > are accepted before the type, and | if it has one byte: create it again");
    set_order(type[0] == '>');
  }

  void read_v3() {
    if (json_.at("zarr_format") != 3) refuse("is not of Zarr's format 3", "create it again");
    if (json_.at("node_type") != "array")
      refuse(fmt::format("is a node of type {}", text_of(json_["node_type"])),
             "array and group are accepted: create it again");
    require_known(
        json_,
        {"zarr_format", "node_type", "shape", "data_type", "chunk_grid", "chunk_key_encoding",
         "fill_value", "codecs", "attributes", "storage_transformers", "dimension_names"},
        "the member");
    if (const Json changes = json_.value("storage_transformers", Json());
        changes != Json::array() && !changes.is_null())
      refuse(fmt::format("has the storage transformers {}", text_of(changes)),
             "no storage transformers are accepted: save it without");
    if (!json_.value("attributes", Json::object()).is_object())
      refuse("has attributes that are not an object", "create it again");
    const auto [grid, sizes] = extension(json_.at("chunk_grid"), "chunk grid");
    if (grid != "regular")
      refuse(fmt::format("has the chunk grid '{}'", grid),
             "only regular is accepted: save it with chunks of one size");
    require_known(sizes, {"chunk_shape"}, "a chunk grid with");
    read_sizes(json_.at("shape"), sizes.at("chunk_shape"));
    const auto [type, nothing] = extension(json_.at("data_type"), "data type");
    if (!nothing.empty()) refuse_type(json_["data_type"]);
    set_type(pixel_type_named(type), type, &OtherType::v3, json_["data_type"]);
    read_codecs(json_.at("codecs"));
    read_chunk_names(json_.at("chunk_key_encoding"));
    read_axes(json_.value("dimension_names", Json()));
    const Json fill = json_.value("fill_value", Json());
    if (fill.is_null()) refuse("gives no fill value", "create it again");
    read_fill(fill);
  }

  /// {"name": ..., "configuration": {...}}, or the name alone.
  std::pair<std::string, Json> extension(const Json& said, const char* what) const {
    if (said.is_string()) return {said.get<std::string>(), Json::object()};
    for (const auto& [name, value] : said.items())
      if (name != "name" && name != "configuration" && name != "must_understand")
        refuse(fmt::format("has a {} with the member '{}'", what, name),
               "only name and configuration are accepted: create it again");
    Json settings = said.value("configuration", Json::object());
    if (!settings.is_object())
      refuse(fmt::format("has a {} whose configuration is {}", what, text_of(settings)),
             "only objects are accepted: create it again");
    return {said.at("name").get<std::string>(), std::move(settings)};
  }

  /// Bytes of elements first, then perhaps what packs them.
  void read_codecs(const Json& codecs) {
    if (!codecs.is_array() || codecs.empty())
      refuse(fmt::format("has the codecs {}", text_of(codecs)),
             "bytes, and gzip, zstd or blosc after it, are accepted: create it again");
    bool is_first = true;
    for (const Json& codec : codecs) {
      const auto [name, settings] = extension(codec, "codec");
      if (name == "sharding_indexed")
        refuse("keeps its chunks in shards", "save it without shards");
      if (is_first != (name == "bytes"))
        refuse(fmt::format("has the codec '{}' {}", name, is_first ? "first" : "once more"),
               "bytes, once and first, and gzip, zstd or blosc after it, are accepted: save it "
               "that way");
      if (!is_first && array_.codec != ChunkCodec::none)
        refuse("is compressed twice", "save it compressed once");
      is_first ? read_bytes(settings) : read_packing(name, settings);
      is_first = false;
    }
  }

  void read_bytes(const Json& settings) {
    require_known(settings, {"endian"}, "a codec 'bytes' with");
    const Json order = settings.value("endian", Json());
    const bool is_left_open = order.is_null() && element_bytes() == 1;
    if (!is_left_open && order != "little" && order != "big")
      refuse(fmt::format("has the byte order {}", text_of(order)),
             "little and big are accepted: create it again");
    set_order(order == "big");
  }

  void read_packing(const std::string& name, const Json& settings) {
    set_codec(name == "zlib" ? "" : name, "gzip, zstd and blosc");
    require_settings(name, settings);
  }

  void require_settings(const std::string& codec, const Json& settings) const {
    for (const auto& [name, value] : settings.items()) {
      if (name == "id") continue;
      const auto found =
          std::ranges::find_if(kCodecSettings, [&, &name = name](const CodecSetting& known) {
            return known.codec == codec && known.name == name;
          });
      if (found == std::end(kCodecSettings))
        refuse(fmt::format("is compressed by {} with the unknown setting '{}'", codec, name),
               "save it without");
      if (!found->is_accepted(value))
        refuse(fmt::format("is compressed by {} with {} = {}", codec, name, text_of(value)),
               fmt::format("only {} are accepted: create it again", found->accepted));
    }
  }

  void read_chunk_names(const Json& said) {
    const auto [name, settings] = extension(said, "chunk key encoding");
    const bool is_default = name == "default";
    if (!is_default && name != "v2")
      refuse(fmt::format("names its chunks by '{}'", name),
             "default and v2 are accepted: save it with the default names");
    require_known(settings, {"separator"}, "names of chunks with");
    read_separator(settings, "separator", is_default ? "/" : ".");
    if (is_default) array_.prefix = {'c', array_.separator};
  }

  void read_axes(const Json& names) {
    if (names.is_null()) return;
    if (!names.is_array() || names.size() != array_.shape.size())
      refuse(fmt::format("has the dimension names {} for {} axes", text_of(names),
                         array_.shape.size()),
             "a list with one name, or null, for each axis is accepted: create it again");
    for (const Json& name : names) {
      if (!name.is_string() && !name.is_null())
        refuse(fmt::format("names an axis {}", text_of(name)),
               "only strings and null are accepted: create it again");
      array_.names.push_back(name.is_string() ? name.get<std::string>() : "");
    }
  }

  void read_sizes(const Json& shape, const Json& chunk) {
    array_.shape = whole_numbers_of(shape);
    array_.chunk = whole_numbers_of(chunk);
  }

  void set_type(std::optional<PixelType> known, std::string_view name,
                std::string_view OtherType::*column, const Json& said) {
    if (known) {
      array_.type = *known;
      return;
    }
    const auto other = std::ranges::find(kOtherTypes, name, column);
    if (name.empty() || other == std::end(kOtherTypes)) refuse_type(said);
    array_.type = other->type;
    array_.stored = other->stored;
    is_bool_ = other->v3 == "bool";
  }

  [[nodiscard]] std::int64_t element_bytes() const {
    return size_of_stored(array_.stored, array_.type);
  }

  void set_order(bool is_big) {
    array_.is_foreign_order = is_big == kHostIsLittleEndian && element_bytes() > 1;
  }

  void set_codec(const std::string& name, const char* accepted) {
    const auto codec = named_in(kZarrCodecs, name);
    if (!codec)
      refuse(fmt::format("is compressed by '{}'", name.empty() ? "zlib" : name),
             fmt::format("only {} are accepted: save it with one of them", accepted));
    array_.codec = *codec;
  }

  void read_separator(const Json& holder, const char* key, const char* usual) {
    const Json said = holder.value(key, Json(usual));
    if (said != "/" && said != ".")
      refuse(fmt::format("names its chunks with {}", text_of(said)),
             "'/' and '.' are accepted: save it with '/'");
    array_.separator = said.get<std::string>()[0];
  }

  [[noreturn]] void refuse_type(const Json& type) const {
    refuse(fmt::format("holds voxels of type {}", text_of(type)),
           "bool, integers of 8, 16, 32 and 64 bits and floats of 16, 32 and 64 bits are accepted: "
           "convert it");
  }

  [[noreturn]] void refuse_fill(const Json& said) const {
    refuse(fmt::format("has the fill value {}, which its type cannot hold", text_of(said)),
           is_floating(array_.type)
               ? "only numbers, NaN, Infinity, -Infinity and, in format 3, the bits in hexadecimal "
                 "digits as 0x7fc00000 are accepted: save it with one of them"
               : "only whole numbers in its range are accepted: save it with one of them");
  }

  /// Reads one element of `T`. @throws InvalidInput if `said` is none.
  template <class T>
  [[nodiscard]] T element(const Json& said) const {
    if (said.is_null()) return T{0};
    if (is_bool_ && said.is_boolean()) return static_cast<T>(said.get<bool>() ? 1 : 0);
    if constexpr (std::is_floating_point_v<T>) {
      if (said == "NaN") return std::numeric_limits<T>::quiet_NaN();
      if (said == "Infinity") return std::numeric_limits<T>::infinity();
      if (said == "-Infinity") return -std::numeric_limits<T>::infinity();
      if (said.is_string()) return element_of_bits<T>(said);
    }
    if (!said.is_number()) refuse_fill(said);
    const double value = said.get<double>();
    const bool is_held = value >= static_cast<double>(std::numeric_limits<T>::lowest()) &&
                         value <= static_cast<double>(std::numeric_limits<T>::max()) &&
                         (std::is_floating_point_v<T> || value == std::floor(value));
    if (!is_held) refuse_fill(said);
    return static_cast<T>(value);
  }

  /// "0x" and two digits for each byte, the highest first.
  template <class T>
  [[nodiscard]] T element_of_bits(const Json& said) const {
    using Bits =
        std::conditional_t<sizeof(T) == 2, std::uint16_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
    const auto text = said.get<std::string>();
    constexpr std::size_t kDigits = 2 * sizeof(T);
    const bool is_hexadecimal =
        text.size() == 2 + kDigits && text.starts_with("0x") &&
        text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
    if (array_.version == ZarrVersion::ome_0_4 || !is_hexadecimal) refuse_fill(said);
    const auto bits = static_cast<Bits>(std::stoull(text.substr(2), nullptr, 16));
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

  /// Reads the bits or the value of an element of 16 bits.
  [[nodiscard]] std::uint16_t half_element(const Json& said) const {
    if (said.is_string() && said.get<std::string>().starts_with("0x"))
      return element_of_bits<std::uint16_t>(said);
    const auto value = element<float>(said);
    constexpr std::uint16_t kNotANumber = 0x7E00;
    if (std::isnan(value)) return kNotANumber;
    for (unsigned half = 0; half <= 0xFFFF; ++half)
      if (float_of_half(static_cast<std::uint16_t>(half)) == value)
        return static_cast<std::uint16_t>(half);
    refuse_fill(said);
  }

  void read_fill(const Json& said) {
    if (array_.stored == StoredType::float16) return set_fill(half_element(said));
    // Values of 64 bits are read only if they fit into 32 bits
    if (array_.stored != StoredType::voxels)
      return visit_pixel_type(array_.type, [&](auto zero) {
        set_fill(static_cast<std::int64_t>(element<decltype(zero)>(said)));
      });
    visit_pixel_type(array_.type, [&](auto zero) { set_fill(element<decltype(zero)>(said)); });
  }

  template <class T>
  void set_fill(T fill) {
    array_.fill.resize(sizeof fill);
    std::memcpy(array_.fill.data(), &fill, sizeof fill);
    if (array_.is_foreign_order)
      swap_elements(array_.fill.data(), 1, static_cast<std::int64_t>(sizeof fill));
  }

  const Json& json_;
  const std::filesystem::path& path_;
  ZarrArray array_;
  bool is_bool_ = false;
};

}  // namespace

bool may_be_ignored(const Json& member) {
  return member.is_object() && member.value("must_understand", Json()) == false;
}

ZarrArray parse_zarr_array(std::string_view text, ZarrVersion version,
                           const std::filesystem::path& path) try {
  return ArrayReader{parse_json(text), version, path}.read();
} catch (const Json::exception& failure) {
  throw InvalidInput(fmt::format(
      "open {}: its {} is not what Zarr prescribes ({}); the file is damaged: create it again",
      path.string(), array_file(version), failure.what()));
}

}  // namespace synthoscope::imageio

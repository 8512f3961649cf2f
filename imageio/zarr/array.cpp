// SPDX-License-Identifier: MIT
#include "imageio/zarr/array.hpp"
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "imageio/input/byte_order.hpp"

namespace synthoscope::imageio {
namespace {

constexpr const char* kHostOrder = kHostIsLittleEndian ? "little" : "big";

/// The codec as both versions write it, but for Blosc's shuffle.
Json codec_settings(const ZarrArray& array) {
  switch (array.codec) {
    case ChunkCodec::none:
      break;
    case ChunkCodec::gzip:
    case ChunkCodec::zlib:
      return {{"level", kDeflateLevel}};
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
    compressor = {{"id", name_in(kZarrCodecs, array.codec)}};
    compressor.update(codec_settings(array));
  }
  const char order = size_of(array.type) == 1 ? '|' : kHostIsLittleEndian ? '<' : '>';
  return {{"zarr_format", 2},
          {"shape", array.shape},
          {"chunks", array.chunk},
          {"dtype", fmt::format("{}{}", order, name_in(kZarrTypes, array.type))},
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
    codecs.push_back({{"name", name_in(kZarrCodecs, array.codec)}, {"configuration", settings}});
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

}  // namespace synthoscope::imageio

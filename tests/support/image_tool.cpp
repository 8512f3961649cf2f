// SPDX-License-Identifier: MIT
// tests/support/image_tool.cpp — opens and creates images for the Python checks of files.
//
//   image_tool info FILE                         what the file says, as JSON
//   image_tool read FILE RAW [CHANNEL [FRAME]]   one stack as raw voxels, and what it is as JSON
//   image_tool ends FILE                         the first and last three voxels of uint8
//   image_tool write FILE RAW SPEC               RAW as an image; SPEC is JSON: extent, type,
//                                                flavor, compression, voxel_um, kernel_center,
//                                                provenance, bigtiff, chunks
#include <fmt/format.h>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/names.hpp"
#include "core/stream/memory_stream.hpp"
#include "imageio/create.hpp"
#include "imageio/open.hpp"

namespace {

using namespace synthoscope;
using namespace synthoscope::imageio;

Json or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json described(const ImageInfo& info) {
  Json out{{"format", info.format},
           {"extent", {info.extent.z, info.extent.y, info.extent.x}},
           {"type", name_of(info.type)},
           {"channels", info.channels},
           {"frames", info.frames},
           {"samples_per_pixel", info.samples_per_pixel},
           {"voxel_um", {or_null(info.z_um), or_null(info.y_um), or_null(info.x_um)}},
           {"compression", info.compression},
           {"data_set", info.data_set},
           {"axes", info.axes_text()},
           {"images", info.images},
           {"notes", info.notes}};
  if (const auto& c = info.chunks) out["chunks"] = {c->z, c->y, c->x};
  if (const auto& c = info.kernel_center) out["kernel_center"] = {c->z, c->y, c->x};
  return out;
}

void read(const std::vector<std::string>& words) {
  OpenOptions options;
  if (words.size() > 4) options.channel = std::stoll(words[4]);
  if (words.size() > 5) options.frame = std::stoll(words[5]);
  if (words.size() > 6) options.axes = words[6] == "-" ? "" : words[6];
  if (words.size() > 7) options.image = std::stoll(words[7]);
  const auto image = open_image(words[2], options);
  const auto extent = image.info.extent;
  std::vector<std::byte> voxels(
      static_cast<std::size_t>(volume(extent) * size_of(image.info.type)));
  image.source->read(whole(extent), {voxels.data(), image.info.type, extent});
  std::ofstream{words[3], std::ios::binary}.write(reinterpret_cast<const char*>(voxels.data()),
                                                  static_cast<std::streamsize>(voxels.size()));
  fmt::print("{}\n", text_of(described(image.info)));
}

/// The first and the last three voxels, so that a test need not read what lies between.
void print_ends(const std::string& file) {
  const auto image = open_image(file);
  const auto e = image.info.extent;
  Json ends = Json::array();
  for (const Index3& at : {Index3{0, 0, 0}, Index3{e.z - 1, e.y - 1, e.x - 3}}) {
    Volume<std::uint8_t> voxels{{1, 1, 3}};
    image.source->read({at, voxels.extent}, VoxelView{voxels.view()});
    ends.push_back(voxels.voxels);
  }
  fmt::print("{}\n", text_of(ends));
}

void write(const std::vector<std::string>& words) {
  constexpr NameTable<TiffFlavor, 3> kFlavors{
      {{TiffFlavor::ome, "ome"}, {TiffFlavor::imagej, "imagej"}, {TiffFlavor::plain, "plain"}}};
  constexpr NameTable<Compression, 4> kCompressions{{{Compression::none, "none"},
                                                     {Compression::deflate, "deflate"},
                                                     {Compression::lzw, "lzw"},
                                                     {Compression::zstd, "zstd"}}};
  const auto wanted = parse_json(words[4]);
  const auto extent = wanted.at("extent").get<std::vector<std::int64_t>>();
  ImageSpec spec;
  spec.extent = {extent.at(0), extent.at(1), extent.at(2)};
  spec.type = pixel_type_named(wanted.at("type").get<std::string>()).value();
  spec.flavor = named_in(kFlavors, wanted.value("flavor", "ome")).value();
  spec.compression = named_in(kCompressions, wanted.value("compression", "none")).value();
  if (wanted.contains("voxel_um")) {
    spec.z_um = wanted["voxel_um"][0];
    spec.y_um = wanted["voxel_um"][1];
    spec.x_um = wanted["voxel_um"][2];
  }
  if (wanted.contains("kernel_center")) {
    const auto& c = wanted["kernel_center"];
    spec.kernel_center = Index3{c[0], c[1], c[2]};
  }
  spec.provenance = wanted.value("provenance", "");
  spec.force_bigtiff = wanted.value("bigtiff", false);
  if (wanted.contains("chunks"))
    spec.chunks = Extent3{wanted["chunks"][0], wanted["chunks"][1], wanted["chunks"][2]};

  std::ifstream file{words[3], std::ios::binary};
  const std::string raw{std::istreambuf_iterator<char>{file}, {}};
  const auto sink = create_image(words[2], spec);
  const auto plane_bytes = spec.extent.y * spec.extent.x * size_of(spec.type);
  for (std::int64_t z = 0; z < spec.extent.z; ++z) {
    const auto box = plane(spec.extent, z);
    const auto* bytes = reinterpret_cast<const std::byte*>(raw.data()) + z * plane_bytes;
    sink->write(box, {bytes, spec.type, box.size});
  }
  sink->close();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  try {
    if (words.size() >= 3 && words[1] == "info")
      fmt::print("{}\n", text_of(described(inspect(words[2]))));
    else if (words.size() >= 3 && words[1] == "ends")
      print_ends(words[2]);
    else if (words.size() >= 4 && words[1] == "read")
      read(words);
    else if (words.size() >= 5 && words[1] == "write")
      write(words);
    else
      return 2;
    return 0;
  } catch (const InvalidSpec& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 2;
  } catch (const InvalidInput& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 3;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 4;
  }
}

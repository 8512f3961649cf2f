// SPDX-License-Identifier: MIT
#include "tools/image_options.hpp"
#include <fmt/format.h>
#include "imageio/provenance.hpp"
#include "tools/option_rows.hpp"

namespace synthoscope::tools {
namespace {

using imageio::Compression;
using imageio::TiffFlavor;

constexpr NameTable<TiffFlavor, 3> kFlavorNames{{
    {TiffFlavor::ome, "ome"},
    {TiffFlavor::imagej, "imagej"},
    {TiffFlavor::plain, "plain"},
}};
constexpr NameTable<Compression, 4> kCompressionNames{{
    {Compression::none, "none"},
    {Compression::deflate, "deflate"},
    {Compression::lzw, "lzw"},
    {Compression::zstd, "zstd"},
}};

}  // namespace

void InputOptions::describe(OptionTable& table) {
  table.group("Input");
  table.add(whole_row("channel", "N", channel, 0, "the only one",
                      "channel to take from a file with several, from 0"));
  table.add(whole_row("frame", "N", frame, 0, "the only one",
                      "time point to take from a file with several, from 0"));
}

void FileOptions::describe(OptionTable& table) {
  table.group("Output");
  table.add(switch_row("overwrite", overwrite, "replace output that exists"));
  table.add(choice_row("tiff-flavor", flavor, kFlavorNames,
                       "whose metadata the file carries: OME-XML, ImageJ's, or none"));
  table.add(choice_row("compression", compression, kCompressionNames,
                       "how pixels are packed; ImageJ reads all but zstd"));
}

imageio::ImageSpec spec_like(const imageio::ImageInfo& info, const Extent3& extent, PixelType type,
                             const FileOptions& options) {
  imageio::ImageSpec spec;
  spec.extent = extent;
  spec.type = type;
  spec.z_um = info.z_um;
  spec.y_um = info.y_um;
  spec.x_um = info.x_um;
  spec.flavor = options.flavor;
  spec.compression = options.compression;
  spec.overwrite = options.overwrite;
  return spec;
}

void require_new_output(const std::filesystem::path& output, bool overwrite) {
  for (const auto& path : {output, imageio::record_path(output)})
    if (!overwrite && std::filesystem::exists(path))
      throw InvalidSpec(fmt::format(
          "write {}: it exists already; choose another name or replace it with --overwrite",
          path.string()));
}

}  // namespace synthoscope::tools

// SPDX-License-Identifier: MIT
#include "tools/image_options.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "imageio/hdf5_find.hpp"
#include "imageio/image_name.hpp"
#include "imageio/provenance.hpp"
#include "tools/option_rows.hpp"

namespace synthoscope::tools {
namespace {

using imageio::Compression;
using imageio::FileFormat;
using imageio::TiffFlavor;

constexpr NameTable<FileFormat, 3> kFormatNames{{
    {FileFormat::by_name, "auto"},
    {FileFormat::tiff, "tiff"},
    {FileFormat::hdf5, "hdf5"},
}};

}  // namespace

std::string_view name_of(TiffFlavor flavor) {
  return name_in(imageio::kTiffFlavorNames, flavor);
}

std::string_view name_of(Compression compression) {
  return name_in(imageio::kCompressionNames, compression);
}

void InputOptions::describe(OptionTable& table) {
  table.group("Input");
  table.add(whole_row("channel", "N", channel, 0, "the only one",
                      "channel to take from a file with several, from 0"));
  table.add(whole_row("frame", "N", frame, 0, "the only one",
                      "time point to take from a file with several, from 0"));
  describe_limits(table, limits);
}

void describe_limits(OptionTable& table, imageio::InputLimits& limits) {
  table.group("Limits on input");
  table.add(whole_row("max-axis", "N", limits.axis, 1, "pixels along one axis"));
  table.add(whole_row("max-channels", "N", limits.channels, 1, "channels of a file"));
  table.add(whole_row("max-directories", "N", limits.directories, 1, "directories of a file"));
  table.add(whole_row("max-description", "BYTES", limits.description_bytes, 1,
                      "length of a description"));
  table.add(real_row("max-ratio", "R", limits.declared_to_file_ratio, "",
                     "declared bytes per byte of the file, where more than 1 GiB is declared"));
}

Reservation reserve_writing(const imageio::ImageSpec& spec, const RunContext& context) {
  const bool is_hdf5 = spec.format == FileFormat::hdf5;
  return context.memory.reserve(imageio::buffered_bytes(spec),
                                is_hdf5 ? "compressed chunks" : "compressed strips");
}

CountedImage open_counted(const std::filesystem::path& path, imageio::OpenOptions options,
                          const RunContext& context) {
  constexpr std::int64_t kShareOfMemory = 16;
  options.cache_bytes = std::min(options.cache_bytes, context.memory.limit() / kShareOfMemory);
  auto image = imageio::open_image(path, options);
  const std::int64_t held = image.buffer_bytes;
  return {std::move(image), context.memory.reserve(held, "chunks of " + path.string())};
}

void FileOptions::describe(OptionTable& table) {
  table.group("Output");
  table.add(switch_row("overwrite", overwrite, "replace output that exists"));
  table.add(
      choice_row("format", format, kFormatNames,
                 "what files are; auto is HDF5 for names that end in .h5 or .hdf5, which "
                 "may be followed by a data set as in out.h5:/group/image, and TIFF for .tif, "
                 ".tiff, .btf, .tf2, .tf8 and names without a suffix"));
  table.add(choice_row("tiff-flavor", flavor, imageio::kTiffFlavorNames,
                       "whose metadata a TIFF carries: OME-XML, ImageJ's, or none"));
  table.add(choice_row("compression", compression, imageio::kCompressionNames,
                       "how pixels are packed; ImageJ reads all but zstd, HDF5 has none and "
                       "deflate"));
  table.add({"chunks", "Z,Y,X", "16,256,256 if compressed, else one block", "",
             "voxels of a chunk of HDF5; uncompressed chunks need HDF5 1.10 to be read",
             [this](std::string_view text) { chunks = parse_triple(text, 1); }});
}

imageio::ImageSpec spec_like(const imageio::ImageInfo& info, const Extent3& extent, PixelType type,
                             const FileOptions& options) {
  imageio::ImageSpec spec;
  spec.extent = extent;
  spec.type = type;
  spec.z_um = info.z_um;
  spec.y_um = info.y_um;
  spec.x_um = info.x_um;
  options.apply(spec);
  return spec;
}

imageio::ImageSpec spec_on(const VoxelSize& pitch, const Extent3& extent, PixelType type,
                           const FileOptions& options) {
  imageio::ImageInfo like;
  like.z_um = pitch.z_um;
  like.y_um = pitch.y_um;
  like.x_um = pitch.x_um;
  return spec_like(like, extent, type, options);
}

void FileOptions::apply(imageio::ImageSpec& spec) const {
  spec.format = format;
  spec.flavor = flavor;
  spec.compression = compression;
  spec.chunks = chunks;
  spec.overwrite = overwrite;
}

namespace {

/// A file is replaced whole.
void require_no_other_data_sets(const std::filesystem::path& output) try {
  const auto [file, wanted] = imageio::image_name(output);
  if (wanted.empty() || !std::filesystem::is_regular_file(file) ||
      !imageio::is_hdf5(imageio::InputFile{file}))
    return;
  for (const std::string& other : imageio::data_sets_of(file))
    if (other != wanted)
      throw InvalidSpec(fmt::format(
          "write {}: --overwrite replaces the whole file, which holds {} too; choose another file, "
          "or give {} without a data set to lose all that it holds",
          output.string(), other, file.string()));
} catch (const InvalidInput&) {  // a broken file holds nothing to lose
}

}  // namespace

void require_new_output(const std::filesystem::path& output, bool overwrite) {
  for (const auto& path : {imageio::file_of(output), imageio::record_path(output)})
    if (!overwrite && std::filesystem::exists(path))
      throw InvalidSpec(fmt::format(
          "write {}: it exists already; choose another name or replace it with --overwrite",
          path.string()));
  require_no_other_data_sets(output);
}

void require_new_image(const std::filesystem::path& output, const FileOptions& file) {
  const auto named = imageio::file_of(output);
  const bool is_known =
      !named.has_extension() || imageio::has_tiff_name(named) || imageio::has_hdf5_name(named);
  if (file.format == FileFormat::by_name && !is_known)
    throw InvalidSpec(fmt::format(
        "write {}: '{}' stands for no format that images are written in; give a name that ends in "
        ".tif, .tiff, .h5 or .hdf5, or say which by --format tiff or hdf5",
        output.string(), named.extension().string()));
  require_new_output(output, file.overwrite);
}

namespace {

/// Without links, as far as they are there.
std::filesystem::path resolved(const std::filesystem::path& file) {
  std::error_code failure;
  const auto whole = std::filesystem::absolute(file);
  const auto path = std::filesystem::weakly_canonical(whole, failure);
  return failure ? whole : path;
}

/// Files that are not there yet are known by their names alone.
bool is_one_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto first = imageio::file_of(a), second = imageio::file_of(b);
  std::error_code ignored;
  return std::filesystem::equivalent(first, second, ignored) || resolved(first) == resolved(second);
}

}  // namespace

void require_apart(const std::vector<std::filesystem::path>& outputs,
                   const std::vector<std::filesystem::path>& inputs) {
  for (const auto& output : outputs) {
    for (const auto& input : inputs)
      if (is_one_file(output, input))
        throw InvalidSpec(fmt::format("write {}: it is the input {} itself; choose another name",
                                      output.string(), input.string()));
    for (const auto* other = &output + 1; other != outputs.data() + outputs.size(); ++other)
      if (is_one_file(output, *other))
        throw InvalidSpec(fmt::format("write {}: {} would lie in the same file; name two files",
                                      output.string(), other->string()));
  }
}

}  // namespace synthoscope::tools

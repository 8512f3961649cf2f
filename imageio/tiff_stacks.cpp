// SPDX-License-Identifier: MIT
#include "imageio/tiff_stacks.hpp"
#include <fmt/format.h>
#include <tiff.h>
#include <algorithm>
#include "core/error.hpp"
#include "imageio/imagej_planes.hpp"
#include "imageio/key_lines.hpp"
#include "imageio/ome_planes.hpp"
#include "imageio/ome_xml.hpp"
#include "imageio/parsing_memory.hpp"
#include "imageio/tiff_meaning.hpp"

namespace synthoscope::imageio {
namespace {

const TiffFormat& format_of(const TiffStacks& stacks, const StackPlane& plane) {
  return stacks.files[plane.file]->index().format_of(plane.page);
}

std::vector<std::int64_t> full_size_pages(const TiffStacks& stacks) {
  const TiffIndex& index = stacks.files[0]->index();
  std::vector<std::int64_t> pages;
  for (std::int64_t page = 0; page < static_cast<std::int64_t>(index.pages.size()); ++page)
    if (!index.format_of(page).is_reduced) pages.push_back(page);
  if (pages.empty())
    refuse_stacks(stacks, "it holds thumbnails only; give the file with the full images");
  return pages;
}

void check_limits(const TiffStacks& stacks, const InputLimits& limits) {
  const ImageInfo& info = stacks.info;
  if (info.channels > limits.channels)
    refuse_stacks(stacks, fmt::format("it holds {} channels, the limit is {}; raise it with "
                                      "--max-channels if you trust the file",
                                      info.channels, limits.channels));
  std::int64_t longest = std::max(info.extent.z, info.frames);
  if (longest > limits.axis)
    refuse_stacks(stacks,
                  fmt::format("it holds {} planes or frames, the limit is {}; raise it with "
                              "--max-axis if you trust the file",
                              longest, limits.axis));
  if (info.extent.z > limits.directories / info.frames / stacks.page_channels)
    refuse_stacks(
        stacks, fmt::format("it declares {} planes of {} channels and {} frames, the limit is "
                            "{} in all; raise it with --max-directories if you trust the file",
                            info.extent.z, stacks.page_channels, info.frames, limits.directories));
}

void place_ome(const OmeImage& image, std::int64_t samples, const InputLimits& limits,
               TiffStacks& stacks) {
  ImageInfo& info = stacks.info;
  if (image.c % samples != 0)
    refuse_stacks(stacks,
                  fmt::format("its OME-XML declares {} channels but its pixels have {} samples; "
                              "write the file again",
                              image.c, samples));
  stacks.page_channels = image.c / samples;
  info.format += ", OME";
  info.extent = {image.z, image.y, image.x};
  info.frames = image.t;
  info.channels = image.c;
  info.z_um = image.z_um;
  info.y_um = image.y_um;
  info.x_um = image.x_um;
  info.kernel_center = image.kernel_center;
  if (image.images > 1)
    info.notes.push_back(fmt::format("it holds {} images, the first is read", image.images));
  check_limits(stacks, limits);
  place_ome_planes(image, limits, stacks);
}

/// Pages without a description that is known here are one stack.
void place_plain(const KeyLines& lines, const std::vector<std::int64_t>& pages,
                 TiffStacks& stacks) {
  for (const std::int64_t page : pages) stacks.planes.push_back({0, page, 0});
  ImageInfo& info = stacks.info;
  info.extent.z = static_cast<std::int64_t>(pages.size());
  set_resolution(std::nullopt, stacks);
  if (!lines.text("synthoscope")) return;
  info.z_um = lines.positive("z_um");
  info.y_um = lines.positive("y_um");
  info.x_um = lines.positive("x_um");
  info.kernel_center = parse_index(lines.text("kernel_center").value_or(""));
}

/// Planes of one stack agree in what a reader sees; how each is stored is its own affair.
void check_alike(const TiffStacks& stacks) {
  const TiffFormat& first = format_of(stacks, stacks.planes[0]);
  for (std::size_t i = 0; i < stacks.planes.size(); ++i) {
    const TiffFormat& other = format_of(stacks, stacks.planes[i]);
    if (other.is_reduced)
      refuse_stacks(stacks,
                    fmt::format("its description takes page {}, a thumbnail, for a plane; write "
                                "the file again",
                                stacks.planes[i].page));
    if (other.height != first.height || other.width != first.width)
      refuse_stacks(stacks,
                    fmt::format("its pages differ in size: page {} has {}x{} pixels, page {} has "
                                "{}x{}; give a file whose pages are one stack",
                                stacks.planes[0].page, first.height, first.width,
                                stacks.planes[i].page, other.height, other.width));
    if (other.type != first.type || other.samples != first.samples ||
        (other.photometric == PHOTOMETRIC_MINISWHITE) !=
            (first.photometric == PHOTOMETRIC_MINISWHITE))
      refuse_stacks(stacks,
                    fmt::format("its pages differ in type: page {} has {} of {}, page {} has {} "
                                "of {}; give a file whose pages are one stack",
                                stacks.planes[0].page, first.samples, name_of(first.type),
                                stacks.planes[i].page, other.samples, name_of(other.type)));
  }
  const Extent3& declared = stacks.info.extent;
  if (declared.y != 0 && (declared.y != first.height || declared.x != first.width))
    refuse_stacks(stacks,
                  fmt::format("its OME-XML declares {}x{} pixels but its pages have {}x{}; write "
                              "the file again",
                              declared.y, declared.x, first.height, first.width));
}

void note_oddities(const TiffFormat& format, std::size_t thumbnails, std::int64_t sparse,
                   ImageInfo& info) {
  if (format.photometric == PHOTOMETRIC_PALETTE)
    info.notes.push_back("its palette colours are ignored, indices are read");
  if (format.photometric == PHOTOMETRIC_MINISWHITE)
    info.notes.push_back(is_floating(info.type) || info.type == PixelType::int8 ||
                                 info.type == PixelType::int16 || info.type == PixelType::int32
                             ? "it says that its smallest value is white; signed values and "
                               "floats are read as they are"
                             : "it says that its smallest value is white and is read inverted");
  for (std::string& note : notes_of_ignored(format.ignored)) info.notes.push_back(std::move(note));
  if (format.orientation != 1)
    info.notes.push_back(fmt::format("its orientation (code {}) is ignored", format.orientation));
  if (thumbnails > 0)
    info.notes.push_back(fmt::format("{} thumbnails or pyramid levels are left out", thumbnails));
  if (sparse > 0)
    info.notes.push_back(fmt::format("{} of its strips or tiles hold no data, their pixels are {}",
                                     sparse, format.missing_value));
}

}  // namespace

void refuse_stacks(const TiffStacks& stacks, const std::string& found_and_advice) {
  throw InvalidInput(fmt::format("open {}: {}", stacks.info.path.string(), found_and_advice));
}

void set_resolution(std::optional<double> unit_um, TiffStacks& stacks) {
  const TiffIndex& index = stacks.files[0]->index();
  const bool has_unit =
      index.resolution_unit == RESUNIT_INCH || index.resolution_unit == RESUNIT_CENTIMETER;
  const double tag_um = index.resolution_unit == RESUNIT_INCH ? 25'400.0 : 10'000.0;
  const auto pitch = [&](std::optional<double> pixels_per_unit) -> std::optional<double> {
    if (!pixels_per_unit || (!has_unit && !unit_um)) return std::nullopt;
    const double um = (has_unit ? tag_um : *unit_um) / *pixels_per_unit;
    // Screens and printers have 25 um and more: such tags were not set by a microscope
    constexpr double kFinestPrint = 20;
    if (has_unit && !unit_um && um > kFinestPrint) return std::nullopt;
    return um;
  };
  stacks.info.x_um = pitch(index.x_resolution);
  stacks.info.y_um = pitch(index.y_resolution);
}

TiffStacks read_tiff_stacks(const std::filesystem::path& path, const InputLimits& limits) {
  TiffStacks stacks;
  ImageInfo& info = stacks.info;
  info.path = path;
  auto indexed = std::make_shared<TiffIndex>(path, limits);
  const std::string text = std::move(indexed->description);
  stacks.files.push_back(std::make_shared<TiffPageReader>(std::move(indexed)));
  const TiffIndex& index = stacks.files[0]->index();
  const auto pages = full_size_pages(stacks);
  const std::int64_t samples = index.format_of(pages[0]).samples;
  info.format = index.is_big ? "BigTIFF" : "TIFF";

  // Let the description say which page is which plane
  std::optional<OmeImage> ome;
  if (is_ome_xml(text)) {
    const auto room =
        room_for_parsing(limits, xml_parsing_bytes(text) + std::ssize(text), path, "OME-XML");
    ome = parse_ome_xml(text, path);
  }
  const KeyLines lines{ome ? "" : text};
  if (ome && ome->images > 0)
    place_ome(*ome, samples, limits, stacks);
  else if (text.starts_with("ImageJ="))
    place_imagej_planes(lines, pages, limits, stacks);
  else
    place_plain(lines, pages, stacks);
  if (ome && ome->images == 0)
    info.notes.push_back("its OME metadata are in a companion file, which is not read");

  // Check that the planes are one stack and say what they are
  check_alike(stacks);
  const TiffFormat& format = format_of(stacks, stacks.planes[0]);
  info.extent.y = format.height;
  info.extent.x = format.width;
  info.type = format.type;
  info.samples_per_pixel = format.samples;
  info.channels = stacks.page_channels * format.samples;
  info.compression = compression_name(format.compression);
  for (std::size_t i = 1; i < stacks.files.size(); ++i)
    info.further_files.push_back(stacks.files[i]->index().file.path());
  check_limits(stacks, limits);
  note_oddities(format, index.pages.size() - pages.size(), index.sparse_blocks, info);
  return stacks;
}

}  // namespace synthoscope::imageio

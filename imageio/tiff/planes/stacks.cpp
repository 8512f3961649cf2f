// SPDX-License-Identifier: MIT
#include "imageio/tiff/planes/stacks.hpp"
#include <fmt/format.h>
#include <tiff.h>
#include <algorithm>
#include <span>
#include "core/base/error.hpp"
#include "imageio/input/key_lines.hpp"
#include "imageio/input/parsing_memory.hpp"
#include "imageio/tiff/meaning.hpp"
#include "imageio/tiff/planes/axes.hpp"
#include "imageio/tiff/planes/description.hpp"
#include "imageio/tiff/planes/flavours.hpp"
#include "imageio/tiff/planes/ome_xml.hpp"

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

AxesOfFile place_ome(const OmeImage& image, std::int64_t samples, const OpenOptions& options,
                     TiffStacks& stacks) {
  ImageInfo& info = stacks.info;
  if (image.images.size() > 1) info.images = image.images;
  choose_image(options.image, info);
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
  info.channel_names = image.channels;
  check_limits(stacks, options.limits);
  return place_ome_planes(image, options, stacks);
}

/// All pages in the order of storage. Their axis has no name.
AxesOfFile place_pages(const std::vector<std::int64_t>& pages, TiffStacks& stacks) {
  for (const std::int64_t page : pages) stacks.planes.push_back({0, page, 0});
  return {{static_cast<std::int64_t>(pages.size())}, "", ""};
}

/// Pages without a description that is known here are one stack.
AxesOfFile place_plain(const KeyLines& lines, const std::vector<std::int64_t>& pages,
                       TiffStacks& stacks) {
  ImageInfo& info = stacks.info;
  AxesOfFile planes = place_pages(pages, stacks);
  set_resolution(std::nullopt, std::nullopt, stacks);
  if (!lines.text("synthoscope")) return planes;
  info.z_um = lines.positive("z_um");
  info.y_um = lines.positive("y_um");
  info.x_um = lines.positive("x_um");
  info.kernel_center = parse_index(lines.text("kernel_center").value_or(""));
  info.channel_names = channels_in(lines);
  planes.letters = "Z";
  planes.named_by = "its description";
  return planes;
}

/// Moves the description out of the index, because no reader of pixels needs it: the first whose
/// format is known, or else the first.
std::string take_description(TiffIndex& index) {
  const auto is_known = [](const std::string& text) {
    return is_ome_xml(text) || text.starts_with("ImageJ=") || is_shaped(text);
  };
  if (!is_known(index.description) && is_known(index.second_description))
    index.description.swap(index.second_description);
  index.second_description = {};
  return std::move(index.description);
}

/// @param path  of the file that holds the text
OmeImage parse_counted(const std::string& text, const std::filesystem::path& path,
                       const OpenOptions& options) {
  const auto room = reserve_for_parsing(options.limits, xml_parsing_bytes(text) + std::ssize(text),
                                        path, "OME-XML");
  return parse_ome_xml(text, path, options.image.value_or(0));
}

/// The document of a file that only names the companion which has it.
std::optional<OmeImage> read_companion(const OmeImage& pointer, const OpenOptions& options,
                                       TiffStacks& stacks) {
  const std::filesystem::path name{pointer.companion};
  const auto path = stacks.info.path.parent_path() / name;
  std::error_code ignored;  // a name may be longer than any file has
  const bool is_beside = !name.empty() && name == name.filename() && name != ".." && name != ".";
  if (!is_beside || !std::filesystem::is_regular_file(path, ignored)) {
    stacks.info.notes.push_back(
        fmt::format("its OME metadata are in the companion file '{}', which is not in its folder; "
                    "its pages are read as one stack",
                    pointer.companion));
    return std::nullopt;
  }
  const InputFile file{path};
  if (file.size() > options.limits.description_bytes)
    refuse_stacks(stacks,
                  fmt::format("its companion file {} has {} bytes, the limit is {}; raise "
                              "it with --max-description if you trust the file",
                              path.string(), file.size(), options.limits.description_bytes));
  const auto room = reserve_for_parsing(options.limits, file.size(), path, "OME-XML");
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read_at(0, std::as_writable_bytes(std::span{text}));
  OmeImage image = parse_counted(text, path, options);
  image.uuid = pointer.uuid;
  stacks.info.further_files.push_back(path);
  return image;
}

/// The images of OME-XML, if the file has any.
std::optional<OmeImage> ome_image(const std::string& text, const OpenOptions& options,
                                  TiffStacks& stacks) {
  if (!is_ome_xml(text)) return std::nullopt;
  OmeImage image = parse_counted(text, stacks.info.path, options);
  if (image.images.empty()) return read_companion(image, options, stacks);
  return image;
}

/// Fills in the planes in the order of storage. Returns their axes.
AxesOfFile place_planes(const std::string& text, const std::vector<std::int64_t>& pages,
                        const OpenOptions& options, TiffStacks& stacks) {
  const TiffIndex& index = stacks.files[0]->index();
  if (const auto ome = ome_image(text, options, stacks))
    return place_ome(*ome, index.format_of(pages[0]).samples, options, stacks);
  if (is_shaped(text)) {
    if (const auto planes = place_shaped_planes(text, pages, options, stacks)) return *planes;
    choose_image(options.image, stacks.info);
    return place_pages(pages, stacks);
  }
  choose_image(options.image, stacks.info);
  if (pages.size() == 1 && index.stk_planes > 1)
    return place_stk_planes(pages[0], options.limits, stacks);
  const KeyLines lines{is_ome_xml(text) ? "" : text};
  if (text.starts_with("ImageJ=")) return place_imagej_planes(lines, pages, options.limits, stacks);
  return place_plain(lines, pages, stacks);
}

bool is_white_zero(const TiffFormat& format) {
  return format.photometric == PHOTOMETRIC_MINISWHITE;
}

/// Planes of one stack agree in what a reader sees; how each is stored is its own affair.
void check_alike(const TiffStacks& stacks) {
  const TiffFormat& first = format_of(stacks, stacks.planes[0]);
  for (std::size_t i = 0; i < stacks.planes.size(); ++i) {
    const TiffFormat& other = format_of(stacks, stacks.planes[i]);
    if (other.is_reduced)
      refuse_stacks(stacks,
                    fmt::format("its description treats page {}, a thumbnail, as a plane; write "
                                "the file again",
                                stacks.planes[i].page));
    if (other.height != first.height || other.width != first.width)
      refuse_stacks(stacks,
                    fmt::format("its pages differ in size: page {} has {}x{} pixels, page {} has "
                                "{}x{}; give a file whose pages are one stack",
                                stacks.planes[0].page, first.height, first.width,
                                stacks.planes[i].page, other.height, other.width));
    if (is_white_zero(other) != is_white_zero(first))
      refuse_stacks(stacks,
                    fmt::format("its pages differ in the meaning of their smallest value: {} on "
                                "page {}, {} on page {}; give a file whose pages are one stack",
                                is_white_zero(first) ? "white" : "black", stacks.planes[0].page,
                                is_white_zero(other) ? "white" : "black", stacks.planes[i].page));
    if (other.type != first.type || other.samples != first.samples)
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

/// What becomes of pixels whose smallest value is white.
std::string said_of_white(const TiffStacks& stacks, bool labels) {
  const PixelType type = stacks.info.type;
  const std::string says = "it declares that its smallest value is white";
  if (labels) return says + "; labels are read as they are stored";
  if (stacks.as_stored)
    return says + ", which only changes how ImageJ shows them: values are read as they are stored";
  if (is_floating(type) || type == PixelType::int8 || type == PixelType::int16 ||
      type == PixelType::int32)
    return says + "; signed values and floats are read as they are";
  return says + " and is read inverted";
}

void note_oddities(std::size_t thumbnails, bool labels, TiffStacks& stacks) {
  std::vector<std::string>& notes = stacks.info.notes;
  const TiffFormat& format = format_of(stacks, stacks.planes[0]);
  bool has_palette = false;
  std::uint32_t ignored = 0;
  std::int64_t orientation = 1;
  for (const StackPlane& plane : stacks.planes) {
    const TiffFormat& one = format_of(stacks, plane);
    has_palette |= one.photometric == PHOTOMETRIC_PALETTE;
    ignored |= one.ignored;
    if (orientation == 1) orientation = one.orientation;
  }
  if (has_palette) notes.emplace_back("its palette colours are ignored, indices are read");
  if (is_white_zero(format)) notes.push_back(said_of_white(stacks, labels));
  for (std::string& note : notes_of_ignored(ignored)) notes.push_back(std::move(note));
  if (orientation != 1)
    notes.push_back(fmt::format("its orientation (code {}) is ignored", orientation));
  if (thumbnails > 0)
    notes.push_back(fmt::format("{} thumbnails or pyramid levels are left out", thumbnails));
  if (const auto images = stacks.files[0]->index().sub_images; images > 0)
    notes.push_back(fmt::format("images in SubIFDs of its pages are left out ({})", images));
  constexpr double kOffset = 32768;
  if (const auto sparse = stacks.files[0]->index().sparse_blocks; sparse > 0)
    notes.push_back(fmt::format("{} of its strips or tiles hold no data, their pixels are {}",
                                sparse,
                                format.missing_value - (stacks.is_signed_by_offset ? kOffset : 0)));
}

}  // namespace

void refuse_stacks(const TiffStacks& stacks, const std::string& found_and_advice) {
  throw InvalidInput(fmt::format("open {}: {}", stacks.info.path.string(), found_and_advice));
}

std::int64_t stride_of_one_page(const TiffStacks& stacks, std::int64_t page, std::int64_t planes,
                                const char* said_by, const InputLimits& limits) {
  const TiffIndex& index = stacks.files[0]->index();
  const TiffFormat& format = index.format_of(page);
  const std::int64_t first = index.pages[static_cast<std::size_t>(page)].pixels_offset;
  if (first < 0)
    refuse_stacks(stacks, fmt::format("{} declares {} images but it has one page, which is "
                                      "compressed or tiled; save it again",
                                      said_by, planes));
  if (planes > limits.directories)
    refuse_stacks(stacks, fmt::format("it declares {} images, the limit is {}; raise it with "
                                      "--max-directories if you trust the file",
                                      planes, limits.directories));
  const std::int64_t bytes = format.sample_plane_bytes() * format.samples;
  if ((index.file.size() - first) / bytes < planes)
    refuse_stacks(
        stacks,
        fmt::format("{} declares {} images but only {} fit into its {} bytes; the file is "
                    "truncated, copy it again",
                    said_by, planes, (index.file.size() - first) / bytes, index.file.size()));
  return bytes;
}

void set_resolution(std::optional<double> x_unit_um, std::optional<double> y_unit_um,
                    TiffStacks& stacks) {
  const TiffIndex& index = stacks.files[0]->index();
  const bool has_unit =
      index.resolution_unit == RESUNIT_INCH || index.resolution_unit == RESUNIT_CENTIMETER;
  const double tag_um = index.resolution_unit == RESUNIT_INCH ? 25'400.0 : 10'000.0;
  const auto pitch = [&](std::optional<double> pixels_per_unit,
                         std::optional<double> unit_um) -> std::optional<double> {
    if (!pixels_per_unit || (!has_unit && !unit_um)) return std::nullopt;
    const double um = (has_unit ? tag_um : *unit_um) / *pixels_per_unit;
    // Screens and printers have 25 um and more: such tags were not set by a microscope
    constexpr double kFinestPrint = 20;
    if (has_unit && !unit_um && um > kFinestPrint) return std::nullopt;
    return um;
  };
  stacks.info.x_um = pitch(index.x_resolution, x_unit_um);
  stacks.info.y_um = pitch(index.y_resolution, y_unit_um);
}

namespace {

TiffStacks read_tiff_stacks(InputFile file, const OpenOptions& options) {
  TiffStacks stacks;
  ImageInfo& info = stacks.info;
  info.path = file.path();
  auto indexed = std::make_shared<TiffIndex>(std::move(file), options.limits);
  const std::string text = take_description(*indexed);
  stacks.files.push_back(std::make_shared<TiffPageReader>(std::move(indexed)));
  const TiffIndex& index = stacks.files[0]->index();
  const auto pages = full_size_pages(stacks);
  info.format = index.is_big ? "BigTIFF" : "TIFF";
  const AxesOfFile planes = place_planes(text, pages, options, stacks);

  // Check that the planes are one stack and say what they are
  check_alike(stacks);
  sort_planes(planes, options.axes, stacks);
  const TiffFormat& format = format_of(stacks, stacks.planes[0]);
  info.extent.y = format.height;
  info.extent.x = format.width;
  info.type = stacks.is_signed_by_offset ? PixelType::int16 : format.type;
  info.samples_per_pixel = format.samples;
  info.channels = stacks.page_channels * format.samples;
  info.compression = compression_name(format.compression);
  for (std::size_t i = 1; i < stacks.files.size(); ++i)
    info.further_files.push_back(stacks.files[i]->index().file.path());
  check_limits(stacks, options.limits);
  note_oddities(index.pages.size() - pages.size(), options.labels, stacks);
  stacks.as_stored |= options.labels;
  return stacks;
}

}  // namespace

ImageStacks read_tiff(ImageInput input, const OpenOptions& options) {
  const auto stacks =
      std::make_shared<const TiffStacks>(read_tiff_stacks(*std::move(input.file), options));
  const std::int64_t most = options.cache_bytes;
  return {stacks->info, [stacks, most](std::int64_t channel, std::int64_t frame) {
            return OpenImage{stacks->info, stacks->source(channel, frame, most),
                             stacks->buffer_bytes(channel, frame, most)};
          }};
}

}  // namespace synthoscope::imageio

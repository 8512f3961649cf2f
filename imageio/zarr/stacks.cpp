// SPDX-License-Identifier: MIT
#include "imageio/zarr/stacks.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cstring>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/run/memory_budget.hpp"
#include "imageio/chunks/reading.hpp"
#include "imageio/input/file.hpp"
#include "imageio/input/folder_files.hpp"
#include "imageio/zarr/array.hpp"
#include "imageio/zarr/ome_zarr.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

/// Not there, rather than out of reach.
bool is_missing(const std::error_code& failure) {
  return !failure || failure == std::errc::no_such_file_or_directory ||
         failure == std::errc::not_a_directory;
}

/// The chunks of one array.
class ZarrChunks final : public ChunkDecoder {
 public:
  ZarrChunks(fs::path folder, ZarrArray array, ArrayShape shape)
      : folder_{std::move(folder)}, array_{std::move(array)}, shape_{std::move(shape)} {}

  void read(std::int64_t number, std::vector<std::byte>& elements) const override {
    elements.resize(static_cast<std::size_t>(shape_.chunk_bytes()));
    const fs::path path = folder_ / array_.chunk_name(shape_.place_of(number));
    std::error_code failure;  // what cannot be looked at is opened, which says why
    if (!fs::exists(fs::symlink_status(path, failure)) && is_missing(failure))
      return fill(elements);
    const InputFile file{path};
    if (file.size() > most_stored_bytes(shape_.chunk_bytes())) refuse(path);
    std::vector<std::byte> packed(static_cast<std::size_t>(file.size()));
    file.read_at(0, packed);
    if (!unpack_chunk(array_.codec, packed, elements)) refuse(path);
  }

  [[nodiscard]] std::string name() const override { return folder_.string(); }

  [[nodiscard]] std::int64_t scratch_bytes() const override {
    const std::int64_t bytes = shape_.chunk_bytes();
    return most_stored_bytes(bytes) + unpacking_bytes(array_.codec, bytes);
  }

 private:
  void fill(std::vector<std::byte>& elements) const {
    for (std::size_t at = 0; at < elements.size(); at += array_.fill.size())
      std::memcpy(elements.data() + at, array_.fill.data(), array_.fill.size());
  }

  [[noreturn]] void refuse(const fs::path& path) const {
    throw InvalidInput(
        fmt::format("read {}: the chunk does not decompress to its {}; the file is truncated or "
                    "damaged: copy or create it again",
                    path.string(), print_bytes(shape_.chunk_bytes())));
  }

  fs::path folder_;
  ZarrArray array_;
  ArrayShape shape_;
};

/// Returns the array in a folder; nothing if there is none.
std::optional<ZarrArray> read_array(const fs::path& folder, const InputLimits& limits) {
  if (const auto text = read_description(folder / "zarr.json", limits)) {
    const auto json = try_parse_json(*text);
    const bool is_group = json && json->is_object() && json->value("node_type", Json()) == "group";
    if (is_group) return std::nullopt;
    return parse_zarr_array(*text, ZarrVersion::ome_0_5, folder);
  }
  if (const auto text = read_description(folder / ".zarray", limits))
    return parse_zarr_array(*text, ZarrVersion::ome_0_4, folder);
  return std::nullopt;
}

/// Where the array that is read is, and what is said of it.
struct Found {
  fs::path group;  ///< that the levels lie in
  fs::path folder;
  ZarrArray array;
  std::string axes, axes_by;  ///< letters, and who gave them
  OmeZarrLevel level;
  std::optional<OmeZarrImage> image;  ///< that it is a level of
};

/// The names of axes that xarray writes into the attributes of a Zarr 2 array.
std::vector<std::string> xarray_names(const fs::path& folder, const InputLimits& limits) {
  const auto text = read_description(folder / ".zattrs", limits);
  const auto json = text ? try_parse_json(*text) : std::nullopt;
  if (!json || !json->is_object()) return {};
  const auto names = json->find("_ARRAY_DIMENSIONS");
  if (names == json->end() || !names->is_array()) return {};
  std::vector<std::string> all;
  for (const Json& name : *names) all.push_back(name.is_string() ? name.get<std::string>() : "");
  return all;
}

void name_axes(const std::vector<std::string>& names, Found& found) {
  for (const std::string& name : names) found.axes += axis_letter(name);
  found.axes_by = fmt::format("its dimension names ({})", fmt::join(names, ", "));
}

/// The voxel size of a level of a pyramid is in the description of the folder around it.
Found found_array(const fs::path& folder, ZarrArray array, const InputLimits& limits) {
  Found found{folder.parent_path(),
              folder,
              std::move(array),
              "",
              "",
              {folder.filename().string(), {}, {}, {}},
              {}};
  name_axes(found.array.names.empty() ? xarray_names(folder, limits) : found.array.names, found);
  const auto around = read_ome_zarr(folder.parent_path(), limits);
  if (!around) return found;
  const auto level = std::ranges::find(around->levels, found.level.path, &OmeZarrLevel::path);
  if (level == around->levels.end()) return found;
  found.axes = around->axes;
  found.axes_by = "the OME-Zarr around it";
  found.level = *level;
  return found;
}

/// The largest level of the image `number` of a group; nothing if `folder` is not a group.
std::optional<Found> found_image(const fs::path& folder, std::int64_t number,
                                 const InputLimits& limits) {
  auto image = read_ome_zarr(folder, limits, number);
  if (!image) return std::nullopt;
  OmeZarrLevel level = image->levels.front();
  auto array = read_array(folder / level.path, limits);
  if (!array)
    throw InvalidInput(fmt::format("open {}: its array {} is missing; copy or create it again",
                                   folder.string(), level.path));
  std::string axes = image->axes;
  return Found{folder,          folder / level.path,     *std::move(array),
               std::move(axes), "its OME-Zarr metadata", std::move(level),
               std::move(image)};
}

Found find_array(const fs::path& folder, const OpenOptions& options, ImageInfo& info) {
  const InputLimits& limits = options.limits;
  if (auto found = found_image(folder, options.image.value_or(0), limits)) {
    if (found->image->images.size() > 1) info.images = found->image->images;
    choose_image(options.image, info);
    return *std::move(found);
  }
  const auto series = images_in_series(folder, limits);
  if (series.size() > 1) info.images = series;
  choose_image(options.image, info);
  if (!series.empty()) {
    const std::string& name = series[static_cast<std::size_t>(info.image)];
    if (auto found = found_image(folder / name, 0, limits)) {
      found->level.path = (fs::path{name} / found->level.path).string();
      return *std::move(found);
    }
  } else if (auto array = read_array(folder, limits)) {
    return found_array(folder, *std::move(array), limits);
  }
  throw InvalidInput(fmt::format(
      "open {}: this folder is neither an OME-Zarr image, a Zarr array nor a folder of TIFF or PNG "
      "planes; give one of them, or a file; in the folder of a data set, give one of its images, "
      "such as image.ome.tif",
      folder.string()));
}

/// What a folder may claim of its size.
void check_sizes(const Found& found, const ArrayShape& shape, const InputLimits& limits) {
  const auto refuse = [&](const std::string& said, const char* advice) {
    throw InvalidInput(fmt::format("open {}: it {}; {}", found.folder.string(), said, advice));
  };
  std::int64_t bytes = shape.element_bytes(), chunk = bytes;
  for (std::size_t i = 0; i < shape.shape.size(); ++i) {
    if (shape.shape[i] > limits.axis || shape.chunk[i] > limits.axis)
      refuse(fmt::format("is {} voxels long along one axis, in chunks of {}, the limit is {}",
                         shape.shape[i], shape.chunk[i], limits.axis),
             "raise it with --max-axis if you trust the file");
    if (__builtin_mul_overflow(bytes, shape.shape[i], &bytes) ||
        __builtin_mul_overflow(chunk, shape.chunk[i], &chunk))
      refuse("is larger than can be counted", "the file is damaged: create it again");
  }
  constexpr std::int64_t kAlwaysBelieved = std::int64_t{1} << 30;
  if (std::max(bytes, chunk) <= kAlwaysBelieved) return;
  const std::int64_t has = std::max<std::int64_t>(1, bytes_in(found.folder));
  if (static_cast<double>(std::max(bytes, chunk)) >
      limits.declared_to_file_ratio * static_cast<double>(has))
    refuse(fmt::format("declares {} in chunks of {}, the folder has {}", print_bytes(bytes),
                       print_bytes(chunk), print_bytes(has)),
           "raise the limit with --max-ratio if you trust it");
}

KnownAxes axes_of(const Found& found, const OpenOptions& options) {
  KnownAxes known =
      axes_of_array(found.folder, {found.array.shape, found.axes, found.axes_by}, options.axes);
  const std::int64_t channels = ArrayAxes::along(found.array.shape, known.places.c);
  if (channels > options.limits.channels)
    throw InvalidInput(fmt::format(
        "open {}: it has {} channels, the limit is {}; raise it with --max-channels if you trust "
        "the file",
        found.folder.string(), channels, options.limits.channels));
  return known;
}

const char* format_name(const Found& found) {
  const bool is_2 = found.array.version == ZarrVersion::ome_0_4;
  if (!found.image) return is_2 ? "Zarr 2" : "Zarr 3";
  return is_2 ? "OME-Zarr 0.4" : "OME-Zarr 0.5";
}

std::string codec_name(ChunkCodec codec) {
  constexpr NameTable<ChunkCodec, 5> kNames{{{ChunkCodec::none, "none"},
                                             {ChunkCodec::gzip, "gzip"},
                                             {ChunkCodec::zlib, "zlib"},
                                             {ChunkCodec::zstd, "zstd"},
                                             {ChunkCodec::blosc, "blosc"}}};
  return std::string{name_in(kNames, codec)};
}

/// Sizes of all levels of an image.
std::vector<Extent3> levels_of(const fs::path& folder, const OmeZarrImage& image,
                               const ArrayAxes& axes, const InputLimits& limits) {
  std::vector<Extent3> levels;
  for (const OmeZarrLevel& level : image.levels)
    if (const auto array = read_array(folder / level.path, limits))
      if (array->shape.size() == image.axes.size()) levels.push_back(axes.space(array->shape));
  return levels;
}

void describe(const Found& found, const KnownAxes& known, const InputLimits& limits,
              ImageInfo& info) {
  const ArrayAxes& axes = known.places;
  info.format = format_name(found);
  info.extent = axes.space(found.array.shape);
  info.type = found.array.type;
  info.channels = ArrayAxes::along(found.array.shape, axes.c);
  info.frames = ArrayAxes::along(found.array.shape, axes.t);
  info.axes = known.axes;
  info.axes_source = known.source;
  info.axes_assumed = known.is_assumed;
  info.z_um = found.level.z_um;
  info.y_um = found.level.y_um;
  info.x_um = found.level.x_um;
  info.compression = codec_name(found.array.codec);
  info.chunks = axes.space(found.array.chunk);
  info.data_set = found.level.path;
  if (!found.image) return;
  if (std::ssize(found.image->channels) == info.channels)
    info.channel_names = found.image->channels;
  info.levels = levels_of(found.group, *found.image, axes, limits);
  info.labels = found.image->labels;
  info.kernel_center = found.image->kernel_center;
}

}  // namespace

ImageStacks read_zarr(ImageInput input, const OpenOptions& options) {
  ImageInfo info;
  info.path = input.name.file;
  const Found found = find_array(info.path, options, info);
  const ArrayShape shape{found.array.type, found.array.stored, found.array.is_foreign_order,
                         found.array.shape, found.array.chunk};
  check_sizes(found, shape, options.limits);
  const KnownAxes known = axes_of(found, options);
  const ChunkReading reading{shape, known.places,
                             std::make_shared<const ZarrChunks>(found.folder, found.array, shape)};
  describe(found, known, options.limits, info);
  const std::int64_t most = options.cache_bytes;
  return {
      info, [info, reading, most](std::int64_t channel, std::int64_t frame) {
        return OpenImage{info, reading.source(channel, frame, most), reading.buffer_bytes(most)};
      }};
}

}  // namespace synthoscope::imageio

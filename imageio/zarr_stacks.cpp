// SPDX-License-Identifier: MIT
#include "imageio/zarr_stacks.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <utility>
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/memory_budget.hpp"
#include "imageio/folder_files.hpp"
#include "imageio/input_file.hpp"
#include "imageio/ome_zarr.hpp"
#include "imageio/zarr_array.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

/// Not there, rather than out of reach.
bool is_missing(const std::error_code& failure) {
  return !failure || failure == std::errc::no_such_file_or_directory ||
         failure == std::errc::not_a_directory;
}

/// More than any encoder makes of bytes that do not pack.
std::int64_t most_stored_bytes(const ArrayShape& array) {
  return 2 * array.chunk_bytes() + 4096;
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
    if (file.size() > most_stored_bytes(shape_)) refuse(path);
    std::vector<std::byte> packed(static_cast<std::size_t>(file.size()));
    file.read_at(0, packed);
    if (!unpack_chunk(array_.codec, packed, elements)) refuse(path);
  }

  [[nodiscard]] std::string name() const override { return folder_.string(); }

  [[nodiscard]] std::int64_t scratch_bytes() const override {
    return most_stored_bytes(shape_) + unpacking_bytes(array_.codec, shape_.chunk_bytes());
  }

 private:
  void fill(std::vector<std::byte>& elements) const {
    for (std::size_t at = 0; at < elements.size(); at += array_.fill.size())
      std::memcpy(elements.data() + at, array_.fill.data(), array_.fill.size());
  }

  [[noreturn]] void refuse(const fs::path& path) const {
    throw InvalidInput(fmt::format(
        "read {}: the chunk does not unpack to its {}; the file is truncated or broken, copy or "
        "make it again",
        path.string(), print_bytes(shape_.chunk_bytes())));
  }

  fs::path folder_;
  ZarrArray array_;
  ArrayShape shape_;
};

/// The array in a folder; nothing where there is none.
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
  fs::path folder;
  ZarrArray array;
  std::string axes;
  OmeZarrLevel level;
  std::optional<OmeZarrImage> image;  ///< that it is a level of
};

std::string letters_of(const ZarrArray& array) {
  std::string letters;
  for (const std::string& name : array.names) letters += name;
  if (!letters.empty()) return letters;  // others than these are refused with what they are
  return array.shape.size() == 2 ? "yx" : "zyx";
}

/// A level's voxel size is told by the folder around it.
Found found_array(const fs::path& folder, ZarrArray array, const InputLimits& limits) {
  Found found{folder, std::move(array), "", {folder.filename().string(), {}, {}, {}}, {}};
  found.axes = letters_of(found.array);
  const auto around = read_ome_zarr(folder.parent_path(), limits);
  if (!around) return found;
  const auto level = std::ranges::find(around->levels, found.level.path, &OmeZarrLevel::path);
  if (level == around->levels.end()) return found;
  found.axes = around->axes;
  found.level = *level;
  return found;
}

Found find_array(const fs::path& folder, const InputLimits& limits) {
  if (auto image = read_ome_zarr(folder, limits)) {
    OmeZarrLevel level = image->levels.front();
    auto array = read_array(folder / level.path, limits);
    if (!array)
      throw InvalidInput(fmt::format("open {}: its array {} is missing; copy or make it again",
                                     folder.string(), level.path));
    std::string axes = image->axes;
    return {folder / level.path, *std::move(array), std::move(axes), std::move(level),
            std::move(image)};
  }
  if (auto array = read_array(folder, limits))
    return found_array(folder, *std::move(array), limits);
  throw InvalidInput(fmt::format(
      "open {}: it is a folder and neither an OME-Zarr image nor an array of Zarr; give one of "
      "them, or a file",
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
      refuse("is larger than can be counted", "the file is broken, make it again");
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

ArrayAxes axes_of(const Found& found, const InputLimits& limits) {
  const auto axes = axes_named(found.axes);
  if (!axes || found.axes.size() != found.array.shape.size())
    throw InvalidInput(fmt::format(
        "open {}: the array has {} axes named '{}'; accepted are y, x or z, y, x, with t and c "
        "before them",
        found.folder.string(), found.array.shape.size(), found.axes));
  if (ArrayAxes::along(found.array.shape, axes->c) > limits.channels)
    throw InvalidInput(fmt::format(
        "open {}: it has {} channels, the limit is {}; raise it with --max-channels if you trust "
        "the file",
        found.folder.string(), ArrayAxes::along(found.array.shape, axes->c), limits.channels));
  return *axes;
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

ImageInfo describe(const fs::path& folder, const Found& found, const ChunkReading& reading,
                   const InputLimits& limits) {
  const ArrayAxes& axes = reading.axes;
  ImageInfo info;
  info.path = folder;
  info.format = format_name(found);
  info.extent = axes.space(found.array.shape);
  info.type = found.array.type;
  info.channels = ArrayAxes::along(found.array.shape, axes.c);
  info.frames = ArrayAxes::along(found.array.shape, axes.t);
  info.z_um = found.level.z_um;
  info.y_um = found.level.y_um;
  info.x_um = found.level.x_um;
  info.compression = codec_name(found.array.codec);
  info.chunks = axes.space(found.array.chunk);
  info.data_set = found.level.path;
  if (!found.image) return info;
  info.levels = levels_of(folder, *found.image, axes, limits);
  info.labels = found.image->labels;
  info.kernel_center = found.image->kernel_center;
  return info;
}

}  // namespace

ZarrStacks read_zarr_stacks(const fs::path& folder, const InputLimits& limits) {
  const Found found = find_array(folder, limits);
  const ArrayShape shape{found.array.type, found.array.stored, found.array.is_foreign_order,
                         found.array.shape, found.array.chunk};
  check_sizes(found, shape, limits);
  ZarrStacks stacks;
  stacks.reading = {shape, axes_of(found, limits),
                    std::make_shared<const ZarrChunks>(found.folder, found.array, shape)};
  stacks.info = describe(folder, found, stacks.reading, limits);
  return stacks;
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "imageio/small/plane_folder.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "imageio/small/png_source.hpp"
#include "imageio/tiff/planes/stacks.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlaneExtensions[] = {".tif", ".tiff", ".png"};

/// Removes the number at the beginning of `text` and returns its digits without leading zeros.
std::string_view take_number(std::string_view& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto end = std::ranges::find_if_not(text, is_digit) - text.begin();
  std::string_view digits = text.substr(0, static_cast<std::size_t>(end));
  text.remove_prefix(digits.size());
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

/// Compares names as people sort them: numbers by value, other characters one by one.
bool comes_before(std::string_view a, std::string_view b) {
  const auto begins_with_digit = [](std::string_view text) {
    return !text.empty() && text.front() >= '0' && text.front() <= '9';
  };
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (begins_with_digit(a) && begins_with_digit(b)) {
      const std::string_view m = take_number(a), n = take_number(b);
      if (m != n) return std::pair{m.size(), m} < std::pair{n.size(), n};
    } else if (a.front() != b.front()) {
      return a.front() < b.front();
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // "7" and "07"
}

bool is_plane_file(const fs::directory_entry& entry) {
  std::error_code ignored;
  const bool is_hidden = entry.path().filename().string().starts_with('.');
  return !is_hidden && has_extension(entry.path(), kPlaneExtensions) &&
         entry.is_regular_file(ignored);
}

/// The files of all planes in the order of z.
std::vector<fs::path> plane_files(const fs::path& folder) try {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator{folder})
    if (is_plane_file(entry)) files.push_back(entry.path());
  std::ranges::sort(files, [](const fs::path& a, const fs::path& b) {
    return comes_before(a.filename().string(), b.filename().string());
  });
  return files;
} catch (const fs::filesystem_error& failure) {
  throw IoError(fmt::format("open {}: {}; make the folder readable", folder.string(),
                            failure.code().message()));
}

/// All channels of one file.
ImageStacks read_plane(const fs::path& path, const OpenOptions& options) {
  ImageInput input{{path, ""}, InputFile{path}};
  return is_png(*input.file) ? read_png(std::move(input), options)
                             : read_tiff(std::move(input), options);
}

[[noreturn]] void refuse_planes(const fs::path& path, const std::string& found_and_advice) {
  throw InvalidInput(fmt::format("open {}: {}", path.string(), found_and_advice));
}

/// "64x80 voxels of uint8 in 1 channel".
std::string kind_of(const ImageInfo& plane) {
  return fmt::format("{}x{} voxels of {} in {} channel{}", plane.extent.y, plane.extent.x,
                     name_of(plane.type), plane.channels, plane.channels == 1 ? "" : "s");
}

void require_plane(const ImageInfo& plane) {
  const std::int64_t others = plane.frames * plane.channels / plane.samples_per_pixel;
  if (plane.extent.z > 1 || others > 1 || plane.images.size() > 1)
    refuse_planes(
        plane.path,
        fmt::format("it holds {} planes, {} channels and {} frames, but every file of a folder "
                    "that is read as an image holds one plane; give a file alone instead of the "
                    "folder",
                    plane.extent.z, plane.channels, plane.frames));
}

void require_alike(const ImageInfo& first, const ImageInfo& plane) {
  if (kind_of(plane) == kind_of(first)) return;
  refuse_planes(
      plane.path.parent_path(),
      fmt::format("its files are not planes of one image: {} has {}, {} has {}; give a folder "
                  "whose files are alike, or a file",
                  first.path.filename().string(), kind_of(first), plane.path.filename().string(),
                  kind_of(plane)));
}

void add_notes(const ImageInfo& plane, std::vector<std::string>& notes) {
  for (const std::string& note : plane.notes)
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

/// A folder whose headers were read.
struct PlaneFolder {
  ImageInfo info;
  std::vector<fs::path> files;
  OpenOptions opening;     ///< of each file
  std::int64_t slots = 1;  ///< files that may be open at once
  std::int64_t slot_bytes = 0;
};

/// Reads one channel. A plane is opened when it is read, in the slot that its number gives; threads
/// that read planes of one slot wait for each other.
class PlaneFolderSource final : public Source {
 public:
  PlaneFolderSource(std::shared_ptr<const PlaneFolder> folder, std::int64_t channel)
      : folder_{std::move(folder)},
        channel_{channel},
        slots_(static_cast<std::size_t>(folder_->slots)) {}

  [[nodiscard]] Extent3 extent() const override { return folder_->info.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return folder_->info.type; }

  void read(const Box3& box, VoxelView out) override {
    SYNTHOSCOPE_ASSERT(box.size, ==, out.extent());
    const std::int64_t plane_bytes = box.size.y * out.pitch() * size_of(out.type());
    const Extent3 size{1, box.size.y, box.size.x};
    for (std::int64_t z = 0; z < box.size.z; ++z) {
      const std::int64_t plane = box.origin.z + z;
      Slot& slot = slots_[static_cast<std::size_t>(plane % folder_->slots)];
      const std::lock_guard lock{slot.mutex};
      open(plane, slot);
      slot.source->read({{0, box.origin.y, box.origin.x}, size},
                        {out.data() + z * plane_bytes, out.type(), size, out.pitch()});
    }
  }

 private:
  struct Slot {
    std::mutex mutex;
    std::int64_t plane = -1;
    std::unique_ptr<Source> source;
  };

  void open(std::int64_t plane, Slot& slot) const {
    if (slot.plane == plane) return;
    slot.plane = -1;
    slot.source.reset();  // its memory is released before the next plane needs it
    const fs::path& path = folder_->files[static_cast<std::size_t>(plane)];
    const ImageStacks stacks = read_plane(path, folder_->opening);
    const ImageInfo& info = folder_->info;
    if (stacks.info.extent != Extent3{1, info.extent.y, info.extent.x} ||
        stacks.info.type != info.type || stacks.info.channels != info.channels)
      throw InputChanged(
          fmt::format("read {}: it is no longer the file that was opened; run the command again",
                      path.string()));
    slot.source = stacks.open(channel_, 0).source;
    slot.plane = plane;
  }

  std::shared_ptr<const PlaneFolder> folder_;
  std::int64_t channel_;
  std::vector<Slot> slots_;
};

/// Reads every header once, and finds the most memory that the reader of one plane holds.
void read_headers(const OpenOptions& options, PlaneFolder& folder) {
  std::int64_t held = 0, parsing = 0;
  for (const fs::path& file : folder.files) {
    // Parsing counts against the caller's budget now; when a plane is opened again, it is a part of
    // what this reader holds
    MemoryBudget* const whole = options.limits.memory;
    MemoryBudget counting = whole ? MemoryBudget{*whole, whole->limit()}
                                  : MemoryBudget{std::numeric_limits<std::int64_t>::max()};
    OpenOptions opening = folder.opening;
    opening.limits.memory = &counting;
    const ImageStacks stacks = read_plane(file, opening);
    const ImageInfo& plane = stacks.info;
    require_plane(plane);
    if (folder.info.path.empty()) folder.info = plane;
    require_alike(folder.info, plane);
    add_notes(plane, folder.info.notes);
    for (std::int64_t channel = 0; channel < plane.channels; ++channel)
      held = std::max(held, stacks.open(channel, 0).buffer_bytes);
    parsing = std::max(parsing, counting.peak());
  }
  folder.slot_bytes = held + parsing;
}

/// What the first plane says, for the whole folder.
void describe(const fs::path& path, PlaneFolder& folder) {
  ImageInfo& info = folder.info;
  info.path = path;
  info.format = fmt::format("folder of planes, {}", info.format);
  info.extent.z = std::ssize(folder.files);
  info.z_um.reset();
  info.kernel_center.reset();
  info.axes = {{'Z', info.extent.z}, {'Y', info.extent.y}, {'X', info.extent.x}};
  if (info.samples_per_pixel > 1) info.axes.push_back({'S', info.samples_per_pixel});
  info.axes_source = "z by the names of its files";
  info.axes_assumed = false;
}

}  // namespace

bool is_plane_folder(const fs::path& folder) {
  std::error_code failure;
  for (const char* other : {".zgroup", ".zarray", "zarr.json", "scene.json"})
    if (fs::exists(folder / other, failure)) return false;
  for (fs::directory_iterator entry{folder, failure}, end; !failure && entry != end;
       entry.increment(failure))
    if (is_plane_file(*entry)) return true;
  return false;
}

ImageStacks read_plane_folder(ImageInput input, const OpenOptions& options) {
  constexpr std::int64_t kMostSlots = 16;
  const fs::path& path = input.name.file;
  const auto folder = std::make_shared<PlaneFolder>();
  folder->files = plane_files(path);
  if (std::ssize(folder->files) > options.limits.axis)
    refuse_planes(
        path, fmt::format("it holds {} planes, the limit is {}; raise it with --max-axis if you "
                          "trust the folder",
                          folder->files.size(), options.limits.axis));
  folder->opening.limits = options.limits;
  folder->opening.limits.memory = nullptr;
  folder->opening.labels = options.labels;
  folder->opening.cache_bytes = options.cache_bytes / kMostSlots;
  read_headers(options, *folder);
  describe(path, *folder);
  folder->slots = std::clamp<std::int64_t>(
      options.cache_bytes / std::max<std::int64_t>(1, folder->slot_bytes), 1, kMostSlots);
  return {folder->info, [folder](std::int64_t channel, std::int64_t) {
            return OpenImage{folder->info, std::make_unique<PlaneFolderSource>(folder, channel),
                             folder->slots * folder->slot_bytes};
          }};
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <vector>
#include "core/base/assert.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/round_up.hpp"
#include "core/run/task_pool.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/tiff/writing/directory.hpp"
#include "imageio/tiff/writing/layout.hpp"
#include "imageio/tiff/writing/sinks.hpp"
#include "imageio/tiff/writing/strip_coder.hpp"

namespace synthoscope::imageio {
namespace {

std::int64_t strips_of(const ImageSpec& spec) {
  const std::int64_t rows = rows_per_strip(spec);
  return (spec.extent.y + rows - 1) / rows;
}

/// A strip as it comes, compressed, and once more inside libtiff, with the codec's tables.
std::int64_t strip_slot_bytes(const ImageSpec& spec) {
  const std::int64_t strip = rows_per_strip(spec) * spec.extent.x * size_of(spec.type);
  return 2 * strip + largest_strip(spec.compression, strip) + codec_bytes(spec.compression);
}

/// Strips compressed together, by threads that share them. Not a matter of the number of threads:
/// what is held must be known before anything is planned, and plans do not depend on it.
std::int64_t strips_at_once(const ImageSpec& spec) {
  constexpr std::int64_t kMax = 64;
  if (!spec.pool) return 1;
  const std::int64_t fitting =
      std::max<std::int64_t>(1, spec.buffer_bytes / strip_slot_bytes(spec));
  return std::min({kMax, fitting, strips_of(spec) * spec.extent.z});
}

/// What does not compress grows a little.
bool is_big(const ImageSpec& spec) {
  const std::int64_t payload = volume(spec.extent) * size_of(spec.type);
  const std::int64_t largest = largest_strip(spec.compression, payload);
  return needs_bigtiff(spec, largest + spec.extent.z * strips_of(spec) * 16);
}

/// Layout: head | directory, strips | directory, strips | ... The size of a directory is known
/// before its strips are, so that everything is written once, in order, and a file that is cut
/// after a plane can be continued.
class CompressedTiff final : public ImageFile {
 public:
  CompressedTiff(const std::filesystem::path& path, const ImageSpec& spec,
                 Leftover leftover = Leftover::discard)
      : spec_{spec},
        rows_{rows_per_strip(spec)},
        head_{put_head(head_bytes_, spec, describe(spec, path.filename().string(), {}),
                       is_big(spec))},
        end_{head_.end},
        file_{path, spec.overwrite, leftover},
        slots_(static_cast<std::size_t>(strips_at_once(spec))) {
    if (leftover == Leftover::discard) file_.write_at(0, head_bytes_);
  }

  [[nodiscard]] Extent3 extent() const override { return spec_.extent; }
  [[nodiscard]] PixelType pixel_type() const override { return spec_.type; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::planes_in_order; }

  void write(const Box3& box, ConstVoxelView voxels) override {
    SYNTHOSCOPE_ASSERT(box, ==,
                       (Box3{{next_z_, 0, 0}, {box.size.z, spec_.extent.y, spec_.extent.x}}));
    SYNTHOSCOPE_ASSERT(box.size, ==, voxels.extent());
    SYNTHOSCOPE_ASSERT(name_of(spec_.type), ==, name_of(voxels.type()));
    const std::int64_t strips = box.size.z * strips_of(spec_), at_once = std::ssize(slots_);
    for (std::int64_t first = 0; first < strips; first += at_once) {
      const std::int64_t count = std::min(at_once, strips - first);
      const auto compress = [&](std::int64_t i) {
        compress_into(slots_[static_cast<std::size_t>(i)], voxels, first + i);
      };
      if (spec_.pool)
        spec_.pool->finish_each(count, compress);
      else
        for (std::int64_t i = 0; i < count; ++i) compress(i);
      for (std::int64_t i = 0; i < count; ++i)
        append(slots_[static_cast<std::size_t>(i)].compressed);
    }
  }

  /// Planes are appended, so the end of the last one is all there is to know.
  [[nodiscard]] std::string checkpoint() override {
    SYNTHOSCOPE_ASSERT(std::ssize(offsets_), ==, 0);
    return text_of({{"planes", next_z_}, {"bytes", end_}, {"sum", sum_.value()}, {"kind", kind()}});
  }
  [[nodiscard]] std::int64_t written() const override { return end_; }
  void sync() override { file_.sync(); }
  void keep(bool is_kept) noexcept override { file_.keep(is_kept); }

  void resume_from(const std::string& state) {
    std::int64_t bytes = -1, sum = -1;
    std::string began_as;
    try {
      const auto json = parse_json(state);
      next_z_ = whole_of(json.at("planes"));
      bytes = whole_of(json.at("bytes"));
      sum = whole_of(json.at("sum"));
      began_as = json.at("kind").get<std::string>();
    } catch (const Json::exception&) {
      refuse_to_resume();
    }
    if (began_as != kind() || next_z_ < 0 || next_z_ > spec_.extent.z || bytes < head_.end)
      refuse_to_resume();
    std::vector<std::byte> head(head_bytes_.size());
    if (bytes > file_.size() || file_.read_some(0, head) != head.size() || head != head_bytes_ ||
        sum_of_file(file_, head_.end, bytes, spec_.stop) != ContentSum{sum})
      refuse_leftover(file_.path());
    end_ = bytes;
    sum_ = ContentSum{sum};
    file_.truncate(end_);
  }

  void close() override {
    SYNTHOSCOPE_ASSERT(next_z_, ==, spec_.extent.z);
    file_.commit();
  }

 private:
  struct Slot {
    std::vector<std::byte> voxels, compressed;
  };

  /// The head does not determine the kind of planes: new planes must be of the same kind as earlier
  /// ones.
  [[nodiscard]] std::string kind() const {
    return fmt::format("{} {} {} {}", spec_.extent, name_of(spec_.type),
                       compression_code(spec_.compression), rows_);
  }
  [[nodiscard]] bool has_predictor() const { return predictor_code(spec_) != 1; }
  [[nodiscard]] std::int64_t directory_size() const {
    return directory_bytes(head_, next_z_ == 0, strips_of(spec_), has_predictor());
  }

  /// Strip `index` of the box that `voxels` are. The coder changes what it is given: it gets a
  /// copy.
  void compress_into(Slot& slot, ConstVoxelView voxels, std::int64_t index) const {
    const std::int64_t z = index / strips_of(spec_), y = index % strips_of(spec_) * rows_;
    const std::int64_t rows = std::min(rows_, spec_.extent.y - y);
    const std::int64_t voxel = size_of(spec_.type), row_bytes = spec_.extent.x * voxel;
    slot.voxels.clear();
    for (std::int64_t i = y; i < y + rows; ++i) {
      const auto* row = voxels.data() + (z * spec_.extent.y + i) * voxels.pitch() * voxel;
      slot.voxels.insert(slot.voxels.end(), row, row + row_bytes);
    }
    compress_strip(spec_, rows, slot.voxels, slot.compressed);
  }

  void put(std::int64_t at, std::span<const std::byte> bytes) {
    file_.write_at(at, bytes);
    sum_.add(at, bytes);
  }

  void append(const std::vector<std::byte>& strip) {
    if (offsets_.empty()) end_ += directory_size();
    put(end_, strip);
    offsets_.push_back(end_);
    bytes_.push_back(std::ssize(strip));
    end_ += std::ssize(strip);
    if (std::ssize(offsets_) == strips_of(spec_)) finish_plane();
  }

  /// Writes the directory into the space reserved before its strips; the next directory follows the
  /// strips.
  void finish_plane() {
    constexpr std::int64_t kWord = 8;
    constexpr std::array<std::byte, kWord> kPadding{};
    const std::int64_t aligned = round_up(end_, kWord);
    put(end_, std::span{kPadding}.first(static_cast<std::size_t>(aligned - end_)));
    end_ = aligned;
    const std::int64_t at = offsets_.front() - directory_size();
    const bool is_last = next_z_ + 1 == spec_.extent.z;
    directory_.clear();
    put_directory(directory_, spec_, head_, next_z_ == 0,
                  {.compression = compression_code(spec_.compression),
                   .predictor = predictor_code(spec_),
                   .rows = rows_,
                   .offsets = offsets_,
                   .bytes = bytes_},
                  at, is_last ? 0 : end_);
    put(at, directory_);
    offsets_.clear();
    bytes_.clear();
    ++next_z_;
  }

  [[noreturn]] void refuse_to_resume() const {
    throw InvalidSpec(fmt::format(
        "resume {}: the unfinished file is a different one; start over without --resume",
        file_.path().string()));
  }

  ImageSpec spec_;
  std::int64_t rows_;
  std::vector<std::byte> head_bytes_;
  TiffHead head_;
  std::int64_t end_;  ///< of the file; the next directory or strip comes here
  PartialFile file_;
  ContentSum sum_;  ///< of what lies behind the head
  std::vector<Slot> slots_;
  std::vector<std::byte> directory_;
  std::vector<std::int64_t> offsets_, bytes_;  ///< strips of the plane that is under way
  std::int64_t next_z_ = 0;
};

}  // namespace

std::unique_ptr<ImageFile> create_compressed_tiff(const std::filesystem::path& path,
                                                  const ImageSpec& spec) {
  if (!can_compress(spec.compression))
    throw InvalidSpec(
        fmt::format("create {}: this libtiff was built without this compression; choose "
                    "--compression none or deflate",
                    path.string()));
  return std::make_unique<CompressedTiff>(path, spec);
}

std::unique_ptr<ImageFile> resume_compressed_tiff(const std::filesystem::path& path,
                                                  const ImageSpec& spec, const std::string& state) {
  return resume_file<CompressedTiff>(path, spec, state);
}

std::int64_t compressed_tiff_bytes(const ImageSpec& spec) {
  return strips_at_once(spec) * strip_slot_bytes(spec);
}

}  // namespace synthoscope::imageio

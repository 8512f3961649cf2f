// SPDX-License-Identifier: MIT
#include "imageio/bdv/writer.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <utility>
#include <vector>
#include "core/base/error.hpp"
#include "core/run/stop.hpp"
#include "imageio/bdv/making.hpp"
#include "imageio/bdv/xml.hpp"
#include "imageio/chunks/compressed_chunks.hpp"
#include "imageio/chunks/log.hpp"
#include "imageio/chunks/pyramid.hpp"
#include "imageio/hdf5/writing/data_set.hpp"
#include "imageio/hdf5/writing/writer.hpp"
#include "imageio/image/name.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

/// Returns whether the XML has its final name but the HDF5 file has not: a run was killed between
/// the two renames, and is resumed or started again.
bool is_left_over(const fs::path& xml, const fs::path& images) {
  std::error_code ignored;
  if (fs::exists(images, ignored) || !fs::exists(partial_path(images), ignored)) return false;
  const InputFile file{xml};
  return is_bdv_xml(file) &&
         read_bdv_xml(file, {}).images.lexically_normal() == images.lexically_normal();
}

bool may_replace_xml(const fs::path& images, bool overwrite) {
  const fs::path xml = bdv_xml_path(images);
  std::error_code ignored;
  return overwrite || (fs::exists(xml, ignored) && is_left_over(xml, images));
}

/// The older XML that the new one replaces, kept until the new HDF5 file has its final name.
class OlderXml {
 public:
  /// @throws IoError  it cannot be kept.
  explicit OlderXml(const fs::path& xml) : xml_{xml}, kept_{partial_path(xml) += kSuffix} {
    std::error_code failure;
    if (fs::exists(kept_, failure)) return;  // by a run that was killed, and older than the XML
    if (!fs::exists(xml_, failure)) return;
    fs::create_hard_link(xml_, kept_, failure);
    if (failure) fs::copy_file(xml_, kept_, failure);
    if (!failure) return;
    std::error_code ignored;
    fs::remove(kept_, ignored);
    fail_write(kept_, failure.value(), 0);
  }
  OlderXml(const OlderXml&) = delete;
  OlderXml& operator=(const OlderXml&) = delete;
  ~OlderXml() {
    std::error_code ignored;
    fs::remove(kept_, ignored);
  }

  /// It has its name again; where there was none, nothing has it.
  void put_back() const noexcept {
    std::error_code ignored;
    if (fs::exists(kept_, ignored))
      fs::rename(kept_, xml_, ignored);
    else
      fs::remove(xml_, ignored);
  }

 private:
  static constexpr const char* kSuffix = ".older";
  fs::path xml_, kept_;
};

/// Numbers of chunks in the log: the whole image first, then level by level.
class BdvChunkStore final : public ChunkStore, private PyramidChunks {
 public:
  BdvChunkStore(const fs::path& path, const ImageSpec& spec, std::int64_t at_once)
      : BdvChunkStore{path, spec, at_once, Leftover::discard} {
    log_ = std::make_unique<ChunkLog>(chunk_log_path(path), bdv_chunks(levels_));
  }

  BdvChunkStore(const fs::path& path, const ImageSpec& spec, std::int64_t at_once,
                const ChunkLogState& log)
      : BdvChunkStore{path, spec, at_once, Leftover::resume} {
    log_ = std::make_unique<ChunkLog>(chunk_log_path(path), bdv_chunks(levels_), log, spec.stop);
  }

  void add(std::int64_t number, std::span<const std::byte> voxels) override {
    write(0, number, voxels);
  }
  [[nodiscard]] bool holds(std::int64_t count, std::int64_t sum) override {
    return sum == 0 && log_->has_chunks(count);
  }

  void build() override {
    build_pyramid(spec_.extent, grid_of(spec_).chunk, spec_.type,
                  spec_.labels ? Shrink::mode : Shrink::mean, at_once_, spec_.pool, spec_.stop,
                  *this);
    std::vector<std::byte> packed;
    build_bdv(file_, levels_, log_->chunk_bytes(), [&](std::int64_t number) {
      if (spec_.stop) spec_.stop->check();
      log_->read_chunk(number, packed);
      return std::span<const std::byte>{packed};
    });
    const std::string text = print_bdv_xml(spec_, file_.path().filename());
    xml_.truncate(0);
    xml_.write_at(0, std::as_bytes(std::span{text}));
    is_built_ = true;
  }

  void sync() override {
    log_->sync();
    if (!is_built_) return;
    file_.sync();
    xml_.sync();
  }
  void keep(bool is_kept) noexcept override {
    file_.keep(is_kept);
    xml_.keep(is_kept);
    if (log_) log_->keep(is_kept);
  }
  void commit() override {
    file_.sync();
    const OlderXml older{xml_.path()};
    try {
      xml_.commit();
      file_.commit();
    } catch (...) {  // no XML may describe images that did not get their final name
      std::error_code ignored;
      if (fs::exists(partial_path(file_.path()), ignored)) older.put_back();
      throw;
    }
    log_->keep(false);
    log_.reset();
  }
  [[nodiscard]] ChunkLog& log() override { return *log_; }

 private:
  BdvChunkStore(const fs::path& path, const ImageSpec& spec, std::int64_t at_once,
                Leftover leftover)
      : spec_{spec},
        levels_{bdv_level_specs(spec)},
        at_once_{at_once},
        file_{path, spec.overwrite, leftover},
        // Written anew when the images are built
        xml_{bdv_xml_path(path), may_replace_xml(path, spec.overwrite), Leftover::discard} {}

  [[nodiscard]] std::int64_t number_of(std::size_t level, std::int64_t number) const {
    return number + bdv_chunks({levels_.data(), level});
  }
  void read(std::size_t level, std::int64_t number, std::span<std::byte> voxels) override {
    std::vector<std::byte> packed;
    log_->read_chunk(number_of(level, number), packed);
    if (!unpack_hdf5_chunk(levels_[level], packed, voxels))
      throw IoError(fmt::format("read {}: its content is not what was written; check the disk",
                                chunk_log_path(file_.path()).string()));
  }
  void write(std::size_t level, std::int64_t number, std::span<const std::byte> voxels) override {
    std::vector<std::byte> packed;
    pack_hdf5_chunk(levels_[level], voxels, packed);
    log_->add_chunk(number_of(level, number), packed);
  }

  ImageSpec spec_;
  std::vector<ImageSpec> levels_;
  std::int64_t at_once_;
  PartialFile file_, xml_;
  std::unique_ptr<ChunkLog> log_;
  bool is_built_ = false;
};

/// A chunk of a level is made, packed and, for the next, read again.
std::int64_t bdv_slot_bytes(const ImageSpec& spec) {
  return pyramid_slot_bytes(grid_of(spec)) + hdf5_packing_bytes(spec);
}

std::int64_t bdv_slots(const ImageSpec& spec) {
  return std::clamp<std::int64_t>(spec.buffer_bytes / bdv_slot_bytes(spec), 1,
                                  grid_of(spec).chunks());
}

}  // namespace

fs::path bdv_xml_path(const fs::path& images) {
  return fs::path{images}.replace_extension(".xml");
}

void require_new_bdv_xml(const fs::path& images, bool overwrite) {
  const fs::path xml = bdv_xml_path(images);
  refuse_existing(xml, may_replace_xml(images, overwrite));
  std::error_code ignored;
  if (fs::exists(xml, ignored) && !is_bdv_xml(InputFile{xml}))
    throw InvalidSpec(fmt::format(
        "write {}: it is not an XML file of BigDataViewer, and is not replaced; choose another "
        "name for {}",
        xml.string(), images.string()));
}

void check_bdv(const fs::path& path, const ImageSpec& spec) {
  const ImageName name = image_name(path);
  const auto refuse = [&](const std::string& found, const char* advice) {
    throw InvalidSpec(fmt::format("create {}: {}; {}", name.file.string(), found, advice));
  };
  if (!name.data_set.empty())
    refuse("BigDataViewer prescribes the names of its HDF5 arrays",
           "leave it out of the file's name");
  if (!has_hdf5_name(name.file))
    refuse("files of BigDataViewer end in .h5, with an .xml next to them",
           "give a name that ends in .h5");
  if (spec.type != PixelType::uint8 && spec.type != PixelType::uint16 &&
      spec.type != PixelType::float32)
    refuse(fmt::format("BigDataViewer's HDF5 holds uint8, uint16 and float32, not {}",
                       name_of(spec.type)),
           "choose another --output-type or another --format");
  check_hdf5(name.file, spec);
  check_chunks(name.file, spec);
}

std::unique_ptr<ImageFile> create_bdv(const fs::path& given, const ImageSpec& spec) {
  const fs::path path = file_of(given);
  require_new_bdv_xml(path, spec.overwrite);
  const std::int64_t slots = bdv_slots(spec);
  return create_compressed_chunks(spec, slots, std::make_unique<BdvChunkStore>(path, spec, slots));
}

std::unique_ptr<ImageFile> resume_bdv(const fs::path& given, const ImageSpec& spec,
                                      const std::string& state) {
  const fs::path path = file_of(given);
  require_new_bdv_xml(path, spec.overwrite);
  const ImageName name{path, ""};
  const auto begun = read_compressed_state(name, spec, state);
  const std::int64_t slots = bdv_slots(spec);
  return resume_compressed_chunks(name, spec, slots, begun,
                                  std::make_unique<BdvChunkStore>(path, spec, slots, begun.log));
}

std::int64_t bdv_bytes(const ImageSpec& spec) {
  const auto levels = bdv_level_specs(spec);
  const std::int64_t slots = spec.pool ? bdv_slots(spec) : 1;
  return compressed_chunks_bytes(spec) + ChunkLog::bytes_for(bdv_chunks(levels)) +
         slots * bdv_slot_bytes(spec);
}

std::int64_t bdv_reading_bytes(const ImageSpec& spec) {
  return hdf5_chunk_reading_bytes(spec);
}

}  // namespace synthoscope::imageio

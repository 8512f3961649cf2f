// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>
#include "core/run/stop.hpp"
#include "imageio/chunks/compressed_chunks.hpp"
#include "imageio/chunks/log.hpp"
#include "imageio/chunks/state.hpp"
#include "imageio/hdf5/writing/data_set.hpp"
#include "imageio/hdf5/writing/layout.hpp"
#include "imageio/hdf5/writing/sinks.hpp"

namespace synthoscope::imageio {
namespace {

/// A chunk, and what packing it takes.
std::int64_t chunk_slot_bytes(const ImageSpec& spec) {
  return grid_of(spec).chunk_bytes() + hdf5_packing_bytes(spec);
}

std::int64_t chunks_at_once(const ImageSpec& spec) {
  const ChunkGrid grid = grid_of(spec);
  return std::clamp<std::int64_t>(spec.buffer_bytes / chunk_slot_bytes(spec), 1,
                                  grid.count.y * grid.count.x);
}

/// Chunks go to a log, and from there to the file that the library makes.
class Hdf5ChunkStore final : public ChunkStore {
 public:
  Hdf5ChunkStore(const ImageName& name, const ImageSpec& spec)
      : spec_{spec},
        data_set_{name.data_set},
        file_{name.file, spec.overwrite},
        log_{std::make_unique<ChunkLog>(chunk_log_path(name.file), grid_of(spec).chunks())} {}

  Hdf5ChunkStore(const ImageName& name, const ImageSpec& spec, const ChunkLogState& log)
      : spec_{spec},
        data_set_{name.data_set},
        file_{name.file, spec.overwrite, Leftover::resume},
        log_{std::make_unique<ChunkLog>(chunk_log_path(name.file), grid_of(spec).chunks(), log,
                                        spec.stop)} {}

  void add(std::int64_t number, std::span<const std::byte> voxels) override {
    std::vector<std::byte> packed;
    pack_hdf5_chunk(spec_, voxels, packed);
    log_->add_chunk(number, packed);
  }
  [[nodiscard]] bool holds(std::int64_t count, std::int64_t sum) override {
    return sum == 0 && log_->has_chunks(count);
  }

  void build() override {
    std::vector<std::byte> bytes;
    build_hdf5(file_, data_set_, spec_, log_->chunk_bytes(), [&](std::int64_t number) {
      if (spec_.stop) spec_.stop->check();
      log_->read_chunk(number, bytes);
      return std::span<const std::byte>{bytes};
    });
    is_built_ = true;
  }

  void sync() override {
    log_->sync();
    if (is_built_) file_.sync();
  }
  void keep(bool is_kept) noexcept override {
    file_.keep(is_kept);
    if (log_) log_->keep(is_kept);
  }
  void commit() override {
    file_.commit();
    log_->keep(false);
    log_.reset();
  }
  [[nodiscard]] ChunkLog& log() override { return *log_; }

 private:
  ImageSpec spec_;
  std::string data_set_;
  PartialFile file_;
  std::unique_ptr<ChunkLog> log_;
  bool is_built_ = false;
};

}  // namespace

std::int64_t compressed_hdf5_bytes(const ImageSpec& spec) {
  const std::int64_t slots = spec.pool ? chunks_at_once(spec) : 1;
  return compressed_chunks_bytes(spec) + slots * chunk_slot_bytes(spec);
}

std::unique_ptr<ImageFile> create_compressed_hdf5(const ImageName& name, const ImageSpec& spec) {
  return create_compressed_chunks(spec, chunks_at_once(spec),
                                  std::make_unique<Hdf5ChunkStore>(name, spec));
}

std::unique_ptr<ImageFile> resume_compressed_hdf5(const ImageName& name, const ImageSpec& spec,
                                                  const std::string& state) {
  const auto begun = read_compressed_state(name, spec, state);
  return resume_compressed_chunks(name, spec, chunks_at_once(spec), begun,
                                  std::make_unique<Hdf5ChunkStore>(name, spec, begun.log));
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
// imageio/compressed_chunks.hpp — a sink that cuts planes into chunks, which are packed and kept
// until the file is made of them.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include "imageio/chunk_grid.hpp"
#include "imageio/chunk_log.hpp"
#include "imageio/create.hpp"
#include "imageio/image_name.hpp"

namespace synthoscope::imageio {

/// What becomes of finished chunks.
class ChunkStore {
 public:
  virtual ~ChunkStore() = default;

  /// Packs and keeps the voxels of a chunk. Several threads may add at once. @throws IoError
  virtual void add(std::int64_t number, std::span<const std::byte> voxels) = 0;
  [[nodiscard]] virtual bool has(std::int64_t number) const = 0;

  /// All chunks are there: makes the file, without its name. May be interrupted and done again.
  /// @throws IoError, Interrupted
  virtual void build() = 0;

  /// Syncs what outlives a kill: chunks, and the file once it is made. @throws IoError
  virtual void sync() = 0;
  virtual void keep(bool is_kept) noexcept = 0;

  /// Gives the file its name; the log goes. @throws IoError
  virtual void commit() = 0;

  /// Takes planes of a layer of chunks that is not finished when the file is settled.
  [[nodiscard]] virtual ChunkLog& log() = 0;
};

/// What a sink holds beside what its store takes for a chunk that it adds.
std::int64_t compressed_chunks_bytes(const ImageSpec& spec);

/// Whole planes in z order, of which a layer of chunks is held. Chunks are packed by the threads of
/// `spec.pool`.
/// @param at_once  chunks that are packed at once, whatever the number of threads
std::unique_ptr<ImageFile> create_compressed_chunks(const ImageSpec& spec, std::int64_t at_once,
                                                    std::unique_ptr<ChunkStore> store);

/// Goes on behind the `planes` first planes, which `store` holds. @throws InvalidSpec
std::unique_ptr<ImageFile> resume_compressed_chunks(const ImageName& name, const ImageSpec& spec,
                                                    std::int64_t at_once, std::int64_t planes,
                                                    std::unique_ptr<ChunkStore> store);

}  // namespace synthoscope::imageio

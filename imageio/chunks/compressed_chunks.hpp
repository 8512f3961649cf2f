// SPDX-License-Identifier: MIT
// imageio/chunks/compressed_chunks.hpp — a sink that cuts planes into chunks, which are packed and
// kept until the file is made of them.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include "imageio/chunks/grid.hpp"
#include "imageio/chunks/log.hpp"
#include "imageio/image/file.hpp"
#include "imageio/image/name.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// What becomes of finished chunks.
class ChunkStore {
 public:
  virtual ~ChunkStore() = default;

  /// Packs and keeps the voxels of a chunk. Several threads may add at once. @throws IoError
  virtual void add(std::int64_t number, std::span<const std::byte> voxels) = 0;

  /// The ContentSum of the chunks that are not in the log.
  [[nodiscard]] virtual std::int64_t sum() const { return 0; }
  /// Reads the `count` first chunks, but for those in the log, which were read with it.
  /// @returns whether all are there as they were added, with this sum
  [[nodiscard]] virtual bool holds(std::int64_t count, std::int64_t sum) = 0;

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

/// Returns what a sink holds, apart from what its store needs to add a chunk.
std::int64_t compressed_chunks_bytes(const ImageSpec& spec);

/// Takes whole planes in z order and holds one layer of chunks. The threads of `spec.pool` pack the
/// chunks.
/// @param at_once  number of chunks that are packed at once, independent of the number of threads
std::unique_ptr<ImageFile> create_compressed_chunks(const ImageSpec& spec, std::int64_t at_once,
                                                    std::unique_ptr<ChunkStore> store);

/// What such a file says of itself in ImageFile::checkpoint.
struct CompressedState {
  std::int64_t planes = 0;  ///< that are finished
  ChunkLogState log;
  std::int64_t sum = 0;  ///< ChunkStore::sum
};

/// @throws InvalidSpec  it is no state, or that of another image.
CompressedState read_compressed_state(const ImageName& name, const ImageSpec& spec,
                                      const std::string& state);

/// Resumes the file after the first planes, which `store` holds.
/// @throws LeftoverChanged  it does not.
std::unique_ptr<ImageFile> resume_compressed_chunks(const ImageName& name, const ImageSpec& spec,
                                                    std::int64_t at_once,
                                                    const CompressedState& state,
                                                    std::unique_ptr<ChunkStore> store);

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
// imageio/chunks/compressed_chunks.hpp — a sink that cuts planes into chunks, and packs and stores
// them until the file is made.
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

/// Stores packed chunks, and makes the file of them.
class ChunkStore {
 public:
  virtual ~ChunkStore() = default;

  /// Packs and stores the voxels of a chunk. Several threads may add at once. @throws IoError
  virtual void add(std::int64_t number, std::span<const std::byte> voxels) = 0;

  /// Returns the ContentSum of the chunks that are not in the log.
  [[nodiscard]] virtual std::int64_t sum() const { return 0; }
  /// Reads the `count` first chunks, except those in the log, which are checked with the log.
  /// @returns whether they are as they were added, with this sum
  [[nodiscard]] virtual bool holds(std::int64_t count, std::int64_t sum) = 0;

  /// Makes the file of all chunks, still under its partial name. Can be interrupted and repeated.
  /// @throws IoError, Interrupted
  virtual void build() = 0;

  /// Syncs chunks, and the file if it is made. @throws IoError
  virtual void sync() = 0;
  virtual void keep(bool is_kept) noexcept = 0;

  /// Gives the file its name and removes the log. @throws IoError
  virtual void commit() = 0;

  /// Returns the log, to which ImageFile::checkpoint writes the planes of an unfinished layer of
  /// chunks.
  [[nodiscard]] virtual ChunkLog& log() = 0;
};

/// Returns the memory of such a sink, without the memory of its store.
std::int64_t compressed_chunks_bytes(const ImageSpec& spec);

/// Takes whole planes in z order and holds one layer of chunks. The threads of `spec.pool` pack the
/// chunks.
/// @param at_once  number of chunks that are packed at once, independent of the number of threads
std::unique_ptr<ImageFile> create_compressed_chunks(const ImageSpec& spec, std::int64_t at_once,
                                                    std::unique_ptr<ChunkStore> store);

/// The state that ImageFile::checkpoint of such a file returns.
struct CompressedState {
  std::int64_t planes = 0;  ///< number of finished planes
  ChunkLogState log;
  std::int64_t sum = 0;  ///< ChunkStore::sum
};

/// Parses a state. @throws InvalidSpec  `state` is not a state of this image.
CompressedState read_compressed_state(const ImageName& name, const ImageSpec& spec,
                                      const std::string& state);

/// Resumes the file after the planes of `state`, whose chunks `store` holds.
/// @throws LeftoverChanged  `store` lacks some of them.
std::unique_ptr<ImageFile> resume_compressed_chunks(const ImageName& name, const ImageSpec& spec,
                                                    std::int64_t at_once,
                                                    const CompressedState& state,
                                                    std::unique_ptr<ChunkStore> store);

}  // namespace synthoscope::imageio

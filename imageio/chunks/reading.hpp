// SPDX-License-Identifier: MIT
// imageio/chunks/reading.hpp — the stacks of an array that is stored in chunks: one per channel and
// frame.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>
#include "core/stream/stream.hpp"
#include "imageio/image/axes.hpp"
#include "imageio/image/stored_type.hpp"

namespace synthoscope::imageio {

/// How an array is cut into chunks, which are numbered along its last axis first.
struct ArrayShape {
  PixelType type = PixelType::uint8;       ///< that is read
  StoredType stored = StoredType::voxels;  ///< what the file holds
  bool is_foreign_order = false;  ///< elements are in the byte order that this machine has not
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> chunk;  ///< along as many axes

  [[nodiscard]] std::int64_t element_bytes() const { return size_of_stored(stored, type); }
  [[nodiscard]] std::int64_t chunk_bytes() const;
  /// Chunks along each axis, and how many there are of them along each before the chunk `number`.
  [[nodiscard]] std::vector<std::int64_t> grid() const;
  [[nodiscard]] std::vector<std::int64_t> place_of(std::int64_t number) const;
};

/// Decodes chunks. Immutable, so threads may share it.
class ChunkDecoder {
 public:
  virtual ~ChunkDecoder() = default;

  /// The elements of chunk `number`, in the file's byte order; fill values where none were written.
  /// @throws InvalidInput  the chunk is broken. @throws IoError
  virtual void read(std::int64_t number, std::vector<std::byte>& elements) const = 0;

  /// Memory for reading a chunk, without the chunk itself.
  [[nodiscard]] virtual std::int64_t scratch_bytes() const = 0;

  /// Named by errors.
  [[nodiscard]] virtual std::string name() const = 0;
};

/// Opens stacks of an array.
struct ChunkReading {
  ArrayShape array;
  ArrayAxes axes;
  std::shared_ptr<const ChunkDecoder> decoder;

  /// Decoded chunks that are kept so that planes which are read one after the other decode each
  /// chunk once: two layers of them, as far as `most_bytes` allows, at least one chunk.
  [[nodiscard]] std::int64_t cached_chunks(std::int64_t most_bytes) const;

  /// Number of threads that may read a chunk at once, and the memory that each needs in addition to
  /// the cached chunks. Independent of the number of threads of the machine, since a plan must be.
  [[nodiscard]] std::int64_t readers(std::int64_t most_bytes) const;
  [[nodiscard]] std::int64_t bytes_per_reader() const;

  /// All that reading holds: at most twice `most_bytes`, or one chunk and one reader.
  [[nodiscard]] std::int64_t buffer_bytes(std::int64_t most_bytes) const;

  [[nodiscard]] std::unique_ptr<Source> source(std::int64_t channel, std::int64_t frame,
                                               std::int64_t most_cache_bytes) const;
};

}  // namespace synthoscope::imageio

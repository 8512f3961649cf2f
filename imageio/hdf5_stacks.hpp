// SPDX-License-Identifier: MIT
// imageio/hdf5_stacks.hpp — the stacks that an HDF5 data set holds: one per channel and frame.
#pragma once
#include <memory>
#include <string>
#include "imageio/hdf5_chunks.hpp"
#include "imageio/open.hpp"

namespace synthoscope::imageio {

/// Which axis of the data set is which; -1 where there is none.
struct Hdf5Axes {
  int t = -1, c = -1, z = -1, y = -1, x = -1;
};

struct Hdf5Stacks {
  ImageInfo info;
  Hdf5Axes axes;
  std::shared_ptr<const Hdf5Chunks> data;

  /// Decoded chunks that are kept so that planes which are read one after the other decode each
  /// chunk once: two layers of them, as far as `most_bytes` allows, at least one chunk.
  [[nodiscard]] std::int64_t cached_chunks(std::int64_t most_bytes) const;

  /// Threads that read a chunk at once, and what each takes beside the chunks that are kept. Not
  /// the number of threads there are: what a run plans must not depend on it.
  [[nodiscard]] std::int64_t readers(std::int64_t most_bytes) const;
  [[nodiscard]] std::int64_t bytes_per_reader() const;

  /// All that reading holds: at most twice `most_bytes`, or one chunk and one reader.
  [[nodiscard]] std::int64_t buffer_bytes(std::int64_t most_bytes) const;

  [[nodiscard]] std::unique_ptr<Source> source(std::int64_t channel, std::int64_t frame,
                                               std::int64_t most_cache_bytes) const;
};

/// Two axes are y and x, three z, y and x, unless the attribute `axes` says otherwise: a text such
/// as "tczyx" that ends in "yx". Four and five axes need it.
/// @throws IoError, InvalidSpec, InvalidInput as Hdf5Chunks; and InvalidInput for other axes.
Hdf5Stacks read_hdf5_stacks(const ImageName& name, const InputLimits& limits);

}  // namespace synthoscope::imageio

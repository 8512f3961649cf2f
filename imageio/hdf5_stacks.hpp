// SPDX-License-Identifier: MIT
// imageio/hdf5_stacks.hpp — the stacks that an HDF5 data set holds: one per channel and frame.
#pragma once
#include <memory>
#include <string>
#include "imageio/chunk_reading.hpp"
#include "imageio/hdf5_chunks.hpp"
#include "imageio/open.hpp"

namespace synthoscope::imageio {

struct Hdf5Stacks {
  ImageInfo info;
  ArrayAxes axes;
  std::shared_ptr<const Hdf5Chunks> data;

  /// All that reading holds; as ChunkReading.
  [[nodiscard]] std::int64_t buffer_bytes(std::int64_t most_bytes) const;

  [[nodiscard]] std::unique_ptr<Source> source(std::int64_t channel, std::int64_t frame,
                                               std::int64_t most_cache_bytes) const;

 private:
  [[nodiscard]] ChunkReading reading() const { return {data->storage(), axes, data}; }
};

/// Two axes are y and x, three z, y and x, unless the attribute `axes` says otherwise: a text such
/// as "tczyx" that ends in "yx". Four and five axes need it.
/// @throws IoError, InvalidSpec, InvalidInput as Hdf5Chunks; and InvalidInput for other axes.
Hdf5Stacks read_hdf5_stacks(const ImageName& name, const InputLimits& limits);

}  // namespace synthoscope::imageio

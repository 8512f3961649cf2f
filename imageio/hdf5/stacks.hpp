// SPDX-License-Identifier: MIT
// imageio/hdf5/stacks.hpp — the stacks that an HDF5 array holds: one per channel and frame.
#pragma once
#include <memory>
#include <string>
#include "imageio/chunks/reading.hpp"
#include "imageio/hdf5/chunks.hpp"
#include "imageio/image/stacks.hpp"

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
  /// True if rows of the array are read as they lie in the file.
  [[nodiscard]] bool has_rows() const;
  [[nodiscard]] ChunkReading reading() const;
};

/// Axes are named by `options.axes`, the attribute `axes` (a text such as "tczyx"), vigra's
/// `axistags` (ilastik) or HDF5's dimension labels. Without names, two axes are y and x, and three
/// are z, y and x.
/// @throws IoError, InvalidSpec, InvalidInput as Hdf5Chunks and axes_of_array.
Hdf5Stacks read_hdf5_stacks(const ImageName& name, const OpenOptions& options);
ImageStacks read_hdf5(ImageInput input, const OpenOptions& options);

}  // namespace synthoscope::imageio

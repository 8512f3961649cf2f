// SPDX-License-Identifier: MIT
// imageio/hdf5/storage.hpp — how the elements of an HDF5 array lie in its file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "imageio/chunks/reading.hpp"
#include "imageio/hdf5/library.hpp"
#include "imageio/input/file.hpp"
#include "imageio/input/limits.hpp"

namespace synthoscope::imageio {

enum class Hdf5Filter { shuffle, deflate, lzf, zstd, blosc, fletcher32 };
constexpr bool is_packing(Hdf5Filter filter) {
  return filter != Hdf5Filter::shuffle && filter != Hdf5Filter::fletcher32;
}

/// One chunk as it is stored.
struct Hdf5Place {
  std::int64_t offset = -1;  ///< -1: never written, so all of it is the fill value
  std::int64_t bytes = 0;
  std::uint32_t skipped = 0;  ///< bit i: filter i was not applied to this chunk
};

struct Hdf5Storage : ArrayShape {  ///< its `chunk` is what is read at once
  enum class Kind {
    contiguous,  ///< one run of bytes at `offset`
    chunks,      ///< chunks that are decoded here
    library      ///< what the library must decode: its other filters, and compact arrays
  };
  Kind kind = Kind::contiguous;
  std::vector<std::int64_t> stored_chunk;  ///< as the file has it; all of its shape without chunks
  std::int64_t offset = -1;                ///< of contiguous elements; -1: never written
  std::vector<Hdf5Filter> filters;         ///< in the order in which they were applied
  std::string filter_names;                ///< "shuffle, zstd"; empty without filters
  std::vector<std::byte> fill;             ///< one element in the file's byte order
  std::vector<Hdf5Place> places;           ///< by number of the chunk; empty if there are too many
};

/// Checks everything against the file's size and `limits`.
/// @throws InvalidInput  the array has another type, no axes or too many, needs a filter that is
///                       a plug-in, is stored in another file, is broken, or passes a limit.
Hdf5Storage read_storage(const Hdf5Handle& data_set, const std::string& name, const InputFile& file,
                         const InputLimits& limits);

}  // namespace synthoscope::imageio

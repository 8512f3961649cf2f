// SPDX-License-Identifier: MIT
#include "imageio/hdf5_chunks.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>
#include <algorithm>
#include <cstring>
#include "core/error.hpp"
#include "imageio/bdv_layout.hpp"
#include "imageio/chunk_codec.hpp"
#include "imageio/hdf5_filters.hpp"
#include "imageio/hdf5_trial.hpp"

namespace synthoscope::imageio {
namespace {

/// Of all filters but the shuffle.
ChunkCodec codec_of(Hdf5Filter filter) {
  switch (filter) {
    case Hdf5Filter::zstd:
      return ChunkCodec::zstd;
    case Hdf5Filter::blosc:
      return ChunkCodec::blosc;
    default:
      return ChunkCodec::zlib;
  }
}

/// More than any encoder makes of bytes that do not pack.
std::int64_t most_stored_bytes(const Hdf5Storage& storage) {
  return 2 * storage.chunk_bytes() + 4096;
}

template <class Body>
auto with_library(Body&& body) {
  const Hdf5Lock lock;
  return body();
}

}  // namespace

Hdf5Chunks::Hdf5Chunks(const ImageName& name, const InputLimits& limits)
    : file_{name.file},
      opened_{with_library([&] { return open_hdf5(name.file); })},
      found_{with_library([&] { return find_data_set(opened_, name, limits); })},
      storage_{
          with_library([&] { return read_storage(found_.data_set, found_.name, file_, limits); })} {
  const Hdf5Lock lock;
  if (storage_.type == PixelType::int16 && is_bdv_uint16(opened_, found_.name))
    storage_.type = PixelType::uint16;
}

void Hdf5Chunks::read(std::int64_t number, std::vector<std::byte>& elements) const {
  elements.resize(static_cast<std::size_t>(storage_.chunk_bytes()));
  if (storage_.kind == Hdf5Storage::Kind::library) return read_by_library(number, elements);
  std::uint32_t skipped = 0;
  auto packed = stored(number, skipped);
  if (packed.empty())
    return storage_.places.empty() ? read_by_library(number, elements) : fill(elements);
  decode(number, packed, skipped, elements);
}

std::int64_t Hdf5Chunks::scratch_bytes() const {
  // As it is stored, between two filters, and what the one that unpacks it holds
  std::int64_t unpacking = 0;
  for (const Hdf5Filter filter : storage_.filters)
    if (filter != Hdf5Filter::shuffle)
      unpacking = unpacking_bytes(codec_of(filter), storage_.chunk_bytes());
  return most_stored_bytes(storage_) + storage_.chunk_bytes() + unpacking;
}

std::vector<std::byte> Hdf5Chunks::stored(std::int64_t number, std::uint32_t& skipped) const {
  if (storage_.places.empty()) return stored_by_library(number, skipped);
  const Hdf5Place& place = storage_.places[static_cast<std::size_t>(number)];
  if (place.offset < 0) return {};
  if (place.bytes < 1 || place.bytes > most_stored_bytes(storage_))
    refuse_chunk(number, fmt::format("claims {} bytes", place.bytes));
  std::vector<std::byte> packed(static_cast<std::size_t>(place.bytes));
  file_.read_at(place.offset, packed);
  skipped = place.skipped;
  return packed;
}

std::vector<std::byte> Hdf5Chunks::stored_by_library(std::int64_t number,
                                                     std::uint32_t& skipped) const {
  const auto origin = origin_of(number);
  const std::vector<hsize_t> at{origin.begin(), origin.end()};
  const Hdf5Lock lock;
  hsize_t bytes = 0;
  // A chunk that was never written is a failure here, as is one that cannot be found
  if (H5Dget_chunk_storage_size(found_.data_set.get(), at.data(), &bytes) < 0 || bytes == 0)
    return {};
  if (bytes > static_cast<hsize_t>(most_stored_bytes(storage_)))
    refuse_chunk(number, fmt::format("claims {} bytes", bytes));
  std::vector<std::byte> packed(bytes);
  if (H5Dread_chunk(found_.data_set.get(), H5P_DEFAULT, at.data(), &skipped, packed.data()) < 0)
    refuse_chunk(number, hdf5_complaint());
  return packed;
}

void Hdf5Chunks::decode(std::int64_t number, std::vector<std::byte>& packed, std::uint32_t skipped,
                        std::vector<std::byte>& elements) const {
  std::vector<std::byte> between;
  for (std::size_t i = storage_.filters.size(); i-- > 0;) {
    if (skipped >> i & 1) continue;
    between.resize(elements.size());
    const Hdf5Filter filter = storage_.filters[i];
    if (filter == Hdf5Filter::shuffle) {
      if (packed.size() != elements.size()) refuse_chunk(number, "has the wrong size");
      unshuffle_bytes(packed, size_of(storage_.type), between);
    } else if (!unpack_chunk(codec_of(filter), packed, between)) {
      refuse_chunk(number, "does not unpack to its size");
    }
    packed.swap(between);
  }
  if (packed.size() != elements.size()) refuse_chunk(number, "has the wrong size");
  elements.swap(packed);
}

void Hdf5Chunks::read_by_library(std::int64_t number, std::span<std::byte> elements) const {
  const auto origin = origin_of(number);
  std::vector<hsize_t> at{origin.begin(), origin.end()}, size(at.size());
  std::vector<hsize_t> chunk{storage_.chunk.begin(), storage_.chunk.end()};
  const std::vector<hsize_t> zero(at.size(), 0);
  for (std::size_t i = 0; i < size.size(); ++i)
    size[i] = std::min(chunk[i], static_cast<hsize_t>(storage_.shape[i]) - at[i]);
  const Hdf5Lock lock;
  const NoHdf5PlugIns no_plug_ins;
  const auto axes = static_cast<int>(at.size());
  const Hdf5Handle in_file{H5Dget_space(found_.data_set.get()), H5Sclose};
  const Hdf5Handle in_memory{H5Screate_simple(axes, chunk.data(), nullptr), H5Sclose};
  const Hdf5Handle type{H5Dget_type(found_.data_set.get()), H5Tclose};
  H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, at.data(), nullptr, size.data(), nullptr);
  H5Sselect_hyperslab(in_memory.get(), H5S_SELECT_SET, zero.data(), nullptr, size.data(), nullptr);
  read_in_trial(file_.path(), elements, [&](std::span<std::byte> to) {
    fill(to);  // where it was told to write no fill values, the library leaves what is there
    if (H5Dread(found_.data_set.get(), type.get(), in_memory.get(), in_file.get(), H5P_DEFAULT,
                to.data()) < 0)
      refuse_chunk(number, hdf5_complaint());
  });
}

std::vector<std::int64_t> Hdf5Chunks::origin_of(std::int64_t number) const {
  auto origin = storage_.place_of(number);
  for (std::size_t i = 0; i < origin.size(); ++i) origin[i] *= storage_.chunk[i];
  return origin;
}

void Hdf5Chunks::fill(std::span<std::byte> elements) const {
  std::memcpy(elements.data(), storage_.fill.data(), storage_.fill.size());
  // Each copy is as large as all before it
  for (std::size_t done = storage_.fill.size(); done < elements.size(); done *= 2)
    std::memcpy(elements.data() + done, elements.data(), std::min(done, elements.size() - done));
}

void Hdf5Chunks::refuse_chunk(std::int64_t number, const std::string& found) const {
  throw InvalidInput(fmt::format(
      "read {}: the chunk of {} at ({}) {}; the file is truncated or broken, copy or make it again",
      file_.path().string(), found_.name, fmt::join(origin_of(number), ", "), found));
}

}  // namespace synthoscope::imageio

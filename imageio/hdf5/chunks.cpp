// SPDX-License-Identifier: MIT
#include "imageio/hdf5/chunks.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>
#include <algorithm>
#include <cstring>
#include "core/base/error.hpp"
#include "imageio/chunks/codec.hpp"
#include "imageio/chunks/filters.hpp"
#include "imageio/hdf5/bdv_layout.hpp"
#include "imageio/hdf5/trial.hpp"

namespace synthoscope::imageio {
namespace {

/// Of filters that pack.
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

/// What HDF5 1.10 complains of where it is asked how large a chunk is that was never written.
constexpr const char* kNeverWritten = "chunk storage is not allocated";

/// Takes a walk over all chunks in HDF5 1.10: for other versions, with other words.
bool has_chunk(hid_t data_set, const hsize_t* at) {
  unsigned skipped = 0;
  haddr_t offset = HADDR_UNDEF;
  hsize_t bytes = 0;
  const bool is_told = H5Dget_chunk_info_by_coord(data_set, at, &skipped, &offset, &bytes) >= 0;
  return !is_told || offset != HADDR_UNDEF;
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
  if (auto found = stored(number)) return decode(number, *found, elements);
  fill(elements);
}

std::int64_t Hdf5Chunks::scratch_bytes() const {
  // As it is stored, between two filters, and what the one that unpacks it holds
  std::int64_t unpacking = 0;
  for (const Hdf5Filter filter : storage_.filters)
    if (is_packing(filter)) unpacking = unpacking_bytes(codec_of(filter), storage_.chunk_bytes());
  return most_stored_bytes(storage_.chunk_bytes()) + storage_.chunk_bytes() + unpacking;
}

std::optional<Hdf5Chunks::Stored> Hdf5Chunks::stored(std::int64_t number) const {
  if (storage_.places.empty()) return stored_by_library(number);
  const Hdf5Place& place = storage_.places[static_cast<std::size_t>(number)];
  if (place.offset < 0) return std::nullopt;
  require_believable(number, place.bytes);
  Stored found{std::vector<std::byte>(static_cast<std::size_t>(place.bytes)), place.skipped};
  file_.read_at(place.offset, found.bytes);
  return found;
}

std::optional<Hdf5Chunks::Stored> Hdf5Chunks::stored_by_library(std::int64_t number) const {
  const auto origin = origin_of(number);
  const std::vector<hsize_t> at{origin.begin(), origin.end()};
  const hid_t data_set = found_.data_set.get();
  const Hdf5Lock lock;
  hsize_t bytes = 0;
  if (H5Dget_chunk_storage_size(data_set, at.data(), &bytes) < 0) {
    const std::string complaint = hdf5_complaint();
    if (complaint == kNeverWritten || !has_chunk(data_set, at.data())) return std::nullopt;
    refuse_chunk(number, complaint);
  }
  if (bytes == 0) return std::nullopt;
  require_believable(number, static_cast<std::int64_t>(bytes));
  Stored found{std::vector<std::byte>(bytes)};
  if (H5Dread_chunk(data_set, H5P_DEFAULT, at.data(), &found.skipped, found.bytes.data()) < 0)
    refuse_chunk(number, hdf5_complaint());
  return found;
}

void Hdf5Chunks::require_believable(std::int64_t number, std::int64_t bytes) const {
  if (bytes < 1 || bytes > most_stored_bytes(storage_.chunk_bytes()))
    refuse_chunk(number, fmt::format("claims {} bytes", bytes));
}

void Hdf5Chunks::decode(std::int64_t number, Stored& stored,
                        std::vector<std::byte>& elements) const {
  auto& [packed, skipped] = stored;
  std::vector<std::byte> between;
  for (std::size_t i = storage_.filters.size(); i-- > 0;) {
    if (skipped >> i & 1) continue;
    switch (const Hdf5Filter filter = storage_.filters[i]) {
      case Hdf5Filter::fletcher32: {
        const auto before = without_fletcher32(packed);
        if (!before) refuse_chunk(number, "does not have its checksum");
        packed.resize(before->size());
        break;
      }
      case Hdf5Filter::shuffle:
        if (packed.size() != elements.size()) refuse_chunk(number, "has the wrong size");
        between.resize(elements.size());
        unshuffle_bytes(packed, storage_.element_bytes(), between);
        packed.swap(between);
        break;
      default:
        between.resize(elements.size());
        if (!(filter == Hdf5Filter::lzf ? unlzf_bytes(packed, between)
                                        : unpack_chunk(codec_of(filter), packed, between)))
          refuse_chunk(number, "does not decompress to its size");
        packed.swap(between);
    }
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
    fill(to);  // the library writes no fill values into this buffer, so it must be initialized
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
  throw InvalidInput(
      fmt::format("read {}: the chunk of {} at ({}) {}; the file is truncated or damaged: copy or "
                  "create it again",
                  file_.path().string(), found_.name, fmt::join(origin_of(number), ", "), found));
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "imageio/chunks/log.hpp"
#include <algorithm>
#include <array>
#include <cerrno>

namespace synthoscope::imageio {
namespace {

/// Before every record: the chunk's number, or -1 - z of a plane, and its bytes.
using Header = std::array<std::int64_t, 2>;

}  // namespace

std::filesystem::path chunk_log_path(const std::filesystem::path& file) {
  auto path = file;
  return path += ".chunks";
}

ChunkLog::ChunkLog(const std::filesystem::path& path, std::int64_t chunks)
    : file_{path, /*overwrite=*/true}, chunks_(static_cast<std::size_t>(chunks)) {}

ChunkLog::ChunkLog(const std::filesystem::path& path, std::int64_t chunks,
                   const ChunkLogState& state, const StopFlag* stop)
    : file_{path, /*overwrite=*/true, Leftover::resume}, chunks_(static_cast<std::size_t>(chunks)) {
  if (!holds(state, stop)) refuse_leftover(file_.path());
  index(state.length);
  file_.truncate(state.length);
  length_ = state.length;
  sum_ = ContentSum{state.sum};
}

bool ChunkLog::holds(const ChunkLogState& state, const StopFlag* stop) const {
  return file_.size() >= state.length &&
         sum_of_file(file_, 0, state.length, stop) == ContentSum{state.sum};
}

void ChunkLog::index(std::int64_t length) {
  for (std::int64_t at = 0; at < length;) {
    Header header{};
    const auto bytes = std::as_writable_bytes(std::span{header});
    if (file_.read_some(at, bytes) != bytes.size()) refuse_leftover(file_.path());
    const auto [number, size] = header;
    const FileRange place{at + static_cast<std::int64_t>(sizeof header), size};
    if (size < 1 || size > length - place.offset ||
        number >= static_cast<std::int64_t>(chunks_.size()))
      refuse_leftover(file_.path());
    if (number >= 0)
      chunks_[static_cast<std::size_t>(number)] = place;
    else
      planes_[-1 - number] = place;
    at = place.offset + size;
  }
}

void ChunkLog::add_chunk(std::int64_t number, std::span<const std::byte> bytes) {
  chunks_[static_cast<std::size_t>(number)] = append(number, bytes);
}

void ChunkLog::add_plane(std::int64_t z, std::span<const std::byte> voxels) {
  planes_[z] = append(-1 - z, voxels);
}

ChunkLog::FileRange ChunkLog::append(std::int64_t number, std::span<const std::byte> bytes) {
  const Header header{number, static_cast<std::int64_t>(bytes.size())};
  const std::int64_t at = length_.fetch_add(static_cast<std::int64_t>(sizeof header) + header[1]);
  const FileRange place{at + static_cast<std::int64_t>(sizeof header), header[1]};
  ContentSum sum;
  sum.add(at, std::as_bytes(std::span{header}));
  sum.add(place.offset, bytes);
  {
    const std::lock_guard lock{mutex_};
    sum_.add(sum);
  }
  file_.write_at(at, std::as_bytes(std::span{header}));
  file_.write_at(place.offset, bytes);
  return place;
}

void ChunkLog::read_chunk(std::int64_t number, std::vector<std::byte>& bytes) const {
  const FileRange& place = chunks_[static_cast<std::size_t>(number)];
  bytes.resize(static_cast<std::size_t>(place.bytes));
  read(place, bytes);
}

bool ChunkLog::read_plane(std::int64_t z, std::span<std::byte> voxels) const {
  const auto found = planes_.find(z);
  if (found == planes_.end() || found->second.bytes != static_cast<std::int64_t>(voxels.size()))
    return false;
  read(found->second, voxels);
  return true;
}

void ChunkLog::read(const FileRange& place, std::span<std::byte> out) const {
  if (file_.read_some(place.offset, out) != out.size()) file_.fail(EIO, 0);
}

bool ChunkLog::has_chunks(std::int64_t count) const {
  const auto has_bytes = [](const FileRange& place) { return place.bytes > 0; };
  return std::all_of(chunks_.begin(), chunks_.begin() + count, has_bytes);
}

std::int64_t ChunkLog::chunk_bytes() const {
  std::int64_t bytes = 0;
  for (const FileRange& place : chunks_) bytes += place.bytes;
  return bytes;
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "imageio/input/read_digest.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include "core/run/stop.hpp"
#include "core/run/task_pool.hpp"
#include "imageio/input/file.hpp"
#include "imageio/input/read_in_order.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::int64_t kSmallestBlock = std::int64_t{64} << 10, kMaxBlocks = 1 << 16;
constexpr std::int64_t kMaxCopied = std::int64_t{1} << 20;
constexpr std::size_t kMaxBegun = 512;
constexpr std::int64_t kMaxReread = std::int64_t{256} << 20;  ///< a tenth of a second

std::int64_t blocks_of(std::int64_t bytes, std::int64_t block) {
  return (bytes + block - 1) / block;
}

}  // namespace

std::int64_t ReadDigest::block_bytes(std::int64_t file_bytes) {
  std::int64_t block = kSmallestBlock;
  while (blocks_of(file_bytes, block) > kMaxBlocks) block *= 2;
  return block;
}

ReadDigest::ReadDigest(std::int64_t file_bytes)
    : bytes_{file_bytes},
      block_bytes_{block_bytes(file_bytes)},
      states_(static_cast<std::size_t>(blocks_of(bytes_, block_bytes_))),
      hashes_(states_.size()) {}

std::int64_t ReadDigest::length_of(std::int64_t block) const {
  return std::min(block_bytes_, bytes_ - block * block_bytes_);
}

void ReadDigest::add(std::int64_t offset, std::span<const std::byte> bytes) {
  add_in_order(offset, bytes);
  while (!bytes.empty() && offset < bytes_) {
    const std::int64_t block = offset / block_bytes_, at = offset % block_bytes_;
    const std::int64_t length =
        std::min(static_cast<std::int64_t>(bytes.size()), length_of(block) - at);
    const auto part = bytes.first(static_cast<std::size_t>(length));
    if (states_[static_cast<std::size_t>(block)] == State::unread) {
      if (length == length_of(block))
        complete(block, BlockHash::of(part));
      else
        add_part(block, at, part);
    }
    offset += length;
    bytes = bytes.subspan(static_cast<std::size_t>(length));
  }
}

void ReadDigest::add_in_order(std::int64_t offset, std::span<const std::byte> bytes) {
  const std::int64_t end = offset + static_cast<std::int64_t>(bytes.size());
  if (offset > ordered_next_ || end <= ordered_next_) return;
  const std::scoped_lock lock{ordered_mutex_};
  const std::int64_t next = ordered_next_;
  if (offset > next || end <= next) return;
  ordered_.update(bytes.subspan(static_cast<std::size_t>(next - offset)));
  ordered_next_ = end;
}

void ReadDigest::complete(std::int64_t block, std::uint64_t hash) {
  hashes_[static_cast<std::size_t>(block)] = hash;
  states_[static_cast<std::size_t>(block)] = State::done;
}

/// Hashes bytes that continue a block. Others are copied until those before them come; a block for
/// which there is no space is left to `finish`.
void ReadDigest::add_part(std::int64_t block, std::int64_t at, std::span<const std::byte> bytes) {
  const std::scoped_lock lock{mutex_};
  if (states_[static_cast<std::size_t>(block)] != State::unread) return;
  const auto size = static_cast<std::int64_t>(bytes.size());
  const auto miss = [&] {
    if (const auto known = begun_.find(block); known != begun_.end()) {
      for (const auto& [place, copy] : known->second.ahead)
        copied_ -= static_cast<std::int64_t>(copy.size());
      begun_.erase(known);
    }
    states_[static_cast<std::size_t>(block)] = State::missed;
  };
  if (!begun_.contains(block) && begun_.size() == kMaxBegun) return miss();
  Begun& begun = begun_[block];
  if (at + size <= begun.next) return;
  if (at > begun.next) {
    if (copied_ + size > kMaxCopied) return miss();
    if (begun.ahead.try_emplace(at, bytes.begin(), bytes.end()).second) copied_ += size;
    return;
  }
  begun.hash.update(bytes.subspan(static_cast<std::size_t>(begun.next - at)));
  begun.next = at + size;
  take_ahead(begun);
  if (begun.next < length_of(block)) return;
  complete(block, begun.hash.value());
  begun_.erase(block);
}

/// Hashes copies that the hashed bytes have reached.
void ReadDigest::take_ahead(Begun& begun) {
  while (!begun.ahead.empty() && begun.ahead.begin()->first <= begun.next) {
    const auto& [at, copy] = *begun.ahead.begin();
    const auto size = static_cast<std::int64_t>(copy.size());
    if (at + size > begun.next) {
      begun.hash.update(std::span{copy}.subspan(static_cast<std::size_t>(begun.next - at)));
      begun.next = at + size;
    }
    copied_ -= size;
    begun.ahead.erase(begun.ahead.begin());
  }
}

ContentDigests ReadDigest::finish(const InputFile& file, TaskPool* pool, const StopFlag* stop) {
  for (auto& state : states_)
    if (state == State::missed) state = State::unread;
  if (ordered_next_ < bytes_ && bytes_ <= kMaxReread)
    read_in_order(file, ordered_next_, bytes_, stop,
                  [&](std::int64_t at, std::span<const std::byte> piece) { add(at, piece); });
  std::vector<std::int64_t> blocks;
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (states_[i] != State::done) blocks.push_back(static_cast<std::int64_t>(i));
  // Not by `add`: its threads wait for each other where they read less than a block
  const auto read_block = [&](std::int64_t i) {
    const std::int64_t block = blocks[static_cast<std::size_t>(i)], begin = block * block_bytes_;
    BlockHash hash;
    read_in_order(file, begin, begin + length_of(block), stop,
                  [&](std::int64_t, std::span<const std::byte> piece) { hash.update(piece); });
    complete(block, hash.value());
  };
  const auto count = static_cast<std::int64_t>(blocks.size());
  if (pool)
    pool->for_each(count, read_block);
  else
    for (std::int64_t i = 0; i < count; ++i) read_block(i);
  BlockHash tree;
  for (const std::uint64_t hash : hashes_) {
    std::array<std::byte, 8> digits;
    for (std::size_t i = 0; i < 8; ++i)
      digits[i] = static_cast<std::byte>(hash >> (8 * (7 - i)) & 0xff);
    tree.update(digits);
  }
  ContentDigests digests{fmt::format("{:016x}", tree.value()), {}};
  if (ordered_next_ == bytes_) digests.xxh64 = fmt::format("{:016x}", ordered_.value());
  return digests;
}

std::shared_ptr<ReadDigest> ReadDigests::of(const std::filesystem::path& path,
                                            std::int64_t file_bytes) {
  const std::scoped_lock lock{mutex_};
  auto& digest = all_[path.string()];
  if (!digest || digest->file_bytes() != file_bytes)
    digest = std::make_shared<ReadDigest>(file_bytes);
  return digest;
}

}  // namespace synthoscope::imageio

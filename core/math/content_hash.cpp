// SPDX-License-Identifier: MIT
#include "core/math/content_hash.hpp"
#include <xxhash.h>
#include <new>

namespace synthoscope {

ContentHash::ContentHash() : state_{XXH64_createState()} {
  if (!state_) throw std::bad_alloc{};
  XXH64_reset(state_.get(), /*seed=*/0);
}

void ContentHash::update(std::span<const std::byte> bytes) {
  XXH64_update(state_.get(), bytes.data(), bytes.size());
}

std::uint64_t ContentHash::value() const {
  return XXH64_digest(state_.get());
}

void ContentHash::Free::operator()(XXH64_state_s* state) const {
  XXH64_freeState(state);
}

BlockHash::BlockHash() : state_{XXH3_createState()} {
  if (!state_) throw std::bad_alloc{};
  XXH3_64bits_reset(state_.get());
}

std::uint64_t BlockHash::of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

void BlockHash::update(std::span<const std::byte> bytes) {
  XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
}

std::uint64_t BlockHash::value() const {
  return XXH3_64bits_digest(state_.get());
}

void BlockHash::Free::operator()(XXH3_state_s* state) const {
  XXH3_freeState(state);
}

WideHash wide_hash(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

}  // namespace synthoscope

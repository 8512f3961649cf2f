// SPDX-License-Identifier: MIT
#include "imageio/chunks/cache.hpp"

namespace synthoscope::imageio {

ChunkCache::Chunk ChunkCache::get(std::int64_t number, const Decode& decode) {
  std::promise<Chunk> promise;
  {
    std::unique_lock lock{mutex_};
    if (const auto found = held_.find(number); found != held_.end()) {
      uses_.splice(uses_.begin(), uses_, found->second.use);
      const auto chunk = found->second.chunk;
      lock.unlock();
      return chunk.get();  // waits for the thread that decodes it
    }
    if (held_.size() >= most_) {
      held_.erase(uses_.back());
      uses_.pop_back();
    }
    uses_.push_front(number);
    held_[number] = {promise.get_future().share(), uses_.begin()};
  }
  try {
    auto decoded = std::make_shared<std::vector<std::byte>>();
    decode(*decoded);
    promise.set_value(decoded);
    return decoded;
  } catch (...) {
    forget(number);
    promise.set_exception(std::current_exception());
    throw;
  }
}

void ChunkCache::forget(std::int64_t number) {
  const std::lock_guard lock{mutex_};
  const auto found = held_.find(number);
  if (found == held_.end()) return;
  uses_.erase(found->second.use);
  held_.erase(found);
}

}  // namespace synthoscope::imageio

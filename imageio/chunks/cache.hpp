// SPDX-License-Identifier: MIT
// imageio/chunks/cache.hpp — the chunks that were decoded last, for threads that share them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace synthoscope::imageio {

/// Rows and planes are read one after the other, but a chunk spans many: without this each would be
/// decoded many times. Thread-safe; a chunk that two threads want at once is decoded by one.
class ChunkCache {
 public:
  using Chunk = std::shared_ptr<const std::vector<std::byte>>;
  using Decode = std::function<void(std::vector<std::byte>& chunk)>;

  /// Holds at most `chunks` of them, and beyond that only what threads are reading just now.
  explicit ChunkCache(std::int64_t chunks) : most_{static_cast<std::size_t>(chunks)} {}

  /// The chunk of this number; `decode` fills it where it is not held. @throws what decode throws.
  Chunk get(std::int64_t number, const Decode& decode);

 private:
  struct Entry {
    std::shared_future<Chunk> chunk;
    std::list<std::int64_t>::iterator use;
  };

  void forget(std::int64_t number);

  std::size_t most_;
  std::mutex mutex_;
  std::unordered_map<std::int64_t, Entry> held_;
  std::list<std::int64_t> uses_;  ///< the last used first
};

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
// core/base/recent.hpp — the last values that a process computed.
#pragma once
#include <algorithm>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

namespace synthoscope {

/// The values of a pure function for the arguments of its last calls. Several threads may ask at
/// once.
template <class Key, class Value>
class Recent {
 public:
  explicit Recent(std::size_t most) : most_{most} {}

  /// Returns the value of `key`, computed by `make()` unless it is known. Two threads that ask at
  /// the same time may both compute it.
  template <class Make>
  Value get(const Key& key, Make&& make) {
    if (auto value = known(key)) return *std::move(value);
    Value value = std::forward<Make>(make)();
    const std::scoped_lock lock{mutex_};
    found_.emplace_front(key, value);
    if (found_.size() > most_) found_.pop_back();
    return value;
  }

 private:
  std::optional<Value> known(const Key& key) {
    const std::scoped_lock lock{mutex_};
    const auto at = std::find_if(found_.begin(), found_.end(),
                                 [&](const auto& one) { return one.first == key; });
    if (at == found_.end()) return std::nullopt;
    found_.splice(found_.begin(), found_, at);
    return found_.front().second;
  }

  std::size_t most_;
  std::mutex mutex_;
  std::list<std::pair<Key, Value>> found_;  ///< the latest first
};

}  // namespace synthoscope

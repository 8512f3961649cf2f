// SPDX-License-Identifier: MIT
// core/base/memo.hpp — values that a process finds once.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace synthoscope {

/// What pure functions gave, by their arguments. It keeps all; several threads may ask at once.
template <class Key, class Value>
class Memo {
 public:
  /// Returns the value of `key` if it has been computed before.
  std::optional<Value> known(const Key& key) {
    const std::scoped_lock lock{mutex_};
    const auto at = found_.find(key);
    if (at == found_.end()) return std::nullopt;
    return std::optional<Value>{std::in_place, at->second};  // a value may be optional itself
  }

  /// Returns the value of `key`, computed by `find()` on first use. Two threads that ask at the
  /// same time may both compute it; one value is kept.
  template <class Find>
  Value get(const Key& key, Find&& find) {
    if (auto value = known(key)) return *std::move(value);
    Value value = std::forward<Find>(find)();
    const std::scoped_lock lock{mutex_};
    return found_.try_emplace(key, std::move(value)).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<Key, Value> found_;
};

}  // namespace synthoscope

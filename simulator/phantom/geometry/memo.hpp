// SPDX-License-Identifier: MIT
// simulator/phantom/geometry/memo.hpp — the contents of a file, read once for a spec and all of its
// copies.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace synthoscope::simulator {

/// Keeps the last T that was made, and its key. Copies share it. All compare equal, so that specs
/// that hold one are compared by their other members. Thread-safe.
template <class T>
class Memo {
 public:
  /// Returns what `make()` returned for `key`; calls it only if `key` differs from the last one.
  template <class Make>
  const T& of(const std::string& key, Make&& make) const {
    const std::scoped_lock lock{seen_->mutex};
    if (!seen_->made || seen_->key != key) {
      seen_->made.reset();
      seen_->made = make();
      seen_->key = key;
    }
    return *seen_->made;
  }
  friend bool operator==(const Memo&, const Memo&) { return true; }

 private:
  struct Seen {
    std::mutex mutex;
    std::string key;
    std::optional<T> made;
  };
  std::shared_ptr<Seen> seen_ = std::make_shared<Seen>();
};

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
// simulator/phantom/memo.hpp — what a file holds, found out once for a spec and all of its copies.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace synthoscope::simulator {

/// Remembers the last T that was made, and for what. Copies share it; equal to any other, so that
/// specs that hold one are compared by what they say. Threads may ask at once.
template <class T>
class Memo {
 public:
  /// What `make()` gives, which is asked only when `key` is another than last time.
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

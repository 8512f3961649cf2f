// SPDX-License-Identifier: MIT
// studio/preview/kept.hpp — a product of a stage, with all that it depends on, as text.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "core/base/log.hpp"
#include "core/run/run_context.hpp"

namespace synthoscope::studio {

/// Passes messages on, and keeps the warnings among them.
class WarningsLog final : public Log {
 public:
  explicit WarningsLog(Log& whole) : whole_{whole} {}
  void say(Severity severity, std::string_view sentence) override {
    if (severity == Severity::warning) {
      const std::scoped_lock lock{mutex_};
      warnings_.emplace_back(sentence);
    }
    whole_.say(severity, sentence);
  }
  [[nodiscard]] std::vector<std::string> warnings() const { return warnings_; }

 private:
  Log& whole_;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
};

/// The last product that was made. A product whose making fails or is stopped is not kept.
template <class T>
class Kept {
 public:
  /// Makes the product by `make(context)`, which returns a std::shared_ptr<T>, unless it was made
  /// for the same key. The memory of the one before is released first.
  template <class Make>
  void update(const std::string& key, const RunContext& context, Make&& make) {
    forget_unless(key);
    if (product_) return;
    WarningsLog log{context.log};
    product_ = make(RunContext{context.pool, context.memory, context.progress, log, context.stop});
    warnings_ = log.warnings();
    key_ = key;
  }

  /// Releases the product if it was made for another key.
  void forget_unless(const std::string& key) {
    if (key != key_) product_.reset();
  }

  /// Returns whether the product was made for this key.
  [[nodiscard]] bool is_for(const std::string& key) const { return product_ && key == key_; }

  [[nodiscard]] T& operator*() const { return *product_; }
  [[nodiscard]] T* operator->() const { return product_.get(); }
  [[nodiscard]] std::shared_ptr<const T> shared() const { return product_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::string key_;
  std::shared_ptr<T> product_;
  std::vector<std::string> warnings_;
};

}  // namespace synthoscope::studio

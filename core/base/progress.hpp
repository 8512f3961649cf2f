// SPDX-License-Identifier: MIT
// core/base/progress.hpp — reports how far long work has come.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace synthoscope {

/// Receives progress. `advance` may be called from several threads at once.
class Progress {
 public:
  virtual ~Progress() = default;

  /// A stage of `total` units begins ("blur", 200 planes). The stage before it is over.
  virtual void begin(std::string_view stage, std::int64_t total) = 0;
  virtual void advance(std::int64_t units) = 0;
};

/// Nobody listens.
class NoProgress final : public Progress {
 public:
  void begin(std::string_view, std::int64_t) override {}
  void advance(std::int64_t) override {}
};

/// Forwards progress with `part` in front of the name of every stage: "frame 2/5: blur".
class LabelledProgress final : public Progress {
 public:
  /// An empty `part` changes nothing. `whole` is kept alive by the caller.
  LabelledProgress(Progress& whole, std::string part) : whole_{whole}, part_{std::move(part)} {}
  void begin(std::string_view stage, std::int64_t total) override {
    whole_.begin(part_.empty() ? std::string{stage} : part_ + ": " + std::string{stage}, total);
  }
  void advance(std::int64_t units) override { whole_.advance(units); }

 private:
  Progress& whole_;
  std::string part_;
};

}  // namespace synthoscope

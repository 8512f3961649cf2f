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

  /// Begins a stage of `total` units ("blur", 200 planes), and so ends the one before.
  virtual void begin(std::string_view stage, std::int64_t total) = 0;
  virtual void advance(std::int64_t units) = 0;
};

/// Ignores progress.
class NoProgress final : public Progress {
 public:
  void begin(std::string_view, std::int64_t) override {}
  void advance(std::int64_t) override {}
};

/// Forwards progress with a label in front of the name of every stage: "frame 2/5: blur".
class LabelledProgress final : public Progress {
 public:
  /// An empty label changes nothing. `whole` must outlive this.
  LabelledProgress(Progress& whole, std::string label) : whole_{whole}, label_{std::move(label)} {}
  void begin(std::string_view stage, std::int64_t total) override {
    whole_.begin(label_.empty() ? std::string{stage} : label_ + ": " + std::string{stage}, total);
  }
  void advance(std::int64_t units) override { whole_.advance(units); }

 private:
  Progress& whole_;
  std::string label_;
};

}  // namespace synthoscope

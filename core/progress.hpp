// SPDX-License-Identifier: MIT
// core/progress.hpp — how far long work has come, told to whoever listens.
#pragma once
#include <cstdint>
#include <string_view>

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

}  // namespace synthoscope

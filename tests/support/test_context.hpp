// SPDX-License-Identifier: MIT
// tests/support/test_context.hpp — a run context that owns what it refers to and keeps what was
// said.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>
#include "core/run/run_context.hpp"

namespace synthoscope::test {

class KeepingLog final : public Log {
 public:
  void say(Severity severity, std::string_view sentence) override {
    const std::scoped_lock lock{mutex_};
    switch (severity) {
      case Severity::detail:
        details.emplace_back(sentence);
        break;
      case Severity::note:
        notes.emplace_back(sentence);
        break;
      case Severity::warning:
        warnings.emplace_back(sentence);
    }
  }
  std::vector<std::string> details, notes, warnings;

 private:
  std::mutex mutex_;
};

struct TestContext {
  explicit TestContext(int threads = 2, std::int64_t bytes = std::int64_t{1} << 30)
      : pool{threads}, memory{bytes} {}
  TaskPool pool;
  MemoryBudget memory;
  NoProgress progress;
  KeepingLog log;
  StopFlag stop;
  RunContext context{pool, memory, progress, log, stop};
};

}  // namespace synthoscope::test

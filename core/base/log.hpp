// SPDX-License-Identifier: MIT
// core/base/log.hpp — what a library has to say. Libraries never print; they tell a log.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope {

/// A detail goes to log files only.
enum class Severity { detail, note, warning };

/// Receives one sentence at a time. May be called from several threads.
class Log {
 public:
  virtual ~Log() = default;
  virtual void say(Severity severity, std::string_view sentence) = 0;
  void detail(std::string_view sentence) { say(Severity::detail, sentence); }
  void note(std::string_view sentence) { say(Severity::note, sentence); }
  void warn(std::string_view sentence) { say(Severity::warning, sentence); }
};

/// Nobody listens.
class NoLog final : public Log {
 public:
  void say(Severity, std::string_view) override {}
};

}  // namespace synthoscope

// SPDX-License-Identifier: MIT
// core/base/log.hpp — messages of the libraries. Libraries never print; they write to a log.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope {

/// A detail is written to log files only.
enum class Severity { detail, note, warning };

/// Receives messages, one sentence each. Several threads may call it at once.
class Log {
 public:
  virtual ~Log() = default;
  virtual void say(Severity severity, std::string_view sentence) = 0;
  void detail(std::string_view sentence) { say(Severity::detail, sentence); }
  void note(std::string_view sentence) { say(Severity::note, sentence); }
  void warn(std::string_view sentence) { say(Severity::warning, sentence); }
};

/// Ignores all messages.
class NoLog final : public Log {
 public:
  void say(Severity, std::string_view) override {}
};

}  // namespace synthoscope

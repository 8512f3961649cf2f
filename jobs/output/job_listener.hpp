// SPDX-License-Identifier: MIT
// jobs/output/job_listener.hpp — the caller of a job, which is asked and informed while it runs.
#pragma once
#include <string>
#include <vector>

namespace synthoscope::jobs {

class JobListener {
 public:
  virtual ~JobListener() = default;
  /// Returns the command line for the record of the result, and the warnings that were logged.
  [[nodiscard]] virtual std::vector<std::string> command_line() const = 0;
  [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }
  /// Is called when no further progress will be reported.
  virtual void end_progress() const {}
};

}  // namespace synthoscope::jobs

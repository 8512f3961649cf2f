// SPDX-License-Identifier: MIT
// tools/options/shown_job.hpp — a job whose progress and warnings are shown on the console.
#pragma once
#include <string>
#include <vector>
#include "jobs/output/job_listener.hpp"
#include "tools/options/command.hpp"

namespace synthoscope::tools {

class ShownJob final : public jobs::JobListener {
 public:
  explicit ShownJob(const Invocation& invocation) : invocation_{invocation} {}
  [[nodiscard]] std::vector<std::string> command_line() const override {
    return invocation_.command_line;
  }
  [[nodiscard]] std::vector<std::string> warnings() const override {
    return invocation_.console.warnings();
  }
  void end_progress() const override { invocation_.console.finish(); }

 private:
  const Invocation& invocation_;
};

}  // namespace synthoscope::tools

// SPDX-License-Identifier: MIT
// tools/options/resume.hpp — options of commands that continue an interrupted run.
#pragma once
#include "jobs/output/resumable_output.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

struct ResumeOptions : jobs::ResumeChoice {
  void describe(OptionTable& table);
};

}  // namespace synthoscope::tools

// SPDX-License-Identifier: MIT
#include "tools/options/resume.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {

void ResumeOptions::describe(OptionTable& table) {
  table.group("Resuming");
  table.add(switch_row("resume", resume,
                       "resume an interrupted, killed or failed run of the same command from its "
                       "partial file; the result is identical to the last bit"));
  table.add(real_row("journal-every", "SECONDS", every_seconds, "s",
                     "shortest time between two records of the finished work"));
}

}  // namespace synthoscope::tools

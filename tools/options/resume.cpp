// SPDX-License-Identifier: MIT
#include "tools/options/resume.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {

void ResumeOptions::describe(OptionTable& table) {
  table.group("Going on");
  table.add(switch_row("resume", resume,
                       "go on with what an interrupted, killed or failed run of the same command "
                       "left beside the output; the result is the same to the last bit"));
  table.add(real_row("journal-every", "SECONDS", every_seconds, "s",
                     "record what is finished at most this often"));
}

}  // namespace synthoscope::tools

// SPDX-License-Identifier: MIT
#include "tools/options/gpu.hpp"
#include "core/base/error.hpp"
#include "core/run/memory_budget.hpp"
#include "tools/machine/cpu_fallback.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {

void GpuOptions::describe(OptionTable& table) {
  table.group("GPU");
  table.add({"gpus", "auto|none|all|LIST", gpus, "",
             "auto: a GPU is used where there is one and the plan is faster there; none: it is "
             "not; all, or positions or uuids with commas between them as devices lists them: it "
             "is, and what it cannot do is refused. Of several that are alike, convolve and "
             "simulate use all",
             [this](std::string_view text) {
               if (text.empty())
                 throw InvalidSpec("no GPU is named; write auto, none, all or a list such as 0,2");
               gpus = text;
             }});
  table.add({"gpu-memory", "SIZE", "90 % of what is free there", "",
             "memory to use on the GPU, as 512M, 8G or bytes, beside what CUDA itself takes there; "
             "a promise that is kept",
             [this](std::string_view text) { memory_bytes = parse_bytes(text); }});
  // What it does is done around the command: tools/cpu_fallback
  table.add(switch_row(std::string{kAllowCpuFallback}, may_fall_back,
                       "where a GPU fails or has too little memory, the host begins again and does "
                       "all of it, with a warning; else the run ends with code 6. Not beside "
                       "--resume, --shard, --mpi, --plan or a [sweep], where more than one run "
                       "makes the result"));
}

}  // namespace synthoscope::tools

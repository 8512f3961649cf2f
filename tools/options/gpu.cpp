// SPDX-License-Identifier: MIT
#include "tools/options/gpu.hpp"
#include "core/base/error.hpp"
#include "core/run/memory_budget.hpp"
#include "tools/machine/cpu_fallback.hpp"
#include "tools/options/rows.hpp"

namespace synthoscope::tools {

void GpuOptions::describe(OptionTable& table) {
  table.group("GPU");
  table.add(
      {"gpus", "auto|none|all|LIST", gpus, "",
       "auto: use a GPU if there is one and the plan is faster on it; none: do not; all, or a "
       "comma-separated list of numbers or uuids as printed by devices: use these, and report an "
       "error for work that they cannot do. convolve and simulate use all GPUs of the same kind",
       [this](std::string_view text) {
         if (text.empty())
           throw InvalidSpec("no GPU is named; write auto, none, all or a list such as 0,2");
         gpus = text;
       }});
  table.add(
      {"gpu-memory", "SIZE", "90 % of the free GPU memory", "",
       "hard limit for GPU memory, as 512M, 8G or bytes, in addition to what CUDA itself takes",
       [this](std::string_view text) { memory_bytes = parse_bytes(text); }});
  // run_or_fall_back carries it out (tools/machine/cpu_fallback.hpp)
  table.add(
      switch_row(std::string{kAllowCpuFallback}, may_fall_back,
                 "if a GPU fails or has too little memory, do all the work again on the host, with "
                 "a warning; otherwise the run ends with exit code 6. Not with --resume, --shard, "
                 "--mpi, --plan or a [sweep], where several runs make the result"));
}

}  // namespace synthoscope::tools

// SPDX-License-Identifier: MIT
#include "tools/options/shard.hpp"
#include "multigpu/shard.hpp"

namespace synthoscope::tools {

void ShardOptions::describe(OptionTable& table, const std::string& what) {
  table.group("Several processes");
  table.add({"shard", "I/N", "all of it", "",
             what + ". auto: the task of a Slurm array, or the rank of an MPI or Slurm job",
             [this](std::string_view text) {
               shard = multigpu::shard_named(text, multigpu::process_environment());
             }});
}

}  // namespace synthoscope::tools

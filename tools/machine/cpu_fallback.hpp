// SPDX-License-Identifier: MIT
// tools/machine/cpu_fallback.hpp — --allow-cpu-fallback: the host does what a GPU could not.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/log.hpp"

namespace synthoscope::tools {

inline constexpr std::string_view kAllowCpuFallback = "allow-cpu-fallback";

/// The same command line with --gpus none in place of all that it says of GPUs and their memory.
std::vector<std::string> without_gpus(std::span<const std::string> words);

/// Calls `run` with `words`. If a GPU fails and the words allow it, warns and calls `run` once more
/// with words that use no GPU.
/// @throws InvalidSpec  the words allow it together with --resume, --shard, --mpi or --plan
/// @throws what `run` throws
void run_or_fall_back(std::span<const std::string> words, Log& log,
                      const std::function<void(std::span<const std::string>)>& run);

}  // namespace synthoscope::tools

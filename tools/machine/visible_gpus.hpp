// SPDX-License-Identifier: MIT
// tools/machine/visible_gpus.hpp — hides the GPUs that a run does not use, because CUDA starts each
// GPU that it sees, which takes 0.2 s.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace synthoscope::tools {

/// Returns the value of CUDA_VISIBLE_DEVICES that shows only the GPUs `gpus`, the value of --gpus;
/// none if that cannot be: they must be the first ones, by their numbers ("0" or "0,1"), so that
/// numbers mean the same as before.
/// @param visible  the value until now; null: all GPUs are visible
std::optional<std::string> visible_gpus(std::string_view gpus, const char* visible);

/// Sets it for the command line `words`. Must be called before any thread is started.
void hide_other_gpus(std::span<const std::string> words);

}  // namespace synthoscope::tools

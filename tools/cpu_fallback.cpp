// SPDX-License-Identifier: MIT
#include "tools/cpu_fallback.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <optional>
#include "core/error.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::array<std::string_view, 2> kOfGpus{"--gpus", "--gpu-memory"};

/// Behind a "--" no word is an option.
std::span<const std::string> options_of(std::span<const std::string> words) {
  return {words.begin(), std::ranges::find(words, "--")};
}

bool may_fall_back(std::span<const std::string> words) {
  const std::span<const std::string> options = options_of(words);
  return std::ranges::find(options, fmt::format("--{}", kAllowCpuFallback)) != options.end();
}

bool is_of_gpus(std::string_view word) {
  return std::ranges::find(kOfGpus, word.substr(0, word.find('='))) != kOfGpus.end();
}

}  // namespace

std::vector<std::string> without_gpus(std::span<const std::string> words) {
  const std::span<const std::string> options = options_of(words);
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (!is_of_gpus(options[i]))
      kept.push_back(options[i]);
    else if (options[i].find('=') == std::string::npos)
      ++i;  // its value
  }
  kept.insert(kept.end(), {"--gpus", "none"});
  kept.insert(kept.end(), options.end(), words.end());
  return kept;
}

void run_or_fall_back(std::span<const std::string> words, Log& log,
                      const std::function<void(std::span<const std::string>)>& run) {
  std::optional<std::string> failure;
  try {
    run(words);
  } catch (const CudaError& error) {
    if (!may_fall_back(words)) throw;
    failure = error.what();
  }
  // Out of the handler: what the first run held is given back
  if (!failure) return;
  log.warn(fmt::format("the host begins again and does all of it: {}", *failure));
  run(without_gpus(words));
}

}  // namespace synthoscope::tools

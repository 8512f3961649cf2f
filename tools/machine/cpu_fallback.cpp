// SPDX-License-Identifier: MIT
#include "tools/machine/cpu_fallback.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include "core/base/error.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::array<std::string_view, 2> kOfGpus{"--gpus", "--gpu-memory"};

/// After "--" no word is an option.
std::span<const std::string> options_of(std::span<const std::string> words) {
  return {words.begin(), std::ranges::find(words, "--")};
}

bool may_fall_back(std::span<const std::string> words) {
  const std::span<const std::string> options = options_of(words);
  return std::ranges::find(options, fmt::format("--{}", kAllowCpuFallback)) != options.end();
}

std::string_view name_of_option(std::string_view word) {
  return word.substr(0, word.find('='));
}

bool is_of_gpus(std::string_view word) {
  return std::ranges::find(kOfGpus, name_of_option(word)) != kOfGpus.end();
}

/// Results of runs with these options cannot be continued by a host that starts again.
void require_fresh_start(std::span<const std::string> words) {
  constexpr struct {
    std::string_view option, why;
  } kRefused[] = {
      {"--resume", "the host cannot continue what a GPU began"},
      {"--shard", "the other shards were planned with the GPU"},
      {"--mpi", "the other ranks continue with their GPUs"},
      {"--plan", "a plan is made for the GPU or for the host"},
  };
  for (const std::string& word : options_of(words))
    for (const auto& [option, why] : kRefused)
      if (name_of_option(word) == option)
        throw InvalidSpec(
            fmt::format("--{} with {}: {}; leave one of them out", kAllowCpuFallback, option, why));
}

/// Returns the first failure alone, without hints that were added to its message.
std::string first_of(const std::exception& failure) {
  try {
    std::rethrow_if_nested(failure);
  } catch (const std::exception& inner) {
    return first_of(inner);
  }
  return failure.what();
}

/// Messages end in advice after their last semicolon. It is for people without a fallback.
std::string_view without_advice(std::string_view message) {
  return message.substr(0, message.rfind("; "));
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
  const bool may = may_fall_back(words);
  if (may) require_fresh_start(words);
  std::optional<std::string> failure;
  try {
    run(words);
  } catch (const CudaError& error) {
    if (!may) throw;
    failure = first_of(error);
  }
  // Out of the handler: what the first run held is given back
  if (!failure) return;
  log.warn(fmt::format("the run on a GPU failed ({}); the host starts again and does all the work",
                       without_advice(*failure)));
  run(without_gpus(words));
}

}  // namespace synthoscope::tools

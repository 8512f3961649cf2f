// SPDX-License-Identifier: MIT
// tools/terminal/exit_code.hpp — how the program ends: one table from failures to exit codes.
#pragma once
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace synthoscope::tools {

/// A promise to scripts.
enum class ExitCode {
  done = 0,
  usage = 2,         ///< options or scene
  input = 3,         ///< a file's content
  io = 4,            ///< reading or writing failed
  memory = 5,        ///< no plan fits the memory
  device = 6,        ///< a GPU failed or has no more memory
  interrupted = 7,   ///< by a signal
  verification = 8,  ///< a recomputed result differs
  defect = 70,       ///< the program is at fault
};

/// Of std::bad_alloc.
inline constexpr const char* kNoMemory =
    "allocate memory: the system has no more; lower --memory, or use a smaller request";

/// What a failure has to say: a sentence on one line, or one for each thing that is wrong.
std::vector<std::string> sentences_of(const std::exception_ptr& failure);

ExitCode exit_code_of(const std::exception_ptr& failure);

/// All codes with their meanings.
std::vector<std::pair<int, std::string_view>> exit_code_meanings();

}  // namespace synthoscope::tools

// SPDX-License-Identifier: MIT
#include "tools/terminal/terminate_handler.hpp"
#include <unistd.h>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include "tools/terminal/exit_code.hpp"
#include "tools/terminal/visible_text.hpp"

namespace synthoscope::tools {
namespace {

void say(const char* words) noexcept {
  // Ignored: standard error may be closed, and there is no other way to report it
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, words, std::strlen(words));
}

/// Takes no memory where there is none.
[[noreturn]] void end_for_want_of_memory() {
  say("synthoscope: error: ");
  say(kNoMemory);
  say("\n");
  std::_Exit(static_cast<int>(ExitCode::memory));
}

[[noreturn]] void end() {
  const std::exception_ptr failure = std::current_exception();
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    end_for_want_of_memory();
  } catch (...) {
    say(("synthoscope: error: " + visible_line(sentence_of(failure)) + "\n").c_str());
    std::_Exit(static_cast<int>(exit_code_of(failure)));
  }
  say("synthoscope: error: this is a defect of the program, please report it: it terminated "
      "itself\n");
  std::abort();
}

}  // namespace

void install_terminate_handler() {
  std::set_terminate(end);
}

}  // namespace synthoscope::tools

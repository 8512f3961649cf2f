// SPDX-License-Identifier: MIT
#include "tools/pages/completion.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"

namespace synthoscope::tools {

std::string completion_script(std::string_view shell) {
  if (shell == "bash") return bash_completion();
  if (shell == "zsh") return zsh_completion();
  if (shell == "fish") return fish_completion();
  throw InvalidSpec(fmt::format(
      "print the completion of shell '{}': there is none; the shells are bash, zsh and fish",
      shell));
}

}  // namespace synthoscope::tools

// SPDX-License-Identifier: MIT
#include "tools/studio/open_browser.hpp"
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>

namespace synthoscope::tools {

void open_browser(const std::string& address) noexcept {
  // Without a desktop, xdg-open would start a browser of the terminal
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  if (::posix_spawn_file_actions_init(&files) != 0) return;
  if (::posix_spawnattr_init(&attributes) == 0) {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
    // Ctrl-C in the terminal ends only processes of its session, so the browser gets another one
    sigset_t signals;
    sigfillset(&signals);
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
    const char* const words[] = {"xdg-open", address.c_str(), nullptr};
    pid_t ignored = 0;
    ::posix_spawnp(&ignored, words[0], &files, &attributes, const_cast<char* const*>(words),
                   environ);
    ::posix_spawnattr_destroy(&attributes);
  }
  ::posix_spawn_file_actions_destroy(&files);
}

}  // namespace synthoscope::tools

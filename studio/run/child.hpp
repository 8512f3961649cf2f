// SPDX-License-Identifier: MIT
// studio/run/child.hpp — a program that runs as a child of this one.
#pragma once
#include <sys/types.h>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::studio {

/// How a child ended.
struct ChildEnd {
  int exit_code = 0;  ///< if signal is 0
  int signal = 0;     ///< that ended it; 0 for none
};

/// Owns a child, which has no terminal: its standard input and output are /dev/null, and its
/// standard error is a pipe. It has no other files of this program, and a process group of its own,
/// so that Ctrl-C in the terminal meets only this program. Its priority is lower. If the thread
/// that started it ends, also because this program is killed, the system sends it SIGUSR2, perhaps
/// several times.
class Child {
 public:
  /// Starts a program. @param words  its file, and its arguments
  /// @throws IoError  it cannot be started: says why.
  Child(const std::vector<std::string>& words, const std::filesystem::path& folder);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Kills the child if it runs, and waits for it.
  ~Child();

  /// Calls `read` with the text that has come on standard error, after at most `patience`. Returns
  /// whether the child still runs; false only after all text was read.
  bool read_for(std::chrono::milliseconds patience,
                const std::function<void(std::string_view)>& read);

  /// Sends a signal to the child, if it runs, and to its own children.
  void send(int signal);

  /// Returns how it ended, once read_for has returned false.
  [[nodiscard]] ChildEnd end() const { return end_; }

 private:
  [[nodiscard]] bool has_ended(int options);
  bool read_some(const std::function<void(std::string_view)>& read);

  pid_t child_ = -1;  ///< -1 once it has ended
  int errors_ = -1;   ///< read end of the pipe; -1 after its end
  ChildEnd end_;
};

}  // namespace synthoscope::studio

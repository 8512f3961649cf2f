// SPDX-License-Identifier: MIT
#include "studio/run/child.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"

namespace synthoscope::studio {
namespace {

constexpr int kNiceness = 5;  ///< of a child, so that the page and its previews come first

/// Both ends of a pipe, which programs that this one starts do not have.
struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw IoError(fmt::format("start a program: the system gives no pipe ({}); close others",
                                cause_of(errno)));
    read_end = ends[0];
    write_end = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(read_end);
    close_end(write_end);
  }
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

/// Everything that the child needs before it becomes another program. Between fork and exec a
/// program with threads may only call what a signal handler may call: nothing here takes memory.
struct Start {
  const char* const* words;
  const char* folder;
  pid_t parent;
  int errors;   ///< becomes standard error
  int failure;  ///< receives errno
};

/// A signal that this program ignores, as nohup makes it, would be ignored by the child too, so
/// that it could not be stopped.
void restore_signals() noexcept {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR2}) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Files of this program, such as its connections, end when the child becomes another program.
void close_others_at_exec() noexcept {
  constexpr int kFirst = STDERR_FILENO + 1, kMostOfOldSystems = 4096;
  if (::close_range(kFirst, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  for (int file = kFirst; file < kMostOfOldSystems; ++file) ::fcntl(file, F_SETFD, FD_CLOEXEC);
}

bool prepare_child(const Start& start) noexcept {
  restore_signals();
  // posix_spawn has no attribute for this signal, hence fork. It may come once for each thread of
  // this program, and a second SIGTERM would end the program without removing what it began.
  if (::prctl(PR_SET_PDEATHSIG, SIGUSR2) != 0) return false;
  if (::getppid() != start.parent) ::_exit(1);  // it has ended already, so no signal comes
  if (::setpgid(0, 0) != 0 || ::chdir(start.folder) != 0) return false;
  ::setpriority(PRIO_PROCESS, 0, kNiceness);  // without it, the child is only faster
  close_others_at_exec();
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  return nothing >= 0 && ::dup2(nothing, STDIN_FILENO) >= 0 &&
         ::dup2(nothing, STDOUT_FILENO) >= 0 && ::dup2(start.errors, STDERR_FILENO) >= 0;
}

[[noreturn]] void become_program(const Start& start) noexcept {
  if (prepare_child(start)) ::execv(start.words[0], const_cast<char* const*>(start.words));
  const int problem = errno;
  // Ignored: without it, the exit code alone says that it failed
  [[maybe_unused]] const ssize_t ignored = ::write(start.failure, &problem, sizeof problem);
  ::_exit(127);
}

/// Returns errno of a child that did not become the program; 0 if it did.
int failure_in(const Pipe& pipe) {
  int problem = 0;
  ssize_t read = 0;
  do {
    read = ::read(pipe.read_end, &problem, sizeof problem);
  } while (read < 0 && errno == EINTR);
  return read == static_cast<ssize_t>(sizeof problem) ? problem : 0;
}

}  // namespace

Child::Child(const std::vector<std::string>& words, const std::filesystem::path& folder) {
  std::vector<const char*> given;
  for (const std::string& word : words) given.push_back(word.c_str());
  given.push_back(nullptr);
  Pipe errors, failure;
  const Start start{given.data(), folder.c_str(), ::getpid(), errors.write_end, failure.write_end};
  child_ = ::fork();
  if (child_ == 0) become_program(start);
  int problem = child_ < 0 ? errno : 0;
  Pipe::close_end(failure.write_end);
  if (child_ > 0) {
    problem = failure_in(failure);
    if (problem != 0) ::waitpid(child_, nullptr, 0);
  }
  if (problem != 0)
    throw IoError(fmt::format("start {}: {}; check that it is there, and that memory is free",
                              words.front(), cause_of(problem)));
  ::fcntl(errors.read_end, F_SETFL, O_NONBLOCK);
  errors_ = std::exchange(errors.read_end, -1);
}

Child::~Child() {
  send(SIGKILL);
  if (child_ > 0) static_cast<void>(has_ended(0));
  Pipe::close_end(errors_);
}

bool Child::read_for(std::chrono::milliseconds patience,
                     const std::function<void(std::string_view)>& read) {
  pollfd waits{.fd = errors_, .events = POLLIN, .revents = 0};  // -1 waits for time alone
  ::poll(&waits, 1, static_cast<int>(patience.count()));
  const bool runs = child_ > 0 && !has_ended(WNOHANG);
  // What it wrote before its end is in the pipe
  while (read_some(read)) continue;
  return runs;
}

/// Returns whether there was text.
bool Child::read_some(const std::function<void(std::string_view)>& read) {
  if (errors_ < 0) return false;
  std::array<char, 4096> text{};
  const ssize_t bytes = ::read(errors_, text.data(), text.size());
  if (bytes > 0) {
    read({text.data(), static_cast<std::size_t>(bytes)});
    return true;
  }
  if (bytes == 0) Pipe::close_end(errors_);
  return bytes < 0 && errno == EINTR;
}

void Child::send(int signal) {
  if (child_ > 0) ::kill(-child_, signal);  // the group, as a terminal does
}

bool Child::has_ended(int options) {
  int status = 0;
  pid_t ended = 0;
  do {
    ended = ::waitpid(child_, &status, options);
  } while (ended < 0 && errno == EINTR);
  if (ended == 0) return false;
  child_ = -1;
  if (ended > 0 && WIFSIGNALED(status))
    end_.signal = WTERMSIG(status);
  else if (ended > 0)
    end_.exit_code = WEXITSTATUS(status);
  return true;
}

}  // namespace synthoscope::studio

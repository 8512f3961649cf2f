// SPDX-License-Identifier: MIT
// tools/terminal/process.cpp — the process: its limits and standard streams, signals, and an
// unexpected end.
#include "tools/terminal/process.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include "core/base/error.hpp"
#include "tools/terminal/exit_code.hpp"
#include "tools/terminal/visible_text.hpp"

namespace synthoscope::tools {
namespace {

constexpr std::size_t kEnough = std::size_t{4} << 20, kLarge = std::size_t{8} << 20;  ///< bytes

bool is_small() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         limit.rlim_cur < kEnough;
}

/// Without it, threads get as much as the limit gives the first one.
void enlarge_later_stacks() {
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) return;
  if (::pthread_attr_setstacksize(&attributes, kLarge) == 0)
    ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

bool is_closed(int descriptor) {
  return ::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF;
}

/// Opens the lowest free descriptor. @returns whether it did
bool open_placeholder(int access) {
  // In a container without /dev the root folder holds the number; writing to it fails
  return ::open("/dev/null", access) >= 0 || ::open("/", O_RDONLY | O_DIRECTORY) >= 0;
}

// A signal handler has no argument for them, so they are the program's only globals.
StopFlag stop_flag;
std::array<std::atomic<bool>, NSIG> has_come{};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_stop_signal(int number) {
  if (has_come[static_cast<std::size_t>(number)].exchange(true))
    ::_exit(static_cast<int>(ExitCode::interrupted));
  stop_flag.request();
}

extern "C" void on_repeated_stop_signal(int) {
  stop_flag.request();
}

bool is_ignored(int number) noexcept {
  struct sigaction before {};
  return sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
}

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
    for (const std::string& sentence : sentences_of(failure))
      say(("synthoscope: error: " + visible_line(sentence) + "\n").c_str());
    std::_Exit(static_cast<int>(exit_code_of(failure)));
  }
  say("synthoscope: error: this is a defect of the program, please report it: it terminated "
      "itself\n");
  std::abort();
}

}  // namespace

int with_large_stack(int (*body)(int, char**), int argc, char** argv) {
  if (!is_small()) return body(argc, argv);
  enlarge_later_stacks();
  int result = 0;
  try {
    std::thread{[&] { result = body(argc, argv); }}.join();
  } catch (const std::system_error&) {  // no thread can be started: try with what there is
    return body(argc, argv);
  }
  return result;
}

void raise_open_file_limit() {
  constexpr rlim_t kMin = 64, kMax = 1 << 16;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::max(limit.rlim_cur, std::min(limit.rlim_max, kMax));
  const rlimit raised{wanted, limit.rlim_max};
  if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  if (limit.rlim_cur < kMin)
    throw IoError(
        fmt::format("open files: the system allows {} at a time (ulimit -n), and {} are needed; "
                    "raise the limit",
                    limit.rlim_cur, kMin));
}

void open_closed_streams() noexcept {
  // In ascending order, because open() returns the lowest free number. Standard output is opened
  // for reading, so that writing to it fails.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (is_closed(descriptor) &&
        !open_placeholder(descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY))
      return;
}

bool standard_output_is_closed() noexcept {
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  return flags < 0 || (flags & O_ACCMODE) == O_RDONLY;
}

void stop_on_signals() noexcept {
  struct sigaction stop {};
  stop.sa_handler = on_stop_signal;
  stop.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
    if (!is_ignored(number)) sigaction(number, &stop, nullptr);
  stop.sa_handler = on_repeated_stop_signal;
  if (!is_ignored(SIGUSR2)) sigaction(SIGUSR2, &stop, nullptr);
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

const StopFlag& signal_stop_flag() noexcept {
  return stop_flag;
}

void install_terminate_handler() {
  std::set_terminate(end);
}

}  // namespace synthoscope::tools

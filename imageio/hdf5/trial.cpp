// SPDX-License-Identifier: MIT
#include "imageio/hdf5/trial.hpp"
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <system_error>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"
#include "imageio/hdf5/library.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kPatienceSeconds = 10;
constexpr rlim_t kWaitingFactor = 30;  ///< what it may wait for disks is longer by this

/// Bytes, of 0 first, that a copy of this process shares with it.
class SharedBytes {
 public:
  explicit SharedBytes(std::size_t bytes)
      : at_{::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)},
        bytes_{bytes} {
    if (at_ == MAP_FAILED) throw std::bad_alloc{};
  }
  SharedBytes(const SharedBytes&) = delete;
  SharedBytes& operator=(const SharedBytes&) = delete;
  ~SharedBytes() { ::munmap(at_, bytes_); }

  [[nodiscard]] std::span<std::byte> bytes() const {
    return {static_cast<std::byte*>(at_), bytes_};
  }

 private:
  void* at_;
  std::size_t bytes_;
};

enum class End { none, whole, invalid_input, io_error, no_memory };

/// The child writes how the body ended into a pipe: a process that ignores SIGCHLD gets no exit
/// status.
class Report {
 public:
  void end(End how, const char* complaint = "") {
    std::snprintf(at().complaint, sizeof At::complaint, "%s", complaint);
    at().end = how;
  }
  [[nodiscard]] End end() const { return at().end; }
  [[nodiscard]] const char* complaint() const { return at().complaint; }

 private:
  struct At {
    std::atomic<End> end;
    char complaint[4000];
  };
  [[nodiscard]] At& at() const { return *reinterpret_cast<At*>(shared_.bytes().data()); }

  SharedBytes shared_{sizeof(At)};
};

rlim_t patience_with(const fs::path& file) {
  struct stat status {};
  const bool is_there = ::stat(file.c_str(), &status) == 0;
  const auto gibibytes = is_there ? (std::int64_t{status.st_blocks} * 512) >> 30 : 0;
  return static_cast<rlim_t>(kPatienceSeconds + gibibytes);
}

/// Blocks signals while it lives: the copy meets none before it has its own actions for them.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Lets crashes, a limit of time and the death of the parent end the child, whatever actions the
/// parent set for signals. The child writes no core file. A request to stop, which a terminal sends
/// to the whole group of processes, is answered by the parent alone: the file is not at fault.
void let_it_end(pid_t parent, rlim_t seconds) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // else it would hold the locks of its parent's files
  if (::getppid() != parent) ::_exit(1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(signal, SIG_IGN);
  for (const int signal : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGXCPU})
    std::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  rlimit time{};
  ::getrlimit(RLIMIT_CPU, &time);
  time = {std::min(time.rlim_cur, seconds), std::min(time.rlim_max, seconds + 1)};
  ::setrlimit(RLIMIT_CPU, &time);
  ::alarm(static_cast<unsigned>(kWaitingFactor * seconds));
}

[[noreturn]] void run_and_end(const std::function<void()>& body, Report& report) {
  Hdf5Lock::reset_after_fork();
  try {
    body();
    report.end(End::whole);
  } catch (const IoError& error) {
    report.end(End::io_error, error.what());
  } catch (const std::bad_alloc&) {
    report.end(End::no_memory);
  } catch (const std::exception& error) {
    report.end(End::invalid_input, error.what());
  }
  ::_exit(0);  // buffers and objects are the parent's to flush and to destroy
}

/// Nothing where the system does not tell.
std::optional<int> status_at_end_of(pid_t child) {
  int status = 0;
  pid_t ended = -1;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended == child ? std::optional{status} : std::nullopt;
}

[[noreturn]] void refuse_after_trial(const fs::path& file, const char* found) {
  throw InvalidInput(
      fmt::format("open {}: the HDF5 library {} it (version {}); the file is damaged or malicious: "
                  "copy or create it again",
                  file.string(), found, hdf5_version()));
}

[[noreturn]] void refuse_early_end(const fs::path& file, std::optional<int> status) {
  if (!status) refuse_after_trial(file, "crashes on, or does not finish with,");
  if (!WIFSIGNALED(*status)) refuse_after_trial(file, "crashes on");  // a sanitizer's exit
  switch (WTERMSIG(*status)) {
    case SIGABRT:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGSEGV:
      refuse_after_trial(file, "crashes on");
    case SIGALRM:
    case SIGXCPU:
      refuse_after_trial(file, "does not finish with");
    case SIGKILL:  // as a rule for want of memory
      refuse_after_trial(file, "was killed by the system while it read");
    default:  // of the file nothing is known
      throw IoError(
          fmt::format("open {}: the process in which the HDF5 library tried it was ended "
                      "by signal {}; open it again",
                      file.string(), WTERMSIG(*status)));
  }
}

/// Calls `body` in a copy of this process, which says in `report` how it ended.
void run_in_copy(const fs::path& file, const std::function<void()>& body, Report& report) {
  const auto patience = patience_with(file);
  const pid_t parent = ::getpid();
  const Hdf5Lock lock;  // no other thread is inside the library when the process is copied
  std::optional<BlockedSignals> blocked{std::in_place};
  const pid_t child = ::fork();
  const int failure = errno;
  if (child < 0)
    throw IoError(fmt::format(
        "open {}: the HDF5 library first tries it in a separate process, which cannot be started "
        "({}); {}",
        file.string(), cause_of(failure), remedy_of(failure, "allow more processes or memory")));
  if (child == 0) {
    let_it_end(parent, patience);
    run_and_end(body, report);
  }
  blocked.reset();
  const auto status = status_at_end_of(child);
  if (report.end() == End::none) refuse_early_end(file, status);
}

}  // namespace

void try_hdf5(const fs::path& file, const std::function<void()>& body) {
  Report report;
  run_in_copy(file, body, report);
}

void read_in_trial(const fs::path& file, std::span<std::byte> out,
                   const std::function<void(std::span<std::byte>)>& body) {
  const SharedBytes shared{out.size()};
  Report report;
  run_in_copy(
      file, [&] { body(shared.bytes()); }, report);
  switch (report.end()) {
    case End::io_error:
      throw IoError(report.complaint());
    case End::no_memory:
      throw std::bad_alloc{};
    case End::invalid_input:
      throw InvalidInput(report.complaint());
    default:
      std::memcpy(out.data(), shared.bytes().data(), out.size());
  }
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "imageio/hdf5_trial.hpp"
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include "core/error.hpp"
#include "imageio/hdf5_library.hpp"

namespace synthoscope::imageio {
namespace {

std::atomic<std::int64_t> patience_seconds{10};
constexpr int kThrew = 90;             ///< what the child ends with then; sanitizers have others
constexpr rlim_t kWaitingFactor = 30;  ///< what it may wait for disks is longer by this

/// Crashes and time that is up end the child, whatever its parent made of them; nobody wants cores.
void let_signals_end_it() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);  // whoever copied it may have blocked some
  for (const int signal : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGXCPU})
    std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const auto seconds = static_cast<rlim_t>(patience_seconds.load());
  const rlimit time{seconds, seconds + 1};
  ::setrlimit(RLIMIT_CPU, &time);
  ::alarm(static_cast<unsigned>(kWaitingFactor * seconds));
}

[[noreturn]] void run_and_end(const std::function<void()>& body) {
  let_signals_end_it();
  Hdf5Lock::renew_in_copy();
  try {
    body();
  } catch (const std::exception&) {
    ::_exit(kThrew);  // it will be thrown again where somebody hears of it
  }
  ::_exit(0);  // buffers and objects are the parent's to flush and to destroy
}

[[noreturn]] void refuse_after_trial(const std::filesystem::path& file, const char* found) {
  throw InvalidInput(
      fmt::format("open {}: the HDF5 library {} it (version {}); the file is broken or made to "
                  "harm, copy or make it again",
                  file.string(), found, hdf5_version()));
}

}  // namespace

bool try_hdf5(const std::filesystem::path& file, const std::function<void()>& body) {
  const Hdf5Lock lock;  // no other thread is inside the library when the process is copied
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) run_and_end(body);
  int status = 0;
  pid_t ended = -1;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended != child) return false;
  if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kThrew))
    return WEXITSTATUS(status) == 0;
  if (!WIFSIGNALED(status)) refuse_after_trial(file, "crashes on");  // a sanitizer's exit
  switch (WTERMSIG(status)) {
    case SIGABRT:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGSEGV:
      refuse_after_trial(file, "crashes on");
    case SIGALRM:
    case SIGXCPU:
      refuse_after_trial(file, "comes to no end with");
    case SIGKILL:  // as a rule for want of memory
      refuse_after_trial(file, "was ended by the system as it read");
    default:  // somebody else ended it: of the file nothing is known
      return false;
  }
}

void read_in_trial(const std::filesystem::path& file, std::span<std::byte> out,
                   const std::function<void(std::span<std::byte>)>& body) {
  const auto unmap = [size = out.size()](void* at) { ::munmap(at, size); };
  void* const mapped =
      ::mmap(nullptr, out.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc{};
  const std::unique_ptr<void, decltype(unmap)> shared{mapped, unmap};
  if (try_hdf5(file, [&] { body({static_cast<std::byte*>(shared.get()), out.size()}); }))
    std::memcpy(out.data(), shared.get(), out.size());
  else
    body(out);
}

void set_hdf5_patience(std::chrono::seconds computing) {
  patience_seconds = computing.count();
}

}  // namespace synthoscope::imageio

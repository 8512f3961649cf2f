// SPDX-License-Identifier: MIT
#include "jobs/machine/disk_rates.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"

namespace synthoscope::jobs {
namespace {

constexpr std::size_t kPiece = std::size_t{4} << 20;
constexpr std::size_t kMost = std::size_t{256} << 20;
constexpr double kSeconds = 2;

/// A file that has no name any more, so that nothing is left whatever happens.
class Nameless {
 public:
  explicit Nameless(const std::filesystem::path& folder)
      : name_{(folder / "synthoscope.XXXXXX").string()}, file_{::mkstemp(name_.data())} {
    if (file_ < 0) fail();
    ::unlink(name_.c_str());
  }
  Nameless(const Nameless&) = delete;
  Nameless& operator=(const Nameless&) = delete;
  ~Nameless() { ::close(file_); }

  [[nodiscard]] int get() const { return file_; }
  [[noreturn]] void fail() const {
    const int failure = errno;
    throw IoError(fmt::format("measure the disk with {}: {}; {}", name_, cause_of(failure),
                              remedy_of(failure, "give a folder on a disk that can be written")));
  }

 private:
  std::string name_;
  int file_;
};

/// Bytes that no disk can compress.
std::vector<std::uint32_t> noise() {
  std::vector<std::uint32_t> words(kPiece / sizeof(std::uint32_t));
  std::uint64_t state = 1;
  for (std::uint32_t& word : words) {
    state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth, MMIX
    word = static_cast<std::uint32_t>(state >> 32);
  }
  return words;
}

}  // namespace

DiskRates measure_disk(const std::filesystem::path& folder, const StopFlag& stop) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const Nameless file{folder};
  auto piece = noise();
  std::size_t written = 0;
  auto start = Clock::now();
  for (; written < kMost && since(start) < kSeconds; written += kPiece) {
    stop.check();
    if (::pwrite(file.get(), piece.data(), kPiece, static_cast<off_t>(written)) !=
        static_cast<ssize_t>(kPiece))
      file.fail();
  }
  if (::fdatasync(file.get()) != 0) file.fail();
  DiskRates rates;
  rates.write_bytes_per_second = static_cast<double>(written) / since(start);

  ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  std::size_t read = 0;
  start = Clock::now();
  for (; read < written && since(start) < kSeconds; read += kPiece) {
    stop.check();
    if (::pread(file.get(), piece.data(), kPiece, static_cast<off_t>(read)) !=
        static_cast<ssize_t>(kPiece))
      file.fail();
  }
  rates.read_bytes_per_second = static_cast<double>(read) / since(start);
  return rates;
}

}  // namespace synthoscope::jobs

// SPDX-License-Identifier: MIT
#include "tools/terminal/log_file.hpp"
#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <regex>
#include <span>
#include "core/base/error.hpp"
#include "core/base/version.hpp"
#include "core/system/file_bytes.hpp"
#include "core/system/system_failure.hpp"
#include "tools/terminal/visible_text.hpp"

namespace synthoscope::tools {
namespace {

/// "2026-11-23T22:48:09.123Z"
std::string now_in_utc() {
  using namespace std::chrono;
  const auto now = floor<milliseconds>(system_clock::now());
  const auto whole = floor<seconds>(now);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(system_clock::to_time_t(whole)),
                     (now - whole).count());
}

[[noreturn]] void cannot_keep(const std::filesystem::path& path, int errno_value) {
  throw IoError(fmt::format("write the log {}: {}; {}", path.string(), cause_of(errno_value),
                            remedy_of(errno_value, "give --log-file a name that can be written")));
}

/// Neither waits for a reader of a pipe nor for a terminal.
int open_to_append(const std::filesystem::path& path) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const int descriptor = ::open(path.c_str(), kFlags, 0666);
  if (descriptor < 0) cannot_keep(path, errno);
  return descriptor;
}

/// A file that is not empty begins as a log does: an image must not be spoilt by a slip of the pen.
bool is_log(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_size == 0) return true;
  std::array<char, 96> bytes{};
  const Moved read = read_bytes(descriptor, 0, std::as_writable_bytes(std::span{bytes}));
  static const std::regex kStart{
      R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \d+ start synthoscope )"};
  return std::regex_search(bytes.data(), bytes.data() + read.bytes, kStart,
                           std::regex_constants::match_continuous);
}

/// A disk that was full may have left the last line without its end.
bool ends_within_a_line(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || status.st_size == 0) return false;
  char last = '\n';
  read_bytes(descriptor, status.st_size - 1, std::as_writable_bytes(std::span{&last, 1}));
  return last != '\n';
}

}  // namespace

LogFile::LogFile(std::filesystem::path path, std::string_view command_line)
    : path_{std::move(path)}, descriptor_{open_to_append(path_)} {
  try {
    if (!is_log(descriptor_))
      throw InvalidSpec(
          fmt::format("write the log {}: the file is not a log of synthoscope; give --log-file a "
                      "new name, or the name of a log",
                      path_.string()));
    if (ends_within_a_line(descriptor_))
      append_bytes(descriptor_, std::as_bytes(std::span{"\n", 1}));
    const auto failure = add("start", fmt::format("synthoscope {}: {}", kVersion, command_line));
    if (failure != 0) cannot_keep(path_, failure);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

LogFile::~LogFile() {
  ::close(descriptor_);
}

int LogFile::add(std::string_view kind, std::string_view sentence) {
  const std::string line =
      fmt::format("{} {} {} {}\n", now_in_utc(), ::getpid(), kind, visible_line(sentence));
  const Moved moved = append_bytes(descriptor_, std::as_bytes(std::span{line}));
  if (moved.bytes == line.size()) return 0;
  return moved.errno_value == 0 ? ENOSPC : moved.errno_value;
}

}  // namespace synthoscope::tools

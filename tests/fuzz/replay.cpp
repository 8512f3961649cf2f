// SPDX-License-Identifier: MIT
// tests/fuzz/replay.cpp — what stands in for libFuzzer where a test is built by any compiler: gives
// a target every file of its corpus, then changes of them that follow from a seed. A file must be
// read well, unless its name says that it is refused, or that it once was a finding.
//
//   fuzz_TARGET [-runs=N] [-seed=N] FILE|FOLDER...
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>
#include "tests/fuzz/fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

constexpr unsigned kMaxComputing = 20;  ///< seconds of processors for one input: more is a hang
constexpr unsigned kMaxWaiting = 600;   ///< seconds on the clock, which a busy machine takes, too
constexpr rlim_t kMaxMemory = rlim_t{3} << 30;           ///< of the whole program
constexpr std::size_t kMaxBytes = std::size_t{1} << 16;  ///< of a changed input

std::string input;  ///< what is being read; a handler of signals saves it

using Generator = std::mt19937_64;

/// 0 ... below - 1, the same on every machine, which distributions of the library are not.
std::size_t drawn(Generator& generator, std::size_t below) {
  return below == 0 ? 0 : static_cast<std::size_t>(generator() % below);
}

/// Writes a number that readers must doubt over up to eight bytes.
void put_number(Generator& generator, std::string& bytes) {
  constexpr std::array<std::uint64_t, 12> kNumbers{0,
                                                   1,
                                                   2,
                                                   0x7F,
                                                   0xFF,
                                                   0x7FFF,
                                                   0xFFFF,
                                                   0x10000,
                                                   0x7FFF'FFFF,
                                                   0xFFFF'FFFF,
                                                   0x7FFF'FFFF'FFFF'FFFF,
                                                   0xFFFF'FFFF'FFFF'FFFF};
  const std::uint64_t number = kNumbers[drawn(generator, kNumbers.size())];
  const std::size_t width = std::size_t{1} << drawn(generator, 4);
  const std::size_t at = drawn(generator, bytes.size());
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i)
    bytes[at + i] = static_cast<char>(number >> 8 * i);
}

void flip_bit(Generator& generator, std::string& bytes) {
  bytes[drawn(generator, bytes.size())] ^= static_cast<char>(1 << drawn(generator, 8));
}

void change(Generator& generator, const std::vector<std::string>& corpus, std::string& bytes) {
  const std::string& other = corpus[drawn(generator, corpus.size())];
  const std::size_t at = drawn(generator, bytes.size() + 1), from = drawn(generator, other.size());
  const std::size_t count = 1 + drawn(generator, 64);
  switch (bytes.empty() ? 4 : drawn(generator, 6)) {
    case 0:
      return flip_bit(generator, bytes);
    case 1:
      return put_number(generator, bytes);
    case 2:
      bytes.resize(at);
      return;
    case 3:
      bytes.erase(at, count);
      return;
    case 4:
      bytes.insert(at, other, from, count);
      return;
    default:
      bytes.replace(at, count, other, from, count);
  }
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// All files, in the order of their names.
std::vector<std::filesystem::path> files_in(const std::vector<std::string>& places) {
  std::vector<std::filesystem::path> paths;
  for (const std::filesystem::path place : places)
    if (std::filesystem::is_directory(place)) {
      for (const auto& entry : std::filesystem::directory_iterator{place})
        paths.push_back(entry.path());
    } else if (std::filesystem::exists(place)) {
      paths.push_back(place);
    } else {
      fmt::print(stderr, "{} is not there: nothing would be read\n", place.string());
      std::exit(1);
    }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// A seed that is refused leads nowhere: no change of it comes far.
bool must_be_read(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return !name.starts_with("refused-") && !name.starts_with("finding-");
}

/// Saves the input that ends the program, with what a handler of signals may call.
void save_finding(int signal) {
  const int file = ::open("finding.bin", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const ssize_t written = ::write(file, input.data(), input.size());
  constexpr std::string_view kSaved =
      "\nthe input that did this is in finding.bin, give it to "
      "this program to repeat it\n";
  const ssize_t said = ::write(STDERR_FILENO, kSaved.data(), kSaved.size());
  static_cast<void>(written + said);
  ::raise(signal);
}

/// On a stack of its own: that of the program may be what is used up.
void save_findings() {
  static std::array<char, 1 << 16> stack;
  stack_t own{};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  ::sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_handler = save_finding;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  for (const int signal : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGPROF, SIGSEGV})
    ::sigaction(signal, &action, nullptr);
}

void give(std::string bytes) {
  input = std::move(bytes);
  const itimerval most{{0, 0}, {kMaxComputing, 0}}, none{};
  ::setitimer(ITIMER_PROF, &most, nullptr);
  ::alarm(kMaxWaiting);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  ::alarm(0);
  ::setitimer(ITIMER_PROF, &none, nullptr);
}

/// The number of "-runs=2000".
std::uint64_t number_in(std::string_view word) {
  std::uint64_t number = 0;
  const auto digits = word.substr(word.find('=') + 1);
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they reserve terabytes
  const rlimit limit{kMaxMemory, kMaxMemory};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t runs = 0, seed = 1;
  std::vector<std::string> places;
  for (const std::string_view word : std::vector<std::string_view>(argv + 1, argv + argc))
    if (word.starts_with("-runs="))
      runs = number_in(word);
    else if (word.starts_with("-seed="))
      seed = number_in(word);
    else
      places.emplace_back(word);
  const auto paths = files_in(places);
  if (paths.empty()) {
    fmt::print(stderr, "there is no input; name a file or a folder with files\n");
    return 2;
  }

  limit_memory();
  save_findings();
  std::vector<std::string> corpus;
  int refused = 0;
  for (const auto& path : paths) {
    corpus.push_back(content_of(path));
    give(corpus.back());
    const std::string& refusal = synthoscope::fuzz::refusal;
    if (refusal.empty() || !must_be_read(path)) continue;
    fmt::print(stderr, "{} is refused: {}\n", path.string(), refusal);
    ++refused;
  }
  Generator generator{seed};
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::string bytes = corpus[drawn(generator, corpus.size())].substr(0, kMaxBytes);
    for (std::size_t changes = 1 + drawn(generator, 4); changes > 0; --changes)
      change(generator, corpus, bytes);
    give(std::move(bytes));
  }
  fmt::print("{} files and {} changes of them were read\n", corpus.size(), runs);
  return refused > 0 ? 1 : 0;
}

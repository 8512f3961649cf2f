// SPDX-License-Identifier: MIT
#include "imageio/input/text_file.hpp"
#include <fmt/format.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"

namespace synthoscope::imageio {
namespace {

[[noreturn]] void fail_to_read(const std::filesystem::path& path) {
  const int failure = errno != 0 ? errno : EIO;
  throw IoError(fmt::format("read {}: {}; {}", path.string(), cause_of(failure),
                            remedy_of(failure, "give a file that can be read")));
}

}  // namespace

std::string read_text(const std::filesystem::path& path, std::int64_t most_bytes) {
  errno = 0;
  std::ifstream file{path, std::ios::binary};
  if (!file.is_open()) fail_to_read(path);
  std::string text;
  std::array<char, 1 << 14> part;
  do {
    file.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
    if (std::ssize(text) > most_bytes)
      throw InvalidInput(fmt::format(
          "read {}: it is longer than {} MiB, which no file of this kind is; give another one",
          path.string(), most_bytes >> 20));
  } while (file);
  require_read(file, path);
  return text;
}

void require_read(const std::istream& file, const std::filesystem::path& path) {
  if (file.bad()) fail_to_read(path);
}

}  // namespace synthoscope::imageio

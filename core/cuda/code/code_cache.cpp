// SPDX-License-Identifier: MIT
#include "core/cuda/code/code_cache.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>
#include "core/cuda/code/compiled_text.hpp"
#include "core/system/cache_folder.hpp"
#include "core/system/file_bytes.hpp"

namespace synthoscope::cuda {
namespace {

constexpr std::size_t kNameDigits = 32;
constexpr std::size_t kFormerNameDigits = 16;  ///< of files that earlier versions left

std::filesystem::path path_of(const CompileRequest& request, const std::filesystem::path& folder) {
  const WideHash key = key_of(request);
  return folder / fmt::format("{:016x}{:016x}", key[0], key[1]);
}

std::optional<CompiledCode> read_code(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  return code_in(text);
}

/// Writes to a temporary name first, so that no reader sees half a file. Failures are ignored: the
/// code is compiled again next time.
void keep_text(const std::filesystem::path& path, std::string_view text) {
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  std::string partial = path.string() + ".XXXXXX";
  const int descriptor = ::mkstemp(partial.data());
  if (descriptor < 0) return;
  const Moved written = write_bytes(descriptor, 0, std::as_bytes(std::span{text}));
  const bool closed = ::close(descriptor) == 0;
  const bool whole = closed && written.bytes == text.size();
  if (whole) std::filesystem::rename(partial, path, failed);
  if (!whole || failed) std::filesystem::remove(partial, failed);
}

/// Says that a file was read now, also where the file system keeps no such times by itself.
void note_reading(const std::filesystem::path& path) {
  const timespec times[] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  ::utimensat(AT_FDCWD, path.c_str(), times, 0);
}

/// Whether a name is a key in hexadecimal digits, perhaps with the ending of a file that is being
/// written or was left so.
bool is_of_cache(const std::string& name) {
  const std::size_t digits = std::min(name.find_first_not_of("0123456789abcdef"), name.size());
  return (digits == kNameDigits || digits == kFormerNameDigits) &&
         (name.size() == digits || name[digits] == '.');
}

struct KeptFile {
  std::filesystem::path path;
  std::pair<std::int64_t, std::int64_t> read;  ///< seconds and nanoseconds
  std::int64_t bytes = 0;
};

std::vector<KeptFile> files_of_cache(const std::filesystem::path& folder) {
  std::vector<KeptFile> files;
  std::error_code failed;
  for (std::filesystem::directory_iterator at{folder, failed}, end; !failed && at != end;
       at.increment(failed)) {
    struct stat status {};
    if (is_of_cache(at->path().filename().string()) && ::lstat(at->path().c_str(), &status) == 0 &&
        S_ISREG(status.st_mode))
      files.push_back(
          {at->path(), {status.st_atim.tv_sec, status.st_atim.tv_nsec}, status.st_size});
  }
  return files;
}

}  // namespace

std::filesystem::path code_cache_folder() {
  const auto folder = cache_folder();
  return folder.empty() ? folder : folder / "kernels";
}

void prune_code_cache(const std::filesystem::path& folder, const CodeCacheLimits& limits) {
  std::vector<KeptFile> files = files_of_cache(folder);
  auto count = static_cast<std::int64_t>(files.size());
  std::int64_t bytes = 0;
  for (const KeptFile& file : files) bytes += file.bytes;
  if (count <= limits.files && bytes <= limits.bytes) return;
  std::sort(files.begin(), files.end(),
            [](const KeptFile& a, const KeptFile& b) { return a.read < b.read; });
  for (const KeptFile& file : files) {
    if (count <= limits.files / 4 * 3 && bytes <= limits.bytes / 4 * 3) return;
    std::error_code failed;
    std::filesystem::remove(file.path, failed);
    --count;
    bytes -= file.bytes;
  }
}

std::optional<CompiledCode> kept_code(const CompileRequest& request,
                                      const std::filesystem::path& folder) {
  return folder.empty() ? std::nullopt : read_code(path_of(request, folder));
}

CompiledCode compile_once(const CompileRequest& request, const std::filesystem::path& folder) {
  if (folder.empty()) return compile(request);
  const auto path = path_of(request, folder);
  if (auto kept = read_code(path)) {
    note_reading(path);
    return *std::move(kept);
  }
  CompiledCode code = compile(request);
  keep_text(path, text_of(code));
  prune_code_cache(folder);
  return code;
}

}  // namespace synthoscope::cuda

// SPDX-License-Identifier: MIT
#include "core/cuda/code/code_cache.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <vector>
#include "core/math/content_hash.hpp"
#include "core/system/cache_folder.hpp"
#include "core/system/file_bytes.hpp"

namespace synthoscope::cuda {
namespace {

// A cache file holds the key, the names of the kernels and the cubin, each preceded by its size,
// and a hash of all of it.
constexpr std::string_view kFormat = "synthoscope device code 1\n";
constexpr std::size_t kNameDigits = 16;

void append_text(std::string& to, std::string_view text) {
  const std::uint64_t size = text.size();
  to.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
}

/// Takes the next text from the front of `rest`; nothing if `rest` ends before the text does.
std::optional<std::string_view> next_text(std::string_view& rest) {
  std::uint64_t size = 0;
  if (rest.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, rest.data(), sizeof size);
  rest.remove_prefix(sizeof size);
  if (rest.size() < size) return std::nullopt;
  const auto text = rest.substr(0, size);
  rest.remove_prefix(size);
  return text;
}

std::uint64_t hash_of(std::string_view text) {
  ContentHash hash;
  hash.update(std::as_bytes(std::span{text}));
  return hash.value();
}

/// All that the code depends on; different requests have different keys.
std::string key_of(const CompileRequest& request) {
  std::string key{kFormat};
  append_text(key, compiler_version());
  append_text(key, std::to_string(request.capability));
  append_text(key, request.program.name);
  append_text(key, request.program.text);
  append_text(key, fmt::format("{} headers", request.headers.size()));
  for (const SourceText& header : request.headers) {
    append_text(key, header.name);
    append_text(key, header.text);
  }
  append_text(key, fmt::format("{} kernels", request.kernels.size()));
  for (const auto& kernel : request.kernels) append_text(key, kernel);
  for (const auto& option : request.options) append_text(key, option);
  return key;
}

std::string file_text(std::string_view key, const CompiledCode& code) {
  std::string text;
  append_text(text, key);
  for (const auto& kernel : code.kernels) append_text(text, kernel);
  append_text(text, {reinterpret_cast<const char*>(code.cubin.data()), code.cubin.size()});
  const std::uint64_t hash = hash_of(text);
  return text.append(reinterpret_cast<const char*>(&hash), sizeof hash);
}

std::optional<CompiledCode> read_code(const std::filesystem::path& path, std::string_view key,
                                      std::size_t kernels) {
  std::ifstream file{path, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  std::uint64_t hash = 0;
  if (text.size() < sizeof hash) return std::nullopt;
  std::string_view rest{text.data(), text.size() - sizeof hash};
  std::memcpy(&hash, text.data() + rest.size(), sizeof hash);
  if (hash != hash_of(rest) || next_text(rest) != key) return std::nullopt;
  CompiledCode code;
  for (std::size_t i = 0; i < kernels; ++i) {
    const auto name = next_text(rest);
    if (!name) return std::nullopt;
    code.kernels.emplace_back(*name);
  }
  const auto cubin = next_text(rest);
  if (!cubin || !rest.empty()) return std::nullopt;
  const auto bytes = std::as_bytes(std::span{*cubin});
  code.cubin.assign(bytes.begin(), bytes.end());
  return code;
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

/// The hash of a key in hexadecimal digits, perhaps with the ending of a file that is being written
/// or was left so.
bool is_of_cache(const std::string& name) {
  return name.size() >= kNameDigits && name.find_first_not_of("0123456789abcdef") >= kNameDigits &&
         (name.size() == kNameDigits || name[kNameDigits] == '.');
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

CompiledCode compile_once(const CompileRequest& request, const std::filesystem::path& folder) {
  if (folder.empty()) return compile(request);
  const std::string key = key_of(request);
  const auto path = folder / fmt::format("{:0{}x}", hash_of(key), kNameDigits);
  if (auto kept = read_code(path, key, request.kernels.size())) {
    note_reading(path);
    return *std::move(kept);
  }
  CompiledCode code = compile(request);
  keep_text(path, file_text(key, code));
  prune_code_cache(folder);
  return code;
}

}  // namespace synthoscope::cuda

// SPDX-License-Identifier: MIT
#include "imageio/input_identity.hpp"
#include <fmt/format.h>
#include <sys/stat.h>
#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>
#include "core/json.hpp"
#include "imageio/content_hash.hpp"
#include "imageio/folder_files.hpp"
#include "imageio/image_name.hpp"
#include "imageio/input_file.hpp"

namespace synthoscope::imageio {
namespace {

/// What is read whole at the start of a run: about a tenth of a second.
constexpr std::int64_t kReadWhole = std::int64_t{256} << 20;

std::string hash_of_sample(const InputFile& file) {
  constexpr std::int64_t kBlock = std::int64_t{1} << 14, kBlocks = 64;
  const std::int64_t blocks =
      std::clamp<std::int64_t>((file.size() + kBlock - 1) / kBlock, 1, kBlocks);
  const std::int64_t last = std::max<std::int64_t>(0, file.size() - kBlock);
  std::vector<std::byte> block(static_cast<std::size_t>(kBlock));
  ContentHash hash;
  for (std::int64_t i = 0; i < blocks; ++i) {
    const std::int64_t at = blocks == 1 ? 0 : last * i / (blocks - 1);
    hash.update(std::span{block}.first(file.read_some(at, block)));
  }
  return fmt::format("{:016x}", hash.value());
}

std::int64_t nanoseconds_of(const timespec& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

/// When the file was last changed, by what it says and by what nobody can set.
struct Times {
  std::int64_t change = 0, status = 0;  ///< ns
};

/// @throws IoError  the file is gone.
Times times_of(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0)
    throw IoError(fmt::format("read {}: {}; give a file that can be read", file.string(),
                              std::system_category().message(errno)));
  return {nanoseconds_of(status.st_mtim), nanoseconds_of(status.st_ctim)};
}

/// Chunks that are written again have another time.
std::string identity_of_folder(const std::filesystem::path& folder) {
  ContentHash hash;
  const std::int64_t bytes = bytes_in(folder);
  std::int64_t changed = 0;
  for (const auto& file : files_in(folder)) {
    const Times times = times_of(file);
    const std::int64_t facts[] = {static_cast<std::int64_t>(std::filesystem::file_size(file)),
                                  times.change, bytes > kReadWhole ? times.status : 0};
    const std::string name = file.lexically_relative(folder).string();
    hash.update(std::as_bytes(std::span{name}));
    hash.update(std::as_bytes(std::span{facts}));
    changed = std::max(changed, times.change);
  }
  std::string content = fmt::format("{:016x}", hash.value());
  if (bytes <= kReadWhole) content += hash_file(folder);
  return text_of({{"bytes", bytes}, {"time of change", changed}, {"content", content}});
}

/// What changes with a file: of a folder, with any file in it. Nobody can set the time of status.
std::string state_of_file(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return "is gone";
  if (!S_ISREG(status.st_mode)) return "no regular file";
  return fmt::format("{} {} {} {}.{} {}.{}", status.st_dev, status.st_ino, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                     status.st_ctim.tv_nsec);
}

/// Of a folder a hash of the states of all files in it: an image may have millions of chunks.
std::string state_of_input(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return state_of_file(path);
  ContentHash hash;
  for (const auto& file : files_in(path)) {
    const std::string line = file.string() + ' ' + state_of_file(file) + '\n';
    hash.update(std::as_bytes(std::span{line}));
  }
  return fmt::format("{:016x}", hash.value());
}

}  // namespace

void InputsAsRead::note(const std::filesystem::path& path) {
  const auto file = file_of(path);
  const auto is_this = [&](const Noted& noted) { return noted.file == file; };
  if (std::any_of(noted_.begin(), noted_.end(), is_this)) return;
  noted_.push_back({file, state_of_input(file)});
}

void InputsAsRead::require_unchanged() const {
  for (const auto& [file, state] : noted_)
    if (state_of_input(file) != state)
      throw InputChanged(fmt::format(
          "read {}: it was changed, removed or replaced while it was read (its size, its times or "
          "its inode), and the result may be of both; let nothing touch inputs, and give the "
          "command again",
          file.string()));
}

std::vector<InputRecord> InputsAsRead::records(const std::vector<std::filesystem::path>& recorded,
                                               const StopFlag* stop) {
  note(recorded);
  require_unchanged();
  std::vector<InputRecord> records;
  for (const auto& path : recorded) {
    const auto file = file_of(path);
    records.push_back({path, bytes_in(file), hash_file(file, stop)});
  }
  require_unchanged();  // so these are the bytes that were read
  return records;
}

std::string identity_of_input(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(file_of(path))) return identity_of_folder(file_of(path));
  const InputFile file{file_of(path)};
  const Times times = times_of(file_of(path));
  const bool is_small = file.size() <= kReadWhole;
  Json identity{{"bytes", file.size()},
                {"time of change", times.change},
                {"content", is_small ? hash_file(file.path()) : hash_of_sample(file)}};
  if (!is_small) identity["time of status"] = times.status;
  return text_of(identity);
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "imageio/run/input_identity.hpp"
#include <fmt/format.h>
#include <sys/stat.h>
#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>
#include "core/base/json.hpp"
#include "imageio/image/name.hpp"
#include "imageio/input/file.hpp"
#include "imageio/input/folder_files.hpp"
#include "imageio/run/content_hash.hpp"

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

/// When the file was last written to, in ns. @throws IoError  the file is gone.
std::int64_t time_of_change(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0)
    throw IoError(fmt::format("read {}: {}; give a file that can be read", file.string(),
                              std::system_category().message(errno)));
  return status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
}

/// A chunk that is written again has another time.
std::string identity_of_folder(const std::filesystem::path& folder) {
  ContentHash hash;
  const std::int64_t bytes = bytes_in(folder);
  std::int64_t changed = 0;
  for (const auto& file : files_in(folder)) {
    const std::int64_t facts[] = {static_cast<std::int64_t>(std::filesystem::file_size(file)),
                                  time_of_change(file)};
    const std::string name = file.lexically_relative(folder).string();
    hash.update(std::as_bytes(std::span{name}));
    hash.update(std::as_bytes(std::span{facts}));
    changed = std::max(changed, facts[1]);
  }
  std::string content = fmt::format("{:016x}", hash.value());
  if (bytes <= kReadWhole) content += hash_file(folder);
  return text_of({{"bytes", bytes}, {"time of change", changed}, {"content", content}});
}

/// What changes when a file is written to or replaced. The time of its status is left out: a new
/// link or other permissions set it.
std::string state_of_file(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return "is gone";
  if (!S_ISREG(status.st_mode)) return "not a regular file";
  return fmt::format("{} {} {} {}.{:09}", status.st_dev, status.st_ino, status.st_size,
                     status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/// For a folder a hash of the states of all files in it: an image may have millions of chunks.
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

InputsAsRead::Noted* InputsAsRead::find(const std::filesystem::path& path) {
  const auto place = places_.find(path.string());
  return place == places_.end() ? nullptr : &noted_[place->second];
}

void InputsAsRead::insert(std::size_t place, const std::vector<std::filesystem::path>& paths) {
  std::vector<Noted> more;
  for (const auto& path : paths) {
    if (!places_.emplace(path.string(), place + more.size()).second) continue;
    const auto file = file_of(path);
    auto state = states_.find(file.string());
    if (state == states_.end()) state = states_.emplace(file.string(), state_of_input(file)).first;
    more.push_back({path, file, state->second});
  }
  const auto behind = static_cast<std::ptrdiff_t>(place);
  noted_.insert(noted_.begin() + behind, more.begin(), more.end());
  for (std::size_t i = place + more.size(); i < noted_.size(); ++i)
    places_[noted_[i].path.string()] = i;
}

void InputsAsRead::note_image(const std::filesystem::path& given, const ImageInfo& info) {
  note(given);
  insert(static_cast<std::size_t>(find(given) - noted_.data()) + 1, files_of(given, info));
  std::string& axes = find(given)->axes;
  axes = info.axes_text();
  if (info.images.size() > 1)
    axes += fmt::format("; image {} of {}", info.image, info.images.size());
}

void InputsAsRead::record_now(const std::filesystem::path& path) {
  Noted* const input = find(path);
  if (!input || input->recorded) return;
  require_unchanged(*input);
  InputRecord record = record_of(*input, *digests_, nullptr, nullptr);
  require_unchanged(*input);  // so these are the bytes that were read
  input->recorded = std::move(record);
}

void InputsAsRead::require_unchanged(const Noted& input) {
  if (!input.recorded && state_of_input(input.file) != input.state)
    throw InputChanged(fmt::format(
        "read {}: it was changed, removed or replaced during the run (its size, its time of "
        "change or its inode), and the result may be a mixture; do not change inputs while a run "
        "reads them, and run the command again",
        input.file.string()));
}

void InputsAsRead::require_unchanged() const {
  for (const Noted& input : noted_) require_unchanged(input);
}

InputRecord InputsAsRead::record_of(const Noted& input, ReadDigests& digests, TaskPool* pool,
                                    const StopFlag* stop) {
  InputRecord record{.path = input.path, .bytes = bytes_in(input.file), .axes = input.axes};
  if (std::filesystem::is_directory(input.file)) {
    record.xxh64 = hash_file(input.file, stop);
    return record;
  }
  const InputFile file{input.file};
  const ContentDigests found = digests.of(input.file, file.size())->finish(file, pool, stop);
  record.xxh64 = found.xxh64;
  record.xxh3_tree = found.xxh3_tree;
  return record;
}

std::vector<InputRecord> InputsAsRead::records(TaskPool* pool, const StopFlag* stop) const {
  require_unchanged();
  std::vector<InputRecord> records;
  for (const Noted& input : noted_)
    records.push_back(input.recorded ? *input.recorded : record_of(input, *digests_, pool, stop));
  require_unchanged();  // so these are the bytes that were read
  return records;
}

std::string identity_of_input(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(file_of(path))) return identity_of_folder(file_of(path));
  const InputFile file{file_of(path)};
  const bool is_small = file.size() <= kReadWhole;
  return text_of({{"bytes", file.size()},
                  {"time of change", time_of_change(file.path())},
                  {"content", is_small ? hash_file(file.path()) : hash_of_sample(file)}});
}

}  // namespace synthoscope::imageio

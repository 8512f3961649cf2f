// SPDX-License-Identifier: MIT
#include "imageio/output/leftover.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPermissions = 07777;
constexpr std::string_view kPartialSuffix = ".partial";

/// At most `most` bytes from the beginning of a file; empty if it cannot be read.
std::string first_text_of(const fs::path& path, std::size_t most) {
  std::error_code failure;
  const auto size = fs::file_size(path, failure);
  if (failure) return {};
  std::string text(std::min<std::size_t>(size, most), '\0');
  std::ifstream file{path, std::ios::binary};
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  return file ? text : std::string{};
}

bool look_at(const fs::path& path, struct stat& status) {
  return ::lstat(path.c_str(), &status) == 0;
}

bool is_marked(const fs::path& path) {
  struct stat status {};
  return look_at(path, status) && (status.st_mode & kUnfinishedMode) != 0;
}

/// The unfinished output that a journal or a list of shares lies next to.
fs::path partial_of(const fs::path& companion) {
  const std::string name = companion.filename().string();
  const auto at = name.rfind(std::string{kPartialSuffix} + '.');
  if (at == std::string::npos) return {};
  return companion.parent_path() / name.substr(0, at + kPartialSuffix.size());
}

/// A checksum, and the record with which a journal begins.
bool begins_as_journal(const std::string& text) {
  constexpr std::size_t kChecksum = 16;
  constexpr std::string_view kBegin = " {\"format\":", kOurs = "\"program\":\"synthoscope\"";
  return text.size() > kChecksum &&
         std::all_of(text.begin(), text.begin() + kChecksum,
                     [](unsigned char c) { return std::isxdigit(c); }) &&
         std::string_view{text}.substr(kChecksum).starts_with(kBegin) &&
         text.find(kOurs) != std::string::npos;
}

/// Nothing is lost if `file` is replaced: it is not there, is empty, or is what `is_content` knows.
bool is_ours_by(const fs::path& file, bool (*is_content)(const fs::path&)) {
  struct stat status {};
  if (!look_at(file, status)) return true;
  if (!S_ISREG(status.st_mode)) return false;
  if (status.st_size == 0 || is_content(file)) return true;
  // A process that was killed while it wrote the first line had marked its output before
  const fs::path partial = partial_of(file);
  return !partial.empty() && is_marked(partial);
}

bool holds_journal(const fs::path& file) {
  constexpr std::size_t kFirstLine = 128;
  return begins_as_journal(first_text_of(file, kFirstLine));
}

constexpr std::size_t kLongestRecord = std::size_t{1} << 28;

bool is_of_this_program(const std::optional<Json>& json) {
  return json && json->is_object() && json->contains("program") &&
         json->at("program") == "synthoscope";
}

bool holds_shares(const fs::path& file) {
  return is_of_this_program(try_parse_json(first_text_of(file, kLongestRecord)));
}

bool holds_record(const fs::path& file) {
  const auto json = try_parse_json(first_text_of(file, kLongestRecord));
  return is_of_this_program(json) && json->contains("command_line") && json->contains("inputs");
}

bool is_companion(const fs::path& path, bool (*is_content)(const fs::path&)) {
  struct stat status {};
  return look_at(path, status) && S_ISREG(status.st_mode) && is_content(path);
}

/// Returns whether a run may begin anew at the name that its output has until it is whole: nothing
/// is there, it is empty or marked, or a journal of this program lies next to it.
bool may_replace_partial(const fs::path& partial, bool is_folder) {
  struct stat status {};
  if (!look_at(partial, status)) return true;
  if (is_folder ? !S_ISDIR(status.st_mode) : !S_ISREG(status.st_mode)) return false;
  if ((status.st_mode & kUnfinishedMode) != 0) return true;
  std::error_code ignored;
  if (is_folder ? fs::is_empty(partial, ignored) : status.st_size == 0) return true;
  // Not marked: an earlier version made it, or the file system has no sticky bit
  return is_companion(partial.string() + ".journal", holds_journal) ||
         is_companion(partial.string() + ".shares", holds_shares);
}

bool may_replace_journal(const fs::path& journal) {
  return is_ours_by(journal, holds_journal);
}

bool may_replace_shares(const fs::path& shares) {
  return is_ours_by(shares, holds_shares);
}

}  // namespace

void mark(int descriptor) noexcept {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && (status.st_mode & kUnfinishedMode) == 0)
    static_cast<void>(::fchmod(descriptor, (status.st_mode & kPermissions) | kUnfinishedMode));
}

void unmark(int descriptor) noexcept {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && (status.st_mode & kUnfinishedMode) != 0)
    static_cast<void>(::fchmod(descriptor, status.st_mode & kPermissions & ~kUnfinishedMode));
}

void mark_folder(const fs::path& folder) noexcept {
  struct stat status {};
  if (look_at(folder, status) && S_ISDIR(status.st_mode))
    static_cast<void>(::chmod(folder.c_str(), (status.st_mode & kPermissions) | kUnfinishedMode));
}

void require_leftover_is_ours(const fs::path& output, bool is_folder) {
  const auto refuse = [&](const fs::path& path, const char* what) {
    throw InvalidSpec(fmt::format("write {}: {} exists, and {}; move it, or choose another name",
                                  output.string(), path.string(), what));
  };
  const fs::path partial = partial_path(output), journal = journal_path(output),
                 shares = shares_path(output);
  if (!may_replace_partial(partial, is_folder))
    refuse(partial, "it was not left by a run of this program");
  if (!may_replace_journal(journal)) refuse(journal, "it is not a journal of this program");
  if (!may_replace_shares(shares)) refuse(shares, "it is not a list of shards of this program");
}

bool is_journal(const fs::path& path) {
  return is_companion(path, holds_journal);
}

bool may_replace_record(const fs::path& path) {
  struct stat status {};
  if (!look_at(path, status)) return true;
  return S_ISREG(status.st_mode) && (status.st_size == 0 || holds_record(path));
}

}  // namespace synthoscope::imageio

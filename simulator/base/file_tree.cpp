// SPDX-License-Identifier: MIT
#include "simulator/base/file_tree.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <cerrno>
#include <functional>
#include <string_view>
#include <system_error>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"
#include "imageio/input/folder_files.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

void require_done(std::error_code failure, std::string_view what, const fs::path& from,
                  const fs::path& to) {
  if (failure)
    throw IoError(fmt::format("write {}: {} cannot be {} there ({}); {}", to.string(),
                              from.string(), what, failure.message(),
                              remedy_of(failure.value(), "choose another folder")));
}

/// Flushes a file, or for a folder its whole disk, since a call for each of many files takes
/// longer.
void flush(const fs::path& tree, const fs::path& from) {
  const int descriptor = ::open(tree.c_str(), O_RDONLY | O_CLOEXEC);
  const bool is_done =
      descriptor >= 0 && (fs::is_directory(tree) ? ::syncfs(descriptor) : ::fsync(descriptor)) == 0;
  const int failure = is_done ? 0 : errno;
  if (descriptor >= 0) ::close(descriptor);
  require_done({failure, std::generic_category()}, "copied", from, tree);
}

void make_folder_of(const fs::path& file) {
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  require_done(failure, "put", file.parent_path(), file);
}

void copy_one(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::copy_file(from, to, failure);
  require_done(failure, "copied", from, to);
}

/// Calls `take` with each file and its new place.
void for_each_file(const fs::path& from, const fs::path& to,
                   const std::function<void(const fs::path&, const fs::path&)>& take) {
  for (const fs::path& file : imageio::files_in(from)) {
    const fs::path place = file == from ? to : to / file.lexically_relative(from);
    make_folder_of(place);
    take(file, place);
  }
}

}  // namespace

void copy_to_disk(const fs::path& from, const fs::path& to) {
  for_each_file(from, to, copy_one);
  flush(to, from);
}

void link_or_copy(const fs::path& from, const fs::path& to) {
  bool is_copied = false;
  for_each_file(from, to, [&](const fs::path& file, const fs::path& place) {
    std::error_code failure;
    fs::create_hard_link(file, place, failure);
    if (failure) copy_one(file, place);
    is_copied |= static_cast<bool>(failure);
  });
  if (is_copied) flush(to, from);
}

void move_to(const fs::path& from, const fs::path& to) {
  make_folder_of(to);
  std::error_code failure;
  fs::rename(from, to, failure);
  require_done(failure, "moved", from, to);
}

}  // namespace synthoscope::simulator

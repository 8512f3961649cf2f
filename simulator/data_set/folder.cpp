// SPDX-License-Identifier: MIT
#include "simulator/data_set/folder.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <string_view>
#include "core/base/error.hpp"
#include "core/system/file_bytes.hpp"
#include "core/system/system_failure.hpp"
#include "imageio/output/leftover.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_set(const fs::path& path, std::string_view what, int error) {
  throw IoError(fmt::format("write data set {}: {} ({}); {}", path.string(), what, cause_of(error),
                            remedy_of(error, "choose another folder with -o")));
}

void require_replaceable(const fs::path& path, bool overwrite, const KnownNames& known) {
  std::error_code failure;
  const auto status = fs::symlink_status(path, failure);
  if (!fs::exists(status)) return;
  if (!overwrite)
    throw InvalidSpec(fmt::format(
        "write data set {}: it exists; choose another folder with -o or give --overwrite",
        path.string()));
  if (!fs::is_directory(status))
    throw InvalidSpec(fmt::format(
        "write data set {}: it is not a folder; choose another name with -o", path.string()));
  if (const auto name = imageio::foreign_name(path, known); !name.empty())
    throw InvalidSpec(fmt::format(
        "write data set {}: it holds {}, which no simulation wrote and --overwrite would remove; "
        "choose another folder with -o",
        path.string(), name));
}

/// Returns the same path without a slash at its end, so that ".partial" joins the name.
fs::path without_slash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder without read permission can hold new names
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void DataSetFolder::require_free(const fs::path& path, bool overwrite, const KnownNames& known) {
  require_replaceable(without_slash(path), overwrite, known);
}

DataSetFolder::DataSetFolder(const fs::path& path, bool overwrite, const KnownNames& known)
    : path_{without_slash(path)}, partial_{path_}, overwrite_{overwrite}, known_{known} {
  partial_ += ".partial";
  require_replaceable(path_, overwrite, known);
  imageio::require_leftover_is_ours(path_, /*is_folder=*/true);

  if (::mkdir(partial_.c_str(), imageio::kUnfinishedMode | 0777) != 0 && errno != EEXIST)
    fail_set(path_, "its folder cannot be created", errno);
  descriptor_ = ::open(partial_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor_ < 0) fail_set(path_, partial_.string() + " is in the way", errno);
  try {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
      fail_set(path_, "another run is writing it", errno);
    if (const auto name = imageio::foreign_name(partial_, known); !name.empty())
      throw InvalidSpec(fmt::format(
          "write data set {}: {} is in the way and holds {}, which no simulation wrote; choose "
          "another folder with -o",
          path_.string(), partial_.string(), name));
    for (const auto& entry : fs::directory_iterator{partial_}) fs::remove_all(entry.path());
    imageio::mark(descriptor_);  // in case the folder existed already
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

DataSetFolder::~DataSetFolder() {
  std::error_code ignored;
  if (!committed_ && !kept_ && is_named(descriptor_, partial_)) fs::remove_all(partial_, ignored);
  ::close(descriptor_);
}

void DataSetFolder::make_folder(const std::string& folder) const {
  if (::mkdir((partial_ / folder).c_str(), 0777) != 0)
    fail_set(path_, "its folder " + folder + " cannot be created", errno);
}

void DataSetFolder::commit() {
  const auto require_own = [&] {
    if (!is_named(descriptor_, partial_))
      imageio::fail_lost(path_, partial_, "was removed or replaced");
  };
  require_own();
  for (const auto& entry : fs::recursive_directory_iterator{partial_})
    if (entry.is_directory()) sync_folder(entry.path());
  if (::fsync(descriptor_) != 0) fail_set(path_, "its folder cannot be flushed", errno);
  require_own();
  const int failure = imageio::put_folder_in_place(partial_, path_, overwrite_, known_);
  kept_ = failure == EEXIST;  // the set is whole: keep it
  if (kept_) imageio::fail_appeared(path_, partial_);
  if (failure != 0) fail_set(path_, "it cannot be renamed from " + partial_.string(), failure);
  committed_ = true;
  imageio::unmark(descriptor_);
}

}  // namespace synthoscope::simulator

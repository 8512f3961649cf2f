// SPDX-License-Identifier: MIT
#include "studio/run/made_files.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>
#include "studio/server/saved_scene.hpp"

namespace synthoscope::studio {
namespace {

/// A report has its styles and pictures in itself. Nothing in it runs, and it sends nothing.
constexpr const char* kPolicyOfPages =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; sandbox";

std::string_view type_of_made(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTypes{{
      {".png", "image/png"},
      {".csv", "text/plain; charset=utf-8"},
      {".txt", "text/plain; charset=utf-8"},
      {".toml", "text/plain; charset=utf-8"},
      {".yaml", "text/plain; charset=utf-8"},
      {".json", "application/json"},
      {".tif", "image/tiff"},
  }};
  for (const auto& [suffix, type] : kTypes)
    if (name.ends_with(suffix)) return type;
  return "application/octet-stream";
}

/// Owns an open file.
struct OpenFile {
  int number = -1;
  explicit OpenFile(int opened) : number{opened} {}
  OpenFile(OpenFile&& other) noexcept : number{std::exchange(other.number, -1)} {}
  OpenFile& operator=(OpenFile&& other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~OpenFile() {
    if (number >= 0) ::close(number);
  }
};

/// Opens a file by the folders that lead to it, none of which may be a symbolic link. A pipe does
/// not keep the caller waiting.
OpenFile opened_below(const std::filesystem::path& folder, const std::vector<std::string>& path) {
  OpenFile at{::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  for (std::size_t i = 0; i < path.size() && at.number >= 0; ++i) {
    const int kind = i + 1 < path.size() ? O_PATH | O_DIRECTORY : O_RDONLY | O_NONBLOCK;
    at = OpenFile{::openat(at.number, path[i].c_str(), kind | O_NOFOLLOW | O_CLOEXEC)};
  }
  return at;
}

/// Returns the bytes of a regular file; nothing if it cannot be read.
std::optional<std::string> content_of(const OpenFile& file, std::int64_t size) {
  std::string content(static_cast<std::size_t>(size), '\0');
  std::size_t has = 0;
  while (has < content.size()) {
    const ssize_t read = ::read(file.number, content.data() + has, content.size() - has);
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) return std::nullopt;
    has += static_cast<std::size_t>(read);
  }
  return content;
}

}  // namespace

void MadeFiles::add_data_set(const std::string& name) {
  const std::scoped_lock lock{mutex_};
  data_sets_.insert(name);
}

void MadeFiles::add_page(const std::string& name) {
  const std::scoped_lock lock{mutex_};
  pages_.insert(name);
}

bool MadeFiles::has_data_set(const std::string& name) const {
  const std::scoped_lock lock{mutex_};
  return data_sets_.contains(name);
}

bool MadeFiles::has_page(const std::string& name) const {
  const std::scoped_lock lock{mutex_};
  return pages_.contains(name);
}

bool MadeFiles::is_made(const std::vector<std::string>& path) const {
  if (!std::ranges::all_of(path, [](const std::string& name) { return is_plain_name(name); }))
    return false;
  return path.size() == 1 ? has_page(path.front()) : has_data_set(path.front());
}

Response MadeFiles::show(const std::vector<std::string>& path) const {
  const std::string name = fmt::format("{}", fmt::join(path, "/"));
  const auto refuse = [&](int status, std::string_view why) {
    throw RequestFailure(status, fmt::format("show {}: {}", name, why));
  };
  if (!is_made(path))
    refuse(404, "it is no file of a data set that was made here since the program started");
  const OpenFile file = opened_below(folder_, path);
  struct stat about {};
  if (file.number < 0 || ::fstat(file.number, &about) != 0 || !S_ISREG(about.st_mode))
    refuse(404, "there is no such file; make the data set again");
  if (about.st_size > kMostBytes)
    refuse(413, "it is too large for the page; open it in its folder");
  auto content = content_of(file, about.st_size);
  if (!content) refuse(404, "it cannot be read, or it is being changed; try again");
  const bool is_page = path.size() == 1;
  return {.type = is_page ? "text/html; charset=utf-8" : std::string{type_of_made(path.back())},
          .body = *std::move(content),
          .events = nullptr,
          .policy = is_page ? kPolicyOfPages : ""};
}

}  // namespace synthoscope::studio

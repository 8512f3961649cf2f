// SPDX-License-Identifier: MIT
#include "studio/files/saved_image.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cstring>
#include <system_error>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/formats.hpp"
#include "imageio/input/file.hpp"
#include "imageio/output/partial_file.hpp"
#include "studio/server/saved_scene.hpp"

namespace synthoscope::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostListed = 500;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// Returns what the page can do with an entry of the folder; null: nothing.
const char* kind_of(const fs::directory_entry& entry) {
  std::error_code ignored;
  const fs::path& path = entry.path();
  if (!is_plain_name(path.filename().string())) return nullptr;
  const imageio::ImageFormat* const format = imageio::format_with_extension_of(path);
  if (format && format->is_folder) return entry.is_directory(ignored) ? "image" : nullptr;
  if (!entry.is_regular_file(ignored)) return nullptr;
  if (format) return "image";
  return path.extension() == ".toml" ? "toml" : nullptr;
}

/// Calls `take` with the pieces of a file, one after another, until it returns false.
template <class Take>
bool for_each_piece(const UnnamedFile& file, Take&& take) {
  std::vector<std::byte> piece(kPieceBytes);
  for (std::int64_t at = 0; at < file.size();) {
    const std::size_t size = file.read_some(at, piece);
    if (size == 0 || !take(at, std::span{piece.data(), size})) return false;
    at += static_cast<std::int64_t>(size);
  }
  return true;
}

bool has_content_of(const fs::path& path, const UnnamedFile& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(fs::symlink_status(path, ignored))) return false;
  const imageio::InputFile other{path};
  if (other.size() != file.size()) return false;
  std::vector<std::byte> theirs(kPieceBytes);
  return for_each_piece(file, [&](std::int64_t at, std::span<const std::byte> ours) {
    const std::size_t size = other.read_some(at, {theirs.data(), ours.size()});
    return size == ours.size() && std::memcmp(theirs.data(), ours.data(), size) == 0;
  });
}

void write_copy(const UnnamedFile& file, const fs::path& path, bool may_replace) {
  imageio::PartialFile copy{path, may_replace};
  copy.allocate(file.size());
  for_each_piece(file, [&](std::int64_t at, std::span<const std::byte> piece) {
    copy.write_at(at, piece);
    return true;
  });
  copy.commit();
}

}  // namespace

Json files_json(const fs::path& folder) {
  std::vector<std::pair<std::string, const char*>> found;
  std::error_code failure;
  for (fs::directory_iterator at{folder, failure}; !failure && at != fs::directory_iterator{};
       at.increment(failure))
    if (const char* const kind = kind_of(*at))
      found.emplace_back(at->path().filename().string(), kind);
  if (failure)
    throw IoError(fmt::format("list the files in {}: {}; is the folder still there?",
                              folder.string(), failure.message()));
  std::ranges::sort(found);
  found.resize(std::min(found.size(), kMostListed));
  Json files = Json::array();
  for (const auto& [name, kind] : found) files.push_back({{"name", name}, {"kind", kind}});
  return {{"files", files}};
}

void save_image(const UnnamedFile& file, const fs::path& folder, const std::string& name,
                bool may_replace) {
  const imageio::ImageFormat* const format = imageio::format_with_extension_of(name);
  if (!is_plain_name(name) || !format || format->is_folder)
    throw InvalidSpec(fmt::format(
        "save an image as '{}': only a plain file name that ends as images do, such as psf.tif, is "
        "accepted",
        name));
  if (has_content_of(folder / name, file)) return;
  save_in(folder, name, may_replace,
          [&](const fs::path& path) { write_copy(file, path, may_replace); });
}

}  // namespace synthoscope::studio

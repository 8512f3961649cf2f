// SPDX-License-Identifier: MIT
#include "core/cuda/code/code_archive.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <algorithm>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>
#include "core/base/error.hpp"
#include "core/system/file_bytes.hpp"

namespace synthoscope::cuda {
namespace {

/// Then a Head, its entries by ascending keys, and the frames of zstd.
constexpr std::string_view kArchiveFormat = "synthoscope archive of device code 1\n";
constexpr int kLevel = 19;  // packing takes about as long as compiling; unpacking stays fast
/// More than any program has; a damaged file does not make us allocate without bound.
constexpr std::uint64_t kMaxUnpacked = std::uint64_t{64} << 20;

struct Head {
  std::uint64_t entries = 0;
  std::uint64_t hash = 0;  ///< of the entries
};
struct Entry {
  WideHash key{};
  std::uint64_t offset = 0, bytes = 0, unpacked_bytes = 0;
};
static_assert(std::has_unique_object_representations_v<Entry>);

template <class T>
void append(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::span<std::byte> writable_bytes(std::string& text) {
  return std::as_writable_bytes(std::span{text.data(), text.size()});
}

bool is_read(int descriptor, std::uint64_t offset, std::span<std::byte> out) {
  return read_bytes(descriptor, static_cast<std::int64_t>(offset), out).bytes == out.size();
}

/// Returns the entries of an archive whose file has `bytes`; none if they are damaged.
std::vector<Entry> read_entries(int descriptor, std::uint64_t bytes) {
  std::string format(kArchiveFormat.size(), '\0');
  Head head;
  if (!is_read(descriptor, 0, writable_bytes(format)) || format != kArchiveFormat ||
      !is_read(descriptor, kArchiveFormat.size(), std::as_writable_bytes(std::span{&head, 1})) ||
      head.entries > bytes / sizeof(Entry))
    return {};
  std::vector<Entry> entries(head.entries);
  const auto as_bytes = std::as_writable_bytes(std::span{entries});
  if (!is_read(descriptor, kArchiveFormat.size() + sizeof head, as_bytes) ||
      BlockHash::of(as_bytes) != head.hash)
    return {};
  return entries;
}

}  // namespace

std::filesystem::path archive_path(const std::filesystem::path& folder, int capability) {
  return folder / fmt::format("sm_{}", capability);
}

std::filesystem::path packaged_code_folder() {
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return {};
  return program.parent_path().parent_path() / "share" / "synthoscope" / "kernels";
}

CodeArchive::CodeArchive(const std::filesystem::path& path)
    : descriptor_{::open(path.c_str(), O_RDONLY | O_CLOEXEC)} {
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) return;
  for (const Entry& e : read_entries(descriptor_, static_cast<std::uint64_t>(status.st_size)))
    places_.insert({e.key, {e.offset, e.bytes, e.unpacked_bytes}});
}

CodeArchive::~CodeArchive() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<CompiledCode> CodeArchive::find(const CompileRequest& request) const {
  if (places_.empty()) return std::nullopt;
  const auto found = places_.find(key_of(request));
  if (found == places_.end()) return std::nullopt;
  const Place& place = found->second;
  if (std::max(place.bytes, place.unpacked_bytes) > kMaxUnpacked) return std::nullopt;
  std::string frame(place.bytes, '\0'), text(place.unpacked_bytes, '\0');
  if (!is_read(descriptor_, place.offset, writable_bytes(frame)) ||
      ZSTD_decompress(text.data(), text.size(), frame.data(), frame.size()) != text.size())
    return std::nullopt;
  return code_in(text);
}

void CodeArchiveWriter::add(const CompileRequest& request, const CompiledCode& code) {
  const std::string text = text_of(code);
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ZSTD_compress(frame.data(), frame.size(), text.data(), text.size(), kLevel);
  if (ZSTD_isError(size))
    throw Error(fmt::format("pack device code: zstd reports {}", ZSTD_getErrorName(size)));
  frame.resize(size);
  const std::scoped_lock lock{adding_};
  packed_.try_emplace(key_of(request), Packed{std::move(frame), text.size()});
}

std::string CodeArchiveWriter::text() const {
  std::vector<Entry> entries;
  std::uint64_t offset = kArchiveFormat.size() + sizeof(Head) + packed_.size() * sizeof(Entry);
  for (const auto& [key, packed] : packed_) {
    entries.push_back({key, offset, packed.frame.size(), packed.unpacked_bytes});
    offset += packed.frame.size();
  }
  std::string text{kArchiveFormat};
  append(text, Head{entries.size(), BlockHash::of(std::as_bytes(std::span{entries}))});
  for (const Entry& entry : entries) append(text, entry);
  for (const auto& [key, packed] : packed_) text += packed.frame;
  return text;
}

}  // namespace synthoscope::cuda

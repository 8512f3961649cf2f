// SPDX-License-Identifier: MIT
#include "imageio/input_identity.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <vector>
#include "core/json.hpp"
#include "imageio/content_hash.hpp"
#include "imageio/folder_files.hpp"
#include "imageio/image_name.hpp"
#include "imageio/input_file.hpp"

namespace synthoscope::imageio {
namespace {

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

/// Chunks that are written again have another time.
std::string identity_of_folder(const std::filesystem::path& folder) {
  ContentHash hash;
  std::int64_t bytes = 0, changed = 0;
  for (const auto& file : files_in(folder)) {
    const std::int64_t facts[] = {
        static_cast<std::int64_t>(std::filesystem::file_size(file)),
        std::filesystem::last_write_time(file).time_since_epoch().count()};
    const std::string name = file.lexically_relative(folder).string();
    hash.update(std::as_bytes(std::span{name}));
    hash.update(std::as_bytes(std::span{facts}));
    bytes += facts[0];
    changed = std::max(changed, facts[1]);
  }
  return text_of({{"bytes", bytes},
                  {"time of change", changed},
                  {"content", fmt::format("{:016x}", hash.value())}});
}

}  // namespace

std::string identity_of_input(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(file_of(path))) return identity_of_folder(file_of(path));
  const InputFile file{file_of(path)};
  const auto changed = std::filesystem::last_write_time(file_of(path)).time_since_epoch().count();
  return text_of(
      {{"bytes", file.size()}, {"time of change", changed}, {"content", hash_of_sample(file)}});
}

}  // namespace synthoscope::imageio

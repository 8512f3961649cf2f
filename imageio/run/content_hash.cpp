// SPDX-License-Identifier: MIT
#include "imageio/run/content_hash.hpp"
#include <fmt/format.h>
#include "imageio/input/file.hpp"
#include "imageio/input/folder_files.hpp"
#include "imageio/input/read_in_order.hpp"

namespace synthoscope::imageio {

std::string hash_file(const std::filesystem::path& path, const StopFlag* stop) {
  ContentHash hash;
  for (const auto& one : files_in(path)) {
    const std::string name = one == path ? "" : one.lexically_relative(path).string();
    hash.update(std::as_bytes(std::span{name}));
    const InputFile file{one};
    read_in_order(file, 0, file.size(), stop,
                  [&](std::int64_t, std::span<const std::byte> piece) { hash.update(piece); });
  }
  return fmt::format("{:016x}", hash.value());
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "imageio/output/atomic_file.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {

void write_file_atomically(const std::filesystem::path& path, std::string_view content,
                           bool overwrite) {
  write_file_atomically(path, std::as_bytes(std::span{content.data(), content.size()}), overwrite);
}

void write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> content,
                           bool overwrite) {
  PartialFile file{path, overwrite};
  file.allocate(static_cast<std::int64_t>(content.size()));
  file.write_at(0, content);
  file.commit();
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
// tests/fuzz/zarr.cpp — folders of Zarr: what a group and its array say, and a chunk.
#include <algorithm>
#include <filesystem>
#include <string>
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/read_image.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::fuzz {
namespace {

/// Cut from `bytes` up to the next line that is "---", or to their end.
std::string_view taken_part(std::string_view& bytes) {
  constexpr std::string_view kEnd = "\n---\n";
  const auto end = std::min(bytes.find(kEnd), bytes.size());
  const std::string_view part = bytes.substr(0, end);
  bytes.remove_prefix(std::min(end + kEnd.size(), bytes.size()));
  return part;
}

}  // namespace

/// The first byte says which version of Zarr; then follow the group, the array and the chunk.
void read(std::string_view bytes) {
  static const test::TemporaryFolder folder;
  if (bytes.empty()) return;
  const bool is_3 = bytes.front() == '3';
  bytes.remove_prefix(1);
  const std::string_view group = taken_part(bytes), array = taken_part(bytes);
  const std::string image = is_3 ? "3.ome.zarr" : "2.ome.zarr";
  const std::string chunks = image + (is_3 ? "/0/c/0/0" : "/0/0/0");
  std::filesystem::create_directories(folder / chunks);
  if (!is_3) folder.write(image + "/.zgroup", R"({"zarr_format": 2})");
  folder.write(image + (is_3 ? "/zarr.json" : "/.zattrs"), group);
  folder.write(image + (is_3 ? "/0/zarr.json" : "/0/.zarray"), array);
  folder.write(chunks + "/0", bytes);
  read_image(folder / image);
}

}  // namespace synthoscope::fuzz

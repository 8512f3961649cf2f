// SPDX-License-Identifier: MIT
#include "imageio/zarr/labels.hpp"
#include "core/base/json.hpp"
#include "imageio/output/atomic_file.hpp"

namespace synthoscope::imageio {

void write_label_list(const std::filesystem::path& image, FileFormat format,
                      const std::vector<std::string>& names) {
  const auto write = [&](const char* file, const Json& json) {
    write_file_atomically(image / "labels" / file, indented_text_of(json) + '\n', false);
  };
  if (format == FileFormat::zarr3) {
    const Json attributes{{"ome", {{"version", "0.5"}, {"labels", names}}}};
    return write("zarr.json",
                 {{"zarr_format", 3}, {"node_type", "group"}, {"attributes", attributes}});
  }
  write(".zgroup", {{"zarr_format", 2}});
  write(".zattrs", {{"labels", names}});
}

}  // namespace synthoscope::imageio

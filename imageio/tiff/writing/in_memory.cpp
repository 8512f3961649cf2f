// SPDX-License-Identifier: MIT
#include "imageio/tiff/writing/in_memory.hpp"
#include <cstring>
#include "core/base/assert.hpp"
#include "imageio/tiff/planes/description.hpp"
#include "imageio/tiff/writing/layout.hpp"
#include "imageio/tiff/writing/writer.hpp"

namespace synthoscope::imageio {

std::string tiff_in_memory(const ImageSpec& spec, ConstVoxelView voxels, std::string_view name) {
  SYNTHOSCOPE_ASSERT(spec.extent, ==, voxels.extent());
  SYNTHOSCOPE_ASSERT(spec.type, ==, voxels.type());
  SYNTHOSCOPE_ASSERT(voxels.is_contiguous(), ==, true);
  check_tiff(name, spec);
  const TiffLayout layout = lay_out_tiff(name, spec, describe(spec, name, {}));
  std::string file(static_cast<std::size_t>(layout.total_bytes), '\0');
  std::memcpy(file.data(), layout.head.data(), layout.head.size());
  std::memcpy(file.data() + layout.pixels_offset, voxels.data(),
              static_cast<std::size_t>(voxels.bytes()));
  return file;
}

}  // namespace synthoscope::imageio

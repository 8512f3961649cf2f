// SPDX-License-Identifier: MIT
// tests/fuzz/bdv_xml.cpp — BigDataViewer's XML, beside the images that our writer makes.
#include "core/volume/box.hpp"
#include "imageio/create.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/read_image.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::fuzz {
namespace {

struct SeriesFolder : test::TemporaryFolder {
  SeriesFolder() {
    imageio::ImageSpec spec;
    spec.extent = {3, 9, 11};
    spec.type = PixelType::uint16;
    spec.format = imageio::FileFormat::bdv;
    const auto file = imageio::create_image(*this / "image.h5", spec);
    const auto voxels = test::pattern<std::uint16_t>(spec.extent);
    file->write(whole(spec.extent), ConstVoxelView{voxels.view()});
    file->close();
  }
};

}  // namespace

void read(std::string_view bytes) {
  static const SeriesFolder folder;
  read_image(folder.write("image.xml", bytes));
}

}  // namespace synthoscope::fuzz

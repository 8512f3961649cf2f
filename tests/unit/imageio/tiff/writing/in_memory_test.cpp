// SPDX-License-Identifier: MIT
#include "imageio/tiff/writing/in_memory.hpp"
#include <gtest/gtest.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#include "core/volume/box.hpp"
#include "imageio/create.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::imageio {
namespace {

TEST(TiffInMemory, HasTheBytesOfTheFile) {
  const test::TemporaryFolder folder;
  for (const TiffFlavor flavor : {TiffFlavor::ome, TiffFlavor::plain}) {
    ImageSpec spec;
    spec.extent = {3, 5, 7};
    spec.type = PixelType::uint16;
    spec.flavor = flavor;
    spec.z_um = 0.3;
    spec.y_um = spec.x_um = 0.1;
    spec.channel = ImageChannel{"gfp", 509, {}, {}};
    spec.overwrite = true;
    std::vector<std::uint16_t> voxels(3 * 5 * 7);
    for (std::size_t i = 0; i < voxels.size(); ++i) voxels[i] = static_cast<std::uint16_t>(31 * i);
    const HostView3<const std::uint16_t> view{voxels.data(), spec.extent};

    const auto path = folder.path() / "image.tif";
    const auto file = create_image(path, spec);
    file->write(whole(spec.extent), view);
    file->close();
    std::ifstream stream{path, std::ios::binary};
    const std::string written{std::istreambuf_iterator<char>{stream}, {}};
    EXPECT_EQ(tiff_in_memory(spec, view, "image.tif") == written, true);
  }
}

}  // namespace
}  // namespace synthoscope::imageio

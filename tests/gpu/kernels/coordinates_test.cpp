// SPDX-License-Identifier: MIT
// Coordinates that a device makes as a product of matrices are those of the host, bit for bit.
#include "kernels/device/coordinates/coordinates.hpp"
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::kernels::device {
namespace {

constexpr std::array<double, 6> kMatrix{0.3, 1.0 / 7, 200.1, -0.6, 1.7e-5, 12345678.9};

struct ProductCase {
  const char* name;
  CoordinateProduct how;
  ProductTile tile{};
};

const ProductCase kProducts[] = {
    {"fused", CoordinateProduct::fused},
    {"naive", CoordinateProduct::naive},
    {"tiled", CoordinateProduct::tiled},
    {"tiled_in_squares_of_three", CoordinateProduct::tiled, {3, 3, 3}},
    {"tiled_twice_along_the_sum", CoordinateProduct::tiled, {16, 16, 2}},
    {"summa", CoordinateProduct::summa},
};

class DeviceCoordinateProduct : public cuda::GpuTest,
                                public testing::WithParamInterface<ProductCase> {};

TEST_P(DeviceCoordinateProduct, MakesTheBitsOfTheHost) {
  const cuda::Stream stream{device};
  const CoordinateProducts products{info, GetParam().how, GetParam().tile};
  for (const PixelBox& box : {PixelBox{0, 0, 1, 1}, {3, 5, 7, 131}, {1 << 25, 9, 65, 3}}) {
    const std::int64_t count = CoordinateProducts::doubles(box.lines, box.columns);
    const cuda::DeviceBuffer<double> there{device, memory, count, "coordinates"};
    const DeviceCoordinates made = products.enqueue(stream, kMatrix, box, there.data());
    std::vector<double> found(static_cast<std::size_t>(count));
    cuda::enqueue_copy(stream, found.data(), there.data(), there.bytes());
    stream.finish();
    const std::int64_t first = made.values - there.data();
    for (std::int64_t y = 0; y < box.lines; ++y)
      for (std::int64_t x = 0; x < box.columns; ++x)
        for (std::int64_t i = 0; i < 2; ++i) {
          const double* const row = kMatrix.data() + 3 * i;
          ASSERT_EQ(
              found[static_cast<std::size_t>(first + i * made.steps.row_step +
                                             y * made.steps.line_step + x)],
              (row[0] * static_cast<double>(box.y + y) + row[1] * static_cast<double>(box.x + x)) +
                  row[2])
              << "axis " << i << " of pixel " << y << ", " << x;
        }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, DeviceCoordinateProduct, testing::ValuesIn(kProducts),
                         synthoscope::test::kCaseName);

}  // namespace
}  // namespace synthoscope::kernels::device

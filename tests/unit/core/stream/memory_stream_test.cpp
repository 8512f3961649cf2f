// SPDX-License-Identifier: MIT
#include "core/stream/memory_stream.hpp"
#include <gtest/gtest.h>
#include <numeric>
#include "tests/support/case_name.hpp"

namespace synthoscope {
namespace {

template <class T>
Volume<T> counted(const Extent3& extent) {
  Volume<T> v{extent};
  std::iota(v.voxels.begin(), v.voxels.end(), T{0});
  return v;
}

struct BoxCase {
  const char* name;
  Box3 box;
};

constexpr BoxCase kBoxCases[] = {
    {"whole", {{0, 0, 0}, {3, 4, 5}}},     {"one_voxel", {{2, 3, 4}, {1, 1, 1}}},
    {"one_plane", {{1, 0, 0}, {1, 4, 5}}}, {"rows", {{0, 1, 0}, {3, 2, 5}}},
    {"within", {{1, 1, 2}, {2, 2, 2}}},    {"nothing", {{1, 1, 1}, {0, 0, 0}}},
};

class MemoryBox : public testing::TestWithParam<BoxCase> {};

TEST_P(MemoryBox, IsReadFromItsPlace) {
  const auto volume = counted<std::int16_t>({3, 4, 5});
  const Box3 box = GetParam().box;
  MemorySource source{volume.view()};
  EXPECT_EQ(source.extent(), volume.extent);
  EXPECT_EQ(source.pixel_type(), PixelType::int16);
  Volume<std::int16_t> out{box.size};
  source.read(box, out.view());
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y)
      for (std::int64_t x = 0; x < box.size.x; ++x)
        EXPECT_EQ(out.view()(z, y, x),
                  volume.view()(box.origin.z + z, box.origin.y + y, box.origin.x + x));
}

TEST_P(MemoryBox, IsWrittenToItsPlaceAndNowhereElse) {
  Volume<std::int16_t> volume{{3, 4, 5}};
  const Box3 box = GetParam().box;
  auto in = counted<std::int16_t>(box.size);
  for (auto& v : in.voxels) v = static_cast<std::int16_t>(v + 1);
  MemorySink sink{volume.view()};
  EXPECT_EQ(sink.accepts(), BoxOrder::any);
  sink.write(box, std::as_const(in).view());
  sink.close();
  std::int64_t inside = 0;
  for (std::int64_t z = 0; z < 3; ++z)
    for (std::int64_t y = 0; y < 4; ++y)
      for (std::int64_t x = 0; x < 5; ++x) {
        const Box3 voxel{{z, y, x}, {1, 1, 1}};
        const bool in_box = is_positive(intersection(voxel, box).size);
        EXPECT_EQ(volume.view()(z, y, x),
                  in_box ? in.voxels[static_cast<std::size_t>(inside++)] : 0);
      }
}

INSTANTIATE_TEST_SUITE_P(Table, MemoryBox, testing::ValuesIn(kBoxCases), test::kCaseName);

TEST(MemoryStream, WorksOnRowsThatLieApart) {
  std::vector<float> wide(2 * 3 * 7, -1);
  const HostView3<float> view{wide.data(), {2, 3, 4}, 7};
  const auto in = counted<float>({2, 3, 4});
  MemorySink{view}.write(whole(in.extent), in.view());
  EXPECT_EQ(wide[4], -1) << "the gap behind a row is not the volume's";
  Volume<float> out{in.extent};
  MemorySource{HostView3<const float>{view}}.read(whole(in.extent), out.view());
  EXPECT_EQ(out.voxels, in.voxels);
}

TEST(ReadAll, ConvertsEveryType) {
  for (const auto type :
       {PixelType::int8, PixelType::uint8, PixelType::int16, PixelType::uint16, PixelType::int32,
        PixelType::uint32, PixelType::float32, PixelType::float64})
    visit_pixel_type(type, [&](auto zero) {
      const auto volume = counted<decltype(zero)>({2, 3, 4});
      MemorySource source{volume.view()};
      EXPECT_EQ(read_all<float>(source).voxels, counted<float>({2, 3, 4}).voxels) << name_of(type);
      EXPECT_EQ(read_all<double>(source).voxels, counted<double>({2, 3, 4}).voxels)
          << name_of(type);
    });
}

TEST(PixelTypes, HaveNamesOfNumpyAndTheirSizes) {
  for (const auto& [name, bytes] : {std::pair<const char*, std::int64_t>{"int8", 1},
                                    {"uint8", 1},
                                    {"int16", 2},
                                    {"uint16", 2},
                                    {"int32", 4},
                                    {"uint32", 4},
                                    {"float32", 4},
                                    {"float64", 8}}) {
    const auto type = pixel_type_named(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(name_of(*type), name);
    EXPECT_EQ(size_of(*type), bytes);
    EXPECT_EQ(is_floating(*type), name[0] == 'f');
  }
  EXPECT_EQ(pixel_type_named("complex64"), std::nullopt);
}

}  // namespace
}  // namespace synthoscope

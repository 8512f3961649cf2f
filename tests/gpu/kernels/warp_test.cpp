// SPDX-License-Identifier: MIT
// A device bends images as the host does, to the last bit: homographies, landmarks and fields of
// displacements, in every boundary, in bricks as at once.
#include "kernels/coordinates/warp.hpp"
#include <array>
#include <cmath>
#include <optional>
#include "tests/gpu/kernels/lookup_case.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::kernels::device {
namespace {

using SomeMap = std::shared_ptr<const CoordinateMap>;

SomeMap homography(const ProjectiveMap::Matrix& matrix) {
  return std::make_shared<ProjectiveMap>(matrix);
}

/// Places all over the result that move by up to `far` voxels.
SomeMap landmarks(const Extent3& result, double far) {
  std::mt19937 random{5};
  const auto share = [&] { return static_cast<double>(random()) / 0x1p32; };
  std::vector<Landmark> all(12);
  for (auto& [place, image] : all) {
    place = {result.z == 1 ? 0 : share() * static_cast<double>(result.z),
             share() * static_cast<double>(result.y), share() * static_cast<double>(result.x)};
    const auto moved = [&](double from) { return from + (2 * share() - 1) * far; };
    image = {result.z == 1 ? 0 : moved(place.z), moved(place.y), moved(place.x)};
  }
  return std::make_shared<ThinPlateMap>(all);
}

/// A map with the field that it reads.
struct Field {
  std::array<Volume<float>, 3> axes;
  std::optional<DisplacementMap> map;
};

/// By up to `far` voxels; the map keeps its field.
SomeMap displacements(const Extent3& result, bool has_z, float far, bool has_wild_ones = false) {
  const auto field = std::make_shared<Field>();
  std::mt19937 random{7};
  for (auto& axis : field->axes) {
    axis = Volume<float>{result};
    for (float& by : axis.voxels) by = far * (static_cast<float>(random() % 2001) / 1000 - 1);
  }
  auto& [z, y, x] = field->axes;
  if (has_wild_ones) {
    y.voxels[5] = NAN;
    y.voxels[17] = 1e30F;
    x.voxels[29] = -INFINITY;
    x.voxels[31] = 0x1p32F;  // its lower half is that of a place in the image
  }
  const auto view = [&](const Volume<float>& axis) {
    return HostView3<const float>{axis.voxels.data(), result};
  };
  field->map.emplace(has_z ? view(z) : HostView3<const float>{}, view(y), view(x));
  return {field, &*field->map};
}

struct WarpCase {
  const char* name;
  Extent3 image, result;
  SomeMap map;
};

const WarpCase kWarpCases[] = {
    {"aslant",
     {1, 119, 143},
     {1, 122, 150},
     homography({{{1, 0, 0, 0}, {0, 0.9, 0.1, 2}, {0, -0.05, 0.8, 3}, {0, 1e-3, 2e-3, 1}}})},
    {"upright",
     {1, 119, 143},
     {1, 122, 150},
     homography({{{1, 0, 0, 0}, {0, 0.1, 1.1, -9}, {0, -1, 0.2, 131}, {0, 1e-3, 2e-4, 1}}})},
    {"up_to_the_horizon",
     {1, 60, 70},
     {1, 61, 200},
     homography({{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, -0.01, 1}}})},
    {"planes_aslant_each",
     {3, 40, 50},
     {3, 41, 49},
     homography({{{1, 0, 0, 0}, {0, 0.9, 0.1, 2}, {0, -0.05, 0.8, 3}, {0, 1e-3, 2e-3, 1}}})},
    {"aslant_through_planes",
     {15, 31, 52},
     {17, 33, 50},
     homography(
         {{{0.9, 0.05, 0.02, 1}, {0.1, 0.9, 0.1, 2}, {0, -0.05, 0.8, 3}, {2e-3, 1e-3, 2e-3, 1}}})},
    {"landmarks", {1, 101, 153}, {1, 102, 150}, landmarks({1, 102, 150}, 9)},
    {"landmarks_of_all_planes", {4, 41, 53}, {4, 42, 50}, landmarks({1, 42, 50}, 4)},
    {"landmarks_through_planes", {15, 31, 52}, {17, 33, 50}, landmarks({17, 33, 50}, 4)},
    {"displaced", {1, 101, 153}, {1, 102, 151}, displacements({1, 102, 151}, false, 4.5F)},
    {"planes_displaced_each", {3, 31, 52}, {3, 33, 50}, displacements({3, 33, 50}, false, 40)},
    {"displaced_through_planes", {9, 31, 52}, {11, 33, 50}, displacements({11, 33, 50}, true, 3)},
    {"displaced_wildly", {1, 41, 53}, {1, 42, 150}, displacements({1, 42, 150}, false, 3, true)},
    {"one_voxel", {1, 1, 1}, {1, 3, 4}, displacements({1, 3, 4}, true, 2)},
};

class DeviceWarped : public cuda::GpuTest, public testing::WithParamInterface<WarpCase> {
 protected:
  template <class From, class To>
  void expect_bits_of_the_host(Interpolation how, Outside outside) {
    const WarpCase& c = GetParam();
    expect_bits<From, To>(info, c.image, c.map, spec_of<To>(c.result, how, outside));
  }
};

TEST_P(DeviceWarped, HasTheBitsOfTheHostInEveryBoundary) {
  for (const auto how : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic,
                         Interpolation::lanczos})
    for (const Outside outside : kOutsides) expect_bits_of_the_host<float, float>(how, outside);
}

TEST_P(DeviceWarped, HasTheBitsOfTheHostForEveryType) {
  const std::string_view name = GetParam().name;
  if (name != "landmarks_of_all_planes" && name != "displaced_through_planes") return;
  for (const auto how : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic}) {
    expect_bits_of_the_host<std::uint8_t, std::uint8_t>(how, Outside::zero);
    expect_bits_of_the_host<std::uint16_t, float>(how, Outside::reflect);
    expect_bits_of_the_host<float, std::int16_t>(how, Outside::nearest);
    expect_bits_of_the_host<std::uint32_t, std::uint32_t>(how, Outside::wrap);
    expect_bits_of_the_host<double, double>(how, Outside::grid_constant);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, DeviceWarped, testing::ValuesIn(kWarpCases), test::kCaseName);

TEST(DeviceWarp, IsNoneByTiles) {
  ResampleSpec spec{{1, 3, 4}};
  for (const auto strategy : {ResampleStrategy::pixel, ResampleStrategy::tile}) {
    spec.strategy = strategy;
    Resample resample{{1, 5, 5}, landmarks({1, 3, 4}, 1), spec};
    EXPECT_EQ(resample.on_device() != nullptr, strategy == ResampleStrategy::pixel);
  }
}

}  // namespace
}  // namespace synthoscope::kernels::device

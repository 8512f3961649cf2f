// SPDX-License-Identifier: MIT
#include "kernels/resample/resample.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "kernels/coordinates/affine.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/outsides.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

using test::kOutsides;

/// The coordinate of the image that stands for `c` under each mode, by steps rather than by a
/// formula; nothing where the fill value stands.
std::optional<double> looked_up(Outside outside, double c, std::int64_t n) {
  const double last = static_cast<double>(n - 1);
  if (outside == Outside::zero && !has_value(c, n)) return {};
  if (outside == Outside::zero) return std::clamp(c, 0.0, last);
  if (outside != Outside::scipy_wrap) return c;
  if (n == 1) return 0;
  // Whole periods before the image end at its far end, those behind at the near one
  const bool is_before = c<0, is_behind = c> last;
  while (is_before && c <= 0) c += last;
  while (is_behind && c >= last) c -= last;
  return c;
}

/// Weights of the voxels `floor(c) - 2` ... `floor(c) + 3`, as they are defined.
std::array<double, 6> weights_at(Interpolation how, double c) {
  std::array<double, 6> w{};
  double sum = 0;
  for (int k = 0; k < 6; ++k) {
    const double x = std::fabs(c - (std::floor(c) - 2 + k));
    double& v = w[static_cast<std::size_t>(k)];
    if (how == Interpolation::linear) v = std::max(0.0, 1 - x);
    if (how == Interpolation::cubic)
      v = x < 1 ? 2.0 / 3 - x * x + x * x * x / 2 : x < 2 ? std::pow(2 - x, 3) / 6 : 0;
    const double pi = std::numbers::pi * x;
    if (how == Interpolation::lanczos)
      v = x == 0 ? 1 : x >= 3 ? 0 : 3 * std::sin(pi) * std::sin(pi / 3) / (pi * pi);
    sum += v;
  }
  for (double& v : w) v /= sum;
  return w;
}

/// All voxels at positions about the image, in double; for `cubic` coefficients
/// by the infinite sum, cut where double has no more of it.
class Extended {
 public:
  template <class T>
  Extended(const Volume<T>& image, Outside outside, double fill, bool is_fitted)
      : boundary_{boundary_of(outside)},
        n_{image.extent},
        size_{span(n_.z), span(n_.y), span(n_.x)} {
    values_.resize(static_cast<std::size_t>(volume(size_)));
    for (std::int64_t z = 0; z < size_.z; ++z)
      for (std::int64_t y = 0; y < size_.y; ++y)
        for (std::int64_t x = 0; x < size_.x; ++x) {
          const std::int64_t iz = mapped_index(boundary_, z - far(n_.z), n_.z);
          const std::int64_t iy = mapped_index(boundary_, y - far(n_.y), n_.y);
          const std::int64_t ix = mapped_index(boundary_, x - far(n_.x), n_.x);
          const bool is_outside = iz == kOutside || iy == kOutside || ix == kOutside;
          at(z, y, x) = is_outside ? fill : static_cast<double>(image.view()(iz, iy, ix));
        }
    if (!is_fitted) return;
    if (n_.z > 1) fit(size_.y * size_.x, size_.z);
    if (n_.y > 1) fit(size_.x, size_.y);
    if (n_.x > 1) fit(1, size_.x);
  }

  double operator()(std::int64_t z, std::int64_t y, std::int64_t x) {
    return at(known(z, n_.z), known(y, n_.y), known(x, n_.x));
  }

 private:
  /// Where the value at position `i` is kept: it repeats, or stays what it is far outside.
  [[nodiscard]] std::int64_t known(std::int64_t i, std::int64_t n) const {
    constexpr std::int64_t kSame = 16;
    if (boundary_ == Boundary::zero || boundary_ == Boundary::nearest)
      return far(n) + (n == 1 ? 0 : std::clamp(i, -kSame, n + kSame));
    return far(n) + mapped_index(boundary_, i, n);
  }

  // Planes of a single image are not interpolated along z: nothing is needed beyond them
  static std::int64_t far(std::int64_t n) { return n == 1 ? 0 : 36; }
  static std::int64_t span(std::int64_t n) { return n + 2 * far(n); }
  double& at(std::int64_t z, std::int64_t y, std::int64_t x) {
    return values_[static_cast<std::size_t>((z * size_.y + y) * size_.x + x)];
  }
  void fit(std::int64_t stride, std::int64_t n) {
    constexpr std::int64_t kReach = 24;
    std::array<double, 2 * kReach + 1> series{};
    for (std::int64_t j = -kReach; j <= kReach; ++j)
      series[static_cast<std::size_t>(j + kReach)] =
          std::sqrt(3.0) * std::pow(std::sqrt(3.0) - 2, static_cast<double>(std::abs(j)));
    const std::vector<double> f = values_;
    for (std::int64_t i = 0; i < volume(size_); ++i) {
      const std::int64_t k = i / stride % n;
      double sum = 0;
      for (std::int64_t j = std::max(-kReach, -k); j <= std::min(kReach, n - 1 - k); ++j)
        sum += series[static_cast<std::size_t>(j + kReach)] *
               f[static_cast<std::size_t>(i + j * stride)];
      values_[static_cast<std::size_t>(i)] = sum;
    }
  }

  Boundary boundary_;
  Extent3 n_, size_;
  std::vector<double> values_;
};

double expected_at(Extended& image, const Extent3& n, const Affine& affine, Interpolation how,
                   Outside outside, double fill, const Index3& o) {
  std::array<std::array<double, 6>, 3> w{};
  std::array<std::int64_t, 3> first{};
  const std::array sizes{n.z, n.y, n.x};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double at = affine.at(static_cast<int>(axis), static_cast<double>(o.z),
                                static_cast<double>(o.y), static_cast<double>(o.x));
    const auto c = looked_up(outside, at, sizes[axis]);
    if (!c) return fill;
    w[axis] = weights_at(how, *c);
    first[axis] = static_cast<std::int64_t>(std::floor(*c)) - 2;
    if (sizes[axis] == 1) w[axis] = {0, 0, 1, 0, 0, 0};
  }
  double sum = 0;
  for (std::size_t i = 0; i < 216; ++i) {
    const std::size_t z = i / 36, y = i / 6 % 6, x = i % 6;
    const double weight = w[0][z] * w[1][y] * w[2][x];
    if (weight != 0)
      sum += weight * image(first[0] + static_cast<std::int64_t>(z),
                            first[1] + static_cast<std::int64_t>(y),
                            first[2] + static_cast<std::int64_t>(x));
  }
  return sum;
}

struct ResampleCase {
  const char* name;
  Extent3 image, result;
  Affine affine;
};

Affine plane(std::array<double, 6> a) {
  return {{{{1, 0, 0, 0}, {0, a[0], a[1], a[2]}, {0, a[3], a[4], a[5]}}}};
}

const Affine kTurned{{{{0.9, 0.2, -0.1, 0.3}, {-0.2, 0.8, 0.4, -1.1}, {0.1, -0.4, 0.85, 0.7}}}};

const ResampleCase kCases[] = {
    {"same", {2, 3, 5}, {2, 3, 5}, {}},
    {"turned", {1, 19, 23}, {1, 22, 20}, plane({0.8, 0.6, -3.2, -0.6, 0.8, 6.1})},
    {"enlarged", {1, 11, 13}, {1, 26, 31}, plane({0.5, 0, -0.25, 0, 0.4, -1.3})},
    {"reduced", {1, 41, 67}, {1, 9, 8}, plane({5.3, 0, -2, 0, 9.1, -3})},
    {"reduced_and_turned", {1, 61, 67}, {1, 9, 8}, plane({5.3, 4, -2, -4, 9.1, 31})},
    {"turned_in_tiles", {1, 90, 170}, {1, 80, 190}, plane({0.8, 0.6, -33, -0.6, 0.8, 61})},
    {"flipped", {1, 7, 9}, {1, 7, 9}, plane({-1, 0, 6, 0, -1, 8})},
    {"one_row", {1, 1, 17}, {1, 1, 30}, plane({1, 0, 0, 0, 0.6, -0.7})},
    {"one_column", {1, 17, 1}, {1, 30, 1}, plane({0.6, 0, -0.7, 0, 1, 0})},
    {"two_voxels", {1, 2, 2}, {1, 9, 11}, plane({0.5, 0.1, -1, 0.1, 0.4, -1})},
    {"through_planes", {7, 8, 11}, {8, 9, 10}, kTurned},
    {"planes_enlarged",
     {5, 6, 7},
     {11, 7, 9},
     {{{{0.4, 0, 0, 0.1}, {0, 0.9, 0, -0.2}, {0, 0, 0.8, 0.3}}}}},
    {"planes_turned_each",
     {3, 9, 8},
     {3, 10, 9},
     {{{{1, 0, 0, 0}, {0, 0.8, 0.6, -2}, {0, -0.6, 0.8, 3}}}}},
    {"columns_turned_each",
     {6, 9, 8},
     {7, 9, 7},
     {{{{0.8, 0, 0.6, -2}, {0, 1, 0, 0}, {-0.6, 0, 0.8, 3}}}}},
};

class Resampled : public testing::TestWithParam<ResampleCase> {
 protected:
  const ResampleCase& c = GetParam();
  const Volume<float> image = test::pattern<float>(c.image);
  std::shared_ptr<const CoordinateMap> map = std::make_shared<AffineMap>(c.affine);
};

TEST_P(Resampled, EqualsTheDefinitionInDouble) {
  for (const Outside outside : kOutsides)
    for (const auto how : {Interpolation::linear, Interpolation::cubic, Interpolation::lanczos}) {
      const double fill = outside == Outside::zero || outside == Outside::grid_constant ? 321 : 0;
      Resample resample{c.image, map, {c.result, how, outside, fill}};
      const auto got = test::apply_whole<float>(resample, image)[0];
      Extended extended{image, outside, fill, how == Interpolation::cubic};
      // 700 is the largest voxel
      for (std::int64_t z = 0; z < c.result.z; ++z)
        for (std::int64_t y = 0; y < c.result.y; ++y)
          for (std::int64_t x = 0; x < c.result.x; ++x)
            ASSERT_NEAR(got.view()(z, y, x),
                        expected_at(extended, c.image, c.affine, how, outside, fill, {z, y, x}),
                        2e-6 * 700)
                << name_of(how) << " " << name_of(outside) << " at " << Index3{z, y, x};
    }
}

TEST_P(Resampled, IsTheSameHoweverItIsCut) {
  for (const Outside outside : kOutsides)
    for (const auto how : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic,
                           Interpolation::lanczos}) {
      SCOPED_TRACE(testing::Message() << name_of(how) << " " << name_of(outside));
      Resample resample{c.image, map, {c.result, how, outside, 5}};
      test::expect_same_in_bricks<float>(resample, image);
    }
}

TEST_P(Resampled, IsTheSameAtEveryVectorLevel) {
  for (const auto how : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic,
                         Interpolation::lanczos}) {
    ResampleSpec spec{c.result, how, Outside::zero};
    spec.level = VectorLevel::baseline;
    Resample plain{c.image, map, spec};
    const auto expected = test::apply_whole<float>(plain, image)[0];
    for (int level = 1; level <= static_cast<int>(vector_level()); ++level) {
      spec.level = static_cast<VectorLevel>(level);
      Resample resample{c.image, map, spec};
      EXPECT_EQ(expected.voxels, test::apply_whole<float>(resample, image)[0].voxels)
          << name_of(how) << " " << name_of(spec.level);
    }
  }
}

TEST_P(Resampled, IsTheSameByEveryStrategy) {
  for (const Outside outside : {Outside::zero, Outside::reflect})
    for (const auto how : {Interpolation::linear, Interpolation::cubic, Interpolation::lanczos}) {
      ResampleSpec spec{c.result, how, outside};
      Resample automatic{c.image, map, spec};
      const auto expected = test::apply_whole<float>(automatic, image)[0];
      for (const auto strategy : {ResampleStrategy::pixel, ResampleStrategy::tile}) {
        spec.strategy = strategy;
        Resample resample{c.image, map, spec};
        EXPECT_EQ(expected.voxels, test::apply_whole<float>(resample, image)[0].voxels)
            << name_of(how) << " " << name_of(outside) << " " << static_cast<int>(strategy);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, Resampled, testing::ValuesIn(kCases), test::kCaseName);

TEST(Resample, TakesWhatRoundingPutBesideAFaceForTheFace) {
  const auto image = test::pattern<float>({3, 5, 6});
  for (const double beside : {-1e-10, 1e-10})
    for (const auto how : {Interpolation::nearest, Interpolation::linear}) {
      const Affine affine{{{{1, 0, 0, beside}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
      Resample resample{
          image.extent, std::make_shared<AffineMap>(affine), {image.extent, how, Outside::zero, 9}};
      const auto got = test::apply_whole<float>(resample, image)[0];
      for (std::size_t i = 0; i < image.voxels.size(); ++i)
        ASSERT_NEAR(got.voxels[i], image.voxels[i], 1e-4) << name_of(how);
      test::expect_same_in_bricks<float>(resample, image);
    }
}

TEST(Resample, KeepsTheFractionOfCoordinatesBeyondTwoToThe24) {
  const std::int64_t n = (std::int64_t{1} << 24) + 100;
  Volume<std::uint8_t> image{{1, 1, n}};
  for (std::int64_t i = 0; i < n; ++i)
    image.voxels[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i % 2 * 100);
  Resample resample{image.extent,
                    std::make_shared<AffineMap>(plane({1, 0, 0, 0, 1, 0x1p24 + 0.25})),
                    {{1, 1, 50}, Interpolation::linear, Outside::zero}};
  const auto got = test::apply_whole<float>(resample, image)[0].voxels;
  for (std::size_t x = 0; x < 50; ++x) EXPECT_FLOAT_EQ(got[x], x % 2 ? 75 : 25);
}

// The last row has a coordinate beside the face by rounding: alone in a tile as with others
TEST(Resample, TakesWhatRoundingPutsBesideAFaceForItInEveryTile) {
  const auto image = test::pattern<float>({1, 40, 9});
  for (const double beside : {-1e-10, 1e-10}) {
    const double first = beside < 0 ? beside : 39 + beside;
    Resample resample{image.extent,
                      std::make_shared<AffineMap>(plane({0, 0, first, 0, 1, 0})),
                      {{1, 3, 9}, Interpolation::linear, Outside::zero, 77}};
    const auto got = test::apply_whole<float>(resample, image)[0];
    for (std::int64_t x = 0; x < 9; ++x)
      EXPECT_FLOAT_EQ(got.view()(0, 2, x), image.view()(0, beside < 0 ? 0 : 39, x));
  }
}

TEST(Resample, TakesMinusZeroForZero) {
  const auto image = test::pattern<float>({1, 3, 5});
  Resample resample{image.extent,
                    std::make_shared<AffineMap>(plane({-1, 0, -0.0, 0, -1, -0.0})),
                    {{1, 1, 1}, Interpolation::linear, Outside::nearest}};
  EXPECT_EQ(test::apply_whole<float>(resample, image)[0].voxels[0], image.voxels[0]);
}

TEST(Resample, GivesVoxelsBackWhereCoordinatesAreWhole) {
  const auto image = test::pattern<float>({4, 9, 12});
  const Affine turned{{{{0, 0, 1, 0}, {0, -1, 0, 8}, {1, 0, 0, 0}}}};
  for (const auto how : {Interpolation::linear, Interpolation::cubic, Interpolation::lanczos}) {
    Resample resample{image.extent, std::make_shared<AffineMap>(turned), {{12, 9, 4}, how}};
    const auto got = test::apply_whole<float>(resample, image)[0];
    for (std::int64_t z = 0; z < 12; ++z)
      for (std::int64_t y = 0; y < 9; ++y)
        for (std::int64_t x = 0; x < 4; ++x)
          ASSERT_NEAR(got.view()(z, y, x), image.view()(x, 8 - y, z), 1e-3) << name_of(how);
  }
}

TEST(Resample, RoundsAndClipsIntegersAndCountsThem) {
  Volume<std::uint8_t> image{{1, 1, 8}};
  image.voxels = {0, 0, 0, 0, 255, 255, 255, 255};
  ResampleSpec spec{{1, 1, 16}, Interpolation::cubic, Outside::mirror, 0, PixelType::uint8};
  Resample resample{image.extent, std::make_shared<AffineMap>(plane({1, 0, 0, 0, 0.5, 0})), spec};
  const auto got = test::apply_whole<std::uint8_t>(resample, image)[0].voxels;
  EXPECT_EQ(got[7], 128);  // 127.5 to even
  // The spline overshoots on both sides of the step, between every other pair of voxels
  EXPECT_GT(resample.stored_counts().clipped, 2);
}

TEST(Resample, RefusesWhatItCannotMake) {
  const auto map = std::make_shared<AffineMap>(Affine{});
  test::expect_failure<InvalidSpec>(
      [&] {
        Resample({1, 4, 4}, map, {{1, 0, 4}});
      },
      {"1x0x4", "voxel"});
  test::expect_failure<InvalidSpec>(
      [&] {
        ResampleSpec spec{{1, 4, 4}};
        spec.fill = 300;
        spec.type = PixelType::uint8;
        Resample({1, 4, 4}, map, spec);
      },
      {"300", "uint8"});
  ResampleSpec texture{{1, 4, 4}};
  texture.strategy = ResampleStrategy::texture;
  Resample on_host{{1, 4, 4}, map, texture};
  test::expect_failure<InvalidSpec>(
      [&] {
        test::apply_whole<float>(on_host, test::pattern<float>({1, 4, 4}));
      },
      {"textures", "only a GPU"});
  test::expect_failure<InvalidSpec>(
      [&] {
        texture.interpolation = Interpolation::cubic;
        Resample({1, 4, 4}, map, texture);
      },
      {"textures", "linearly"});
  const auto at_products = [](const Affine& affine, ResampleStrategy strategy) {
    ResampleSpec spec{{1, 4, 4}};
    spec.coordinates = CoordinateProduct::summa;
    spec.strategy = strategy;
    return Resample{{1, 4, 4}, std::make_shared<AffineMap>(affine), spec};
  };
  test::expect_failure<InvalidSpec>([&] { at_products(kTurned, ResampleStrategy::pixel); },
                                    {"summa", "planes"});
  test::expect_failure<InvalidSpec>([&] { at_products({}, ResampleStrategy::tile); },
                                    {"summa", "tile"});
  const Volume<float> image{{1, 4, 4}};
  test::expect_failure<InvalidSpec>(
      [&] {
        Resample resample = at_products({}, ResampleStrategy::automatic);
        test::apply_whole<float>(resample, image);
      },
      {"products of matrices", "GPU"});
  test::expect_failure<InvalidSpec>(
      [] {
        inverse({{{{1, 0, 0, 0}, {2, 0, 0, 0}, {0, 0, 1, 0}}}});
      },
      {"singular"});
}

TEST(Affine, Inverts) {
  // A map is known by what it makes of the origin and of one step along each axis
  const Affine back = inverse(kTurned);
  for (const auto& at : {std::array{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}) {
    const double z = back.at(0, at[0], at[1], at[2]), y = back.at(1, at[0], at[1], at[2]),
                 x = back.at(2, at[0], at[1], at[2]);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(kTurned.at(axis, z, y, x), at[static_cast<std::size_t>(axis)], 1e-14);
  }
}

TEST(Affine, TurnsInSpaceWhateverTheVoxels) {
  // A quarter turn across y of voxels four times as high as wide
  const Affine turn = rotation(1, 90, {11, 5, 41}, {11, 5, 41}, {4, 1, 1});
  EXPECT_NEAR(turn.at(0, 5, 0, 40), 5 + 5, 1e-12);     // 20 to the right is 5 voxels up
  EXPECT_NEAR(turn.at(2, 10, 0, 20), 20 - 20, 1e-12);  // 5 voxels up is 20 to the left
}

}  // namespace
}  // namespace synthoscope::kernels

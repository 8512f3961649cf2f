// SPDX-License-Identifier: MIT
// widths_test.cpp — images of points and of beads are as wide as quadrature of the same integrals
// says, with the pixel once.
#include <gtest/gtest.h>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <numbers>
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/imaging/imaging.hpp"
#include "simulator/optics/functions/gauss_legendre.hpp"
#include "simulator/optics/pupil/gaussian_psf.hpp"
#include "simulator/phantom/phantom.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/one_psf.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/simulator/optics/psf_oracle.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kMiddleZ = 8, kMiddle = 12;  // of 17 planes of 25 x 25 pixels
constexpr double kExact = 1e-4;                     // of quadrature against quadrature
constexpr double kAdded = 1e-2;                     // of nine samples a pixel, of a bead

struct PointCase {
  const char* name;
  PsfModel model;
  double na, index;
};
constexpr PointCase kPoints[] = {
    {"gaussian_air", PsfModel::gaussian, 0.5, 1.0},
    {"gaussian_oil", PsfModel::gaussian, 1.4, 1.515},
    {"born_wolf_air", PsfModel::born_wolf, 0.5, 1.0},
    {"born_wolf_oil", PsfModel::born_wolf, 1.4, 1.515},
    {"gibson_lanni_air", PsfModel::gibson_lanni, 0.5, 1.0},
    {"gibson_lanni_oil", PsfModel::gibson_lanni, 1.4, 1.515},
};

/// Intensity at (r, z) by quadrature that shares no code with the library.
using Intensity = std::function<double(double r_um, double z_um)>;

double born_wolf_intensity(const OpticsSpec& s, double r_um, double z_um) {
  constexpr int kIntervals = 200;
  const double k = 2 * std::numbers::pi / (s.wavelength_nm * 1e-3);
  std::complex<double> sum;
  for (int i = 0; i <= kIntervals; ++i) {
    const double rho = static_cast<double>(i) / kIntervals;
    const double simpson = i == 0 || i == kIntervals ? 1 : i % 2 == 1 ? 4 : 2;
    const double phase = -k * z_um * s.na * s.na * rho * rho / (2 * s.immersion_index);
    sum += simpson * rho * std::cyl_bessel_j(0.0, k * s.na * r_um * rho) *
           std::complex<double>{std::cos(phase), std::sin(phase)};
  }
  return std::norm(sum);
}

Intensity intensity_of(const OpticsSpec& s) {
  if (s.model == PsfModel::gaussian)
    return [w = gaussian_widths(s)](double r, double z) {
      return std::exp(-0.5 * (std::pow(r / w.lateral_um, 2) + std::pow(z / w.axial_um, 2)));
    };
  if (s.model == PsfModel::born_wolf)
    return [s](double r, double z) { return born_wolf_intensity(s, r, z); };
  return [oracle = synthoscope::test::GibsonLanniOracle{s}](double r, double z) {
    return oracle.intensity(r, z, 200);
  };
}

/// Mean over a square pixel `pitch_um` wide whose middle lies (0, x_um) from the axis.
double over_pixel(const Intensity& intensity, double x_um, double z_um, double pitch_um) {
  const Quadrature half = gauss_legendre(5, 0, 0.5), whole_side = gauss_legendre(10, -0.5, 0.5);
  double sum = 0;
  for (std::size_t i = 0; i < half.nodes.size(); ++i)
    for (std::size_t j = 0; j < whole_side.nodes.size(); ++j)
      sum += 2 * half.weights[i] * whole_side.weights[j] *
             intensity(std::hypot(half.nodes[i] * pitch_um, x_um + whole_side.nodes[j] * pitch_um),
                       z_um);
  return sum;
}

/// Full width at half maximum of one side of a symmetric profile; between neighbours its logarithm
/// is taken to be linear in the square of the position, as a bell's is.
double width_of(const std::vector<double>& side) {
  for (std::size_t i = 1; i < side.size(); ++i)
    if (side[i] < side[0] / 2) {
      const double before = static_cast<double>(i - 1), after = static_cast<double>(i);
      const double share = std::log(side[i - 1] / (side[0] / 2)) / std::log(side[i - 1] / side[i]);
      return 2 * std::sqrt(before * before + share * (after * after - before * before));
    }
  return NAN;
}

class ImageOfAPoint : public testing::TestWithParam<PointCase> {
 protected:
  void SetUp() override {
    OpticsSpec& o = scene.optics;
    o.model = GetParam().model;
    o.na = GetParam().na;
    o.immersion_index = o.sample_index = GetParam().index;
    const double n = o.immersion_index, wavelength = o.wavelength_nm * 1e-3;
    scene.grid.extent = {2 * kMiddleZ + 1, 2 * kMiddle + 1, 2 * kMiddle + 1};
    pitch = wavelength / (4 * o.na);  // Nyquist's
    scene.grid.pitch = {wavelength / (2 * (n - std::sqrt(n * n - o.na * o.na))), pitch, pitch};
    scene.background_photons = 0;
  }

  /// Widths along x and z, in pixels and planes, of the image of `light` voxels of the blur's grid
  /// around the middle.
  std::pair<double, double> simulated(std::int64_t light) {
    const Grid fine = blur_grid(scene);
    Volume<float> emitters{fine.extent};
    for (std::int64_t y = 0; y < light; ++y)
      for (std::int64_t x = 0; x < light; ++x)
        emitters.view()(kMiddleZ, fine.extent.y / 2 + y - light / 2,
                        fine.extent.x / 2 + x - light / 2) = 1e6f;
    MemorySource source{emitters.view()};
    return imaged(source);
  }

  /// Likewise of the image of light on the blur's grid.
  std::pair<double, double> imaged(Source& source) {
    const Grid fine = blur_grid(scene);
    scene.optics.size = Extent3{fine.extent.z, fine.extent.y, fine.extent.x};
    test::TestContext run;
    const auto psf = make_psf(blur_optics(scene), fine.pitch, blur_sizing(scene), run.pool);
    const auto room = psf_size(blur_optics(scene), fine.pitch, blur_sizing(scene), run.pool);
    const auto plan =
        plan_convolution(blur_problem(scene, room, BoxOrder::any), {run.memory.limit()});
    const auto executor = fftconv::make_host_executor({run.memory.limit()});
    const Illumination even{{}, scene.grid.extent};
    const test::OnePsf only{scene, psf};
    Imaging lens{scene, 1, only.terms, even};
    Volume<float> image{scene.grid.extent};
    MemorySink sink{image.view()};
    lens.run(*executor, plan, source, 0, sink, run.context);
    std::vector<double> along_x, along_z;
    for (std::int64_t x = 0; x <= kMiddle; ++x)
      along_x.push_back(image.view()(kMiddleZ, kMiddle, kMiddle + x));
    for (std::int64_t z = 0; z <= kMiddleZ; ++z)
      along_z.push_back(image.view()(kMiddleZ + z, kMiddle, kMiddle));
    return {width_of(along_x), width_of(along_z)};
  }

  std::pair<double, double> by_quadrature() {
    const Intensity intensity = intensity_of(scene.optics);
    std::vector<double> along_x, along_z;
    for (int x = 0; x <= 5; ++x) along_x.push_back(over_pixel(intensity, x * pitch, 0, pitch));
    for (int z = 0; z <= 5; ++z)
      along_z.push_back(over_pixel(intensity, 0, z * scene.grid.pitch.z_um, pitch));
    return {width_of(along_x), width_of(along_z)};
  }

  SceneSpec scene;
  double pitch = 0;
};

TEST_P(ImageOfAPoint, IsAsWideAsQuadratureSaysWithThePixelOnce) {
  const auto [lateral, axial] = by_quadrature();
  ASSERT_FALSE(std::isnan(lateral) || std::isnan(axial));
  // Once in the PSF, or by adding up photons of a finer grid
  scene.optics.pixel_integration = true;
  const auto integrated = simulated(1);
  EXPECT_NEAR(integrated.first / lateral, 1, kExact);
  EXPECT_NEAR(integrated.second / axial, 1, kExact);
  scene.optics.pixel_integration.reset();
  scene.oversample = 3;
  const auto added = simulated(1);
  EXPECT_NEAR(added.first / lateral, 1, kAdded);
  EXPECT_NEAR(added.second / axial, 1, kAdded);
  RecordProperty(
      "once", fmt::format("{:.5f} {:.5f}", integrated.first / lateral, integrated.second / axial));
  RecordProperty("added",
                 fmt::format("{:.5f} {:.5f}", added.first / lateral, added.second / axial));
}

TEST_P(ImageOfAPoint, WouldBeTooWideOrTooNarrowWithThePixelTwiceOrNever) {
  const double once = by_quadrature().first;
  scene.optics.pixel_integration = false;
  const double never = simulated(1).first / once;
  EXPECT_LT(never, 0.97);
  scene.oversample = 5;
  const double twice = simulated(5).first / once;  // an emitter as large as a pixel
  EXPECT_GT(twice, 1.03);
  RecordProperty("never_and_twice", fmt::format("{:.4f} {:.4f}", never, twice));
}

class ImageOfABead : public ImageOfAPoint {
 protected:
  static constexpr double kRadiusUm = 0.25;

  /// Widths along x and z of the image of a ball in the middle, by quadrature: discs of the ball,
  /// each seen through the pixel.
  std::pair<double, double> bead_by_quadrature() {
    std::vector<double> along_x, along_z;
    for (int x = 0; x <= 6; ++x) along_x.push_back(ball(x * pitch, 0));
    for (int z = 0; z <= 6; ++z) along_z.push_back(ball(0, z * scene.grid.pitch.z_um));
    return {width_of(along_x), width_of(along_z)};
  }

 private:
  static constexpr double kStepUm = 0.004;

  double ball(double x_um, double z_um) {
    const Quadrature height = gauss_legendre(6, -kRadiusUm, kRadiusUm);
    double sum = 0;
    for (std::size_t i = 0; i < height.nodes.size(); ++i)
      sum += height.weights[i] *
             disc(std::sqrt(kRadiusUm * kRadiusUm - height.nodes[i] * height.nodes[i]), x_um,
                  z_um - height.nodes[i]);
    return sum;
  }

  /// Light of a disc `radius_um` wide on a pixel (0, x_um) from its middle, out of focus by z_um.
  double disc(double radius_um, double x_um, double z_um) {
    const Quadrature radius = gauss_legendre(6, 0, radius_um), side = gauss_legendre(4, -0.5, 0.5);
    constexpr int kAngles = 12;
    const std::vector<double>& profile = radial(z_um);
    double sum = 0;
    for (std::size_t i = 0; i < radius.nodes.size(); ++i)
      for (int angle = 0; angle < kAngles; ++angle)
        for (std::size_t p = 0; p < side.nodes.size(); ++p)
          for (std::size_t q = 0; q < side.nodes.size(); ++q) {
            const double turned = 2 * std::numbers::pi * (angle + 0.5) / kAngles;
            const double at =
                std::hypot(radius.nodes[i] * std::sin(turned) + side.nodes[p] * pitch,
                           x_um + radius.nodes[i] * std::cos(turned) + side.nodes[q] * pitch) /
                kStepUm;
            const auto below = static_cast<std::size_t>(at);
            sum += radius.weights[i] * radius.nodes[i] * 2 * std::numbers::pi / kAngles *
                   side.weights[p] * side.weights[q] *
                   std::lerp(profile.at(below), profile.at(below + 1),
                             at - static_cast<double>(below));
          }
    return sum;
  }

  /// Intensity at multiples of kStepUm, kept for planes that are asked for again.
  const std::vector<double>& radial(double z_um) {
    auto& profile = profiles_[std::llround(std::abs(z_um) * 1e6)];
    if (profile.empty()) {
      const Intensity intensity = intensity_of(scene.optics);
      const auto count = static_cast<int>((kRadiusUm + 8 * pitch) / kStepUm);
      for (int i = 0; i < count; ++i) profile.push_back(intensity(i * kStepUm, std::abs(z_um)));
    }
    return profile;
  }
  std::map<long long, std::vector<double>> profiles_;
};

TEST_P(ImageOfABead, IsAsWideAsQuadratureSaysWithThePixelOnce) {
  scene.grid.pitch.z_um /= 2;  // bodies stand in slabs one plane thick: at Nyquist's pitch it shows
  Phantom phantom;
  phantom.grid = scene.grid;
  const Index3 middle{kMiddleZ, kMiddle, kMiddle};
  phantom.beads = {{vector_of(centre_of(scene.grid, middle)), kRadiusUm, 1e6}};
  PhantomSource source{phantom};
  scene.optics.pixel_integration = false;  // what blur_optics decides for bodies
  const auto found = imaged(source);
  const auto expected = bead_by_quadrature();
  EXPECT_NEAR(found.first / expected.first, 1, kAdded);
  EXPECT_NEAR(found.second / expected.second, 1, kAdded);
  RecordProperty("widths", fmt::format("{:.4f} {:.4f}", found.first / expected.first,
                                       found.second / expected.second));
}

// Born and Wolf's integral is quick enough for quadrature over a bead; any lens would do
constexpr PointCase kBeads[] = {
    {"gaussian_air", PsfModel::gaussian, 0.5, 1.0},
    {"gaussian_oil", PsfModel::gaussian, 1.4, 1.515},
    {"born_wolf_oil", PsfModel::born_wolf, 1.4, 1.515},
};

INSTANTIATE_TEST_SUITE_P(Lenses, ImageOfABead, testing::ValuesIn(kBeads), test::kCaseName);

INSTANTIATE_TEST_SUITE_P(Lenses, ImageOfAPoint, testing::ValuesIn(kPoints), test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator

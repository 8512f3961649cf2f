// SPDX-License-Identifier: MIT
// Device code of whole planes, run on the host in random orders: spectra are the sums that define
// them, planes come back, and planes are convolved. (tests/gpu/fftconv/whole_planes_test.cpp runs
// it on a GPU.)
#include <gtest/gtest.h>
#include <cmath>
#include <complex>
#include <random>
#include <vector>
#include "fftconv/lines/plane_shape.hpp"
#include "tests/emulated/planes.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv::device {
namespace {

using test::emulated::Launch;

template <class Line>
LineShape shape_of_line() {
  LineShape line{Line::kLength, 1, {}};
  for (int i = 0; i < Line::kStages; ++i) line.radices.push_back(Line::radix(i));
  return line;
}

template <class P>
PlaneShape shape_of() {
  return {
      shape_of_line<typename P::Rows>(), shape_of_line<typename P::Columns>(), P::C, P::D, P::T, 1};
}

/// Values that begin at a multiple of 128 bytes, as device memory does.
template <class T>
class Aligned {
 public:
  explicit Aligned(std::size_t count, T value = {}) : all_(count + kBytes / sizeof(T), value) {
    const auto begin = reinterpret_cast<std::uintptr_t>(all_.data());
    first_ = all_.data() + ((kBytes - begin % kBytes) % kBytes) / sizeof(T);
  }
  T* data() { return first_; }
  T& operator[](std::int64_t i) { return first_[i]; }

 private:
  static constexpr std::size_t kBytes = 128;
  std::vector<T> all_;
  T* first_;
};

Aligned<float2> in_pairs(const std::vector<float>& table) {
  Aligned<float2> pairs(table.size() / 2);
  std::memcpy(pairs.data(), table.data(), table.size() * sizeof(float));
  return pairs;
}

int frequency_at(const LineShape& line, int position) {
  int frequency = 0, before = 1;
  for (int s = 0; s < static_cast<int>(line.radices.size()); ++s) {
    frequency += position / apart_of(line, s) * before;
    position %= apart_of(line, s);
    before *= line.radices[static_cast<std::size_t>(s)];
  }
  return frequency;
}

std::complex<double> turned_back(double turns) {
  return std::polar(1.0, -2 * M_PI * (turns - std::floor(turns)));
}

/// How voxels lie in planes.
struct Lying {
  int width, rows;        ///< voxels that there are, of the plane's
  bool copied = true;     ///< rows lie where copies can take them
  bool mirrored = false;  ///< rows and columns are listed
};

constexpr double kScale = 0.25, kBackground = 3;

/// Planes of voxels, with all that device code wants to know of them.
template <class P, class Native, Placing Placed, Choice Loaded>
class Planes {
 public:
  static constexpr int kPlanes = 3, kRows = P::D * P::kRowsOfClass, kColumns = 2 * P::M;
  static constexpr Count kPlaneValues = Count{kRows} * P::kWide;

  explicit Planes(const Lying& lying)
      : lying_{lying},
        pitch_{lying.copied ? lying.width : lying.width + 3},
        voxels_(static_cast<std::size_t>(kPlanes * lying.rows * pitch_)),
        spectra_(kPlanes * kPlaneValues, {NAN, NAN}) {
    std::mt19937 random{7};
    for (int i = 0; i < kPlanes * lying.rows * pitch_; ++i)
      voxels_[i] = static_cast<Native>(random() % 200);
    for (int x = 0; x < kColumns; ++x)
      columns_.push_back(x % 5 == 2 ? 0 : ((x * 3) % lying.width + 1) * (x % 4 == 1 ? -1 : 1));
    for (int y = 0; y < kRows; ++y) slots_.push_back(y % 3 == 1 ? -1 : y * 7 % lying.rows);
  }

  /// The voxel that the transform has at a position.
  double value(int plane, int y, int x) {
    const int row = Loaded == Choice::listed ? slots_[index(y)] : y < lying_.rows ? y : -1;
    int column = x < lying_.width ? x + 1 : 0;
    if (Placed == Placing::listed) column = columns_[index(x)];
    if (row < 0 || column == 0) return 0;
    const Native voxel =
        voxels_[(Count{plane} * lying_.rows + row) * pitch_ + std::abs(column) - 1];
    return (column < 0 ? -kScale : kScale) * scales_[plane] *
           (static_cast<double>(voxel) - kBackground);
  }

  /// The value of class `e` at a place of its spectrum, by the definition.
  std::complex<double> spectrum(int plane, int e, int row, int place) {
    const double fx = frequency_at(shape_.rows, place) + 0.25;
    const int fy = frequency_at(shape_.columns, row % P::L) + row / P::L * P::L;
    std::complex<double> sum = 0;
    for (int r = 0; r < P::kRowsOfClass; ++r) {
      std::complex<double> line = 0;
      const int y = e + P::D * r;
      for (int m = 0; m < P::M; ++m)
        line += std::complex<double>(value(plane, y, m), -value(plane, y, m + P::M)) *
                turned_back(fx * m / P::M);
      sum += line * turned_back(static_cast<double>(fy) * r / P::kRowsOfClass);
    }
    return sum;
  }

  /// @param turned  as planes come back
  PlanesForward forward(bool turned) {
    PlanesForward a;
    a.turned = turned;
    a.rows.voxels = voxels_.data();
    a.rows.spectra = spectra_.data();
    a.rows.planes = kPlanes;
    a.rows.width = lying_.width;
    a.rows.voxel_row = pitch_;
    a.rows.voxel_plane = Count{pitch_} * lying_.rows;
    a.rows.spectrum_plane = kPlaneValues;
    a.rows.columns = columns_.data();
    a.rows.plane_scale = scales_;
    a.rows.scale = kScale;
    a.rows.background = kBackground;
    a.rows.factors = rows_.data();
    a.column_factors = of_columns_.data();
    a.turns = turns_.data();
    a.loaded = {lying_.rows, slots_.data()};
    a.copied = lying_.copied;
    a.drawn = &drawn_;
    return a;
  }
  /// @param width  voxels of a row that are stored
  RowsBack back_to(float* voxels, int width) {
    RowsBack a;
    a.spectra = spectra_.data();
    a.voxels = voxels;
    a.factors = rows_.data();
    a.planes = kPlanes;
    a.row_count = kRows - 1;
    a.width = width;
    a.voxel_row = a.width;
    a.voxel_plane = a.voxel_row * a.row_count;
    a.spectrum_plane = kPlaneValues;
    return a;
  }
  PlanesBack back(float* voxels, int width) {
    PlanesBack a{back_to(voxels, width), of_columns_.data(), turns_.data(), &drawn_, {}};
    const CopiedBoxes boxes = copied_boxes(shape_, kPlanes);
    for (int i = 0; i < 4; ++i)
      a.spectra.words[8 + i] = static_cast<std::uintptr_t>(boxes.lengths[index(i)]);
    a.spectra.words[0] = reinterpret_cast<std::uintptr_t>(spectra_.data());
    for (int i = 0; i < 3; ++i)
      a.spectra.words[1 + i] = static_cast<std::uintptr_t>(boxes.steps[index(i)]);
    for (int i = 0; i < 4; ++i)
      a.spectra.words[4 + i] = static_cast<std::uintptr_t>(boxes.box[index(i)]);
    return a;
  }

  float2 stored(int plane, int e, int row, int place) {
    return spectra_[plane * kPlaneValues + P::in_spectrum(e, row, place)];
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  Lying lying_;
  int pitch_;
  PlaneShape shape_ = shape_of<P>();
  PlaneFactors factors_ = plane_factors_of(shape_);
  Aligned<float2> rows_ = in_pairs(factors_.rows), of_columns_ = in_pairs(factors_.columns),
                  turns_ = in_pairs(factors_.turns);
  Aligned<Native> voxels_;
  Aligned<float2> spectra_;
  std::vector<int> columns_, slots_;
  unsigned drawn_ = 0;
  float scales_[kPlanes] = {1, 0.5F, 2};
};

std::byte* shared_memory() {
  return Launch::current().shared();
}
unsigned long long* signal_memory() {
  return reinterpret_cast<unsigned long long*>(Launch::current().signals());
}

/// Spectra of a few places, then all voxels that come back, then convolutions.
template <class P, class Native, Placing Placed, Choice Loaded>
void expect_right(const Lying& lying, unsigned seed) {
  ASSERT_TRUE(is_possible(shape_of<P>(), test::kH200));
  using Given = Planes<P, Native, Placed, Loaded>;
  Given planes{lying};
  const auto launch = [&](int clusters, const auto& code) {
    Launch::run(clusters, P::C, P::T, seed++,
                [&] { code(reinterpret_cast<float2*>(shared_memory()), signal_memory()); });
  };
  const auto transform = [&](const PlanesForward& forward) {
    launch(2, [&](float2* room, auto* barriers) {
      transform_planes<P, Native, Placed, Loaded>(forward, room, barriers);
    });
    ASSERT_EQ(*forward.drawn, 0U) << "for the next launch";
  };
  transform(planes.forward(false));
  std::mt19937 random{seed};
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int i = 0; i < 24; ++i) {
    const int plane = below(Given::kPlanes), e = below(P::D), row = below(P::kRowsOfClass),
              place = below(P::M);
    const std::complex<double> expected = planes.spectrum(plane, e, row, place);
    const float2 found = planes.stored(plane, e, row, place);
    const double size = 50 * std::sqrt(P::kRowsOfClass * P::M);
    ASSERT_NEAR(found.x, expected.real(), 2e-6 * size)
        << plane << " " << e << " " << row << " " << place;
    ASSERT_NEAR(found.y, expected.imag(), 2e-6 * size);
  }

  const double count = static_cast<double>(P::kRowsOfClass) * P::M;
  std::vector<float> voxels(
      static_cast<std::size_t>(Given::kPlanes * Given::kRows * Given::kColumns), NAN);
  const auto expect_voxels = [&](const RowsBack& a, double scale, const auto& expected) {
    const float* at = voxels.data();
    for (int p = 0; p < Given::kPlanes; ++p)
      for (int y = 0; y < a.row_count; ++y)
        for (int x = 0; x < a.width; ++x)
          ASSERT_NEAR(*at++ * scale, expected(p, y, x), 2e-4) << p << " " << y << " " << x;
  };
  const PlanesForward forward = planes.forward(true);
  transform(forward);
  for (const int width : {Given::kColumns - 3, Given::kColumns}) {
    const PlanesBack back = planes.back(voxels.data(), width);
    launch(2, [&](float2* room, auto* barriers) {
      transform_planes_back<P, float>(back, room, barriers);
    });
    expect_voxels(back.rows, 1 / count, [&](int p, int y, int x) { return planes.value(p, y, x); });
  }

  if constexpr (P::D == 1) {
    // Two voxels, 1 at (2, 3) and -0.5 at (1, 0), transformed as planes are
    Aligned<float> kernel(static_cast<std::size_t>(Given::kRows * Given::kColumns));
    kernel[2 * Given::kColumns + 3] = static_cast<float>(1 / count);
    kernel[Given::kColumns] = static_cast<float>(-0.5 / count);
    Aligned<float2> transfer(Given::kPlaneValues);
    PlanesForward one = forward;
    one.rows.voxels = kernel.data();
    one.rows.spectra = transfer.data();
    one.rows.planes = 1;
    one.rows.width = Given::kColumns;
    one.rows.voxel_row = Given::kColumns;
    one.rows.plane_scale = nullptr;
    one.rows.scale = 1;
    one.rows.background = 0;
    one.copied = Given::kColumns % 4 == 0;
    one.turned = false;
    launch(1, [&](float2* room, auto* barriers) {
      transform_planes<P, float, Placing::whole, Choice::all>(one, room, barriers);
    });
    const PlanesConvolve both{forward, planes.back_to(voxels.data(), Given::kColumns - 2),
                              transfer.data()};
    // What wraps around a row changes its sign (rows.cuh)
    const auto wrapped = [&](int p, int y, int x) {
      const double voxel = planes.value(p, (y + Given::kRows) % Given::kRows,
                                        (x + Given::kColumns) % Given::kColumns);
      return x < 0 ? -voxel : voxel;
    };
    // One cluster loads two planes after its first one, and orders differ: a plane that comes too
    // early spoils the one before
    for (const int clusters : {2, 1, 1, 1}) {
      std::fill(voxels.begin(), voxels.end(), NAN);
      launch(clusters, [&](float2* room, auto* barriers) {
        convolve_planes<P, Native, Placed, Loaded, float>(both, room, barriers);
      });
      expect_voxels(both.back, 1, [&](int p, int y, int x) {
        return wrapped(p, y - 2, x - 3) - 0.5 * wrapped(p, y - 1, x);
      });
    }
  }
}

template <class P>
void expect_right_of_all_kinds() {
  constexpr int kRows = P::D * P::kRowsOfClass, kColumns = 2 * P::M;
  expect_right<P, float, Placing::whole, Choice::all>({kColumns, kRows, kColumns % 4 == 0}, 1);
  constexpr int kFew = kColumns / 8 * 8 - 8;
  expect_right<P, unsigned short, Placing::front, Choice::front>({kFew, kRows - 5}, 11);
  expect_right<P, float, Placing::front, Choice::front>({kColumns - 5, kRows - 3, false}, 21);
  expect_right<P, double, Placing::listed, Choice::listed>({kColumns - 9, kRows - 7, false}, 31);
}

using Rows32 = Line<32, 1, 8, 4>;
using Rows20 = Line<20, 1, 10, 2>;
using Columns8 = Line<8, 1, 8>;

TEST(EmulatedPlanes, OfTwoBlocks) {
  expect_right_of_all_kinds<PlaneOf<Rows32, Columns8, 2, 1, 32>>();
}
TEST(EmulatedPlanes, OfFourBlocksAndSeveralWarps) {
  expect_right_of_all_kinds<PlaneOf<Rows32, Line<16, 1, 4, 4>, 4, 1, 64>>();
}
TEST(EmulatedPlanes, InTwoClasses) {
  expect_right_of_all_kinds<PlaneOf<Rows32, Columns8, 4, 2, 32>>();
}
TEST(EmulatedPlanes, InFourClasses) {
  expect_right_of_all_kinds<PlaneOf<Rows32, Columns8, 2, 4, 32>>();
}
TEST(EmulatedPlanes, WhoseRowsAreOdd) {
  expect_right_of_all_kinds<PlaneOf<Line<15, 1, 5, 3>, Columns8, 4, 2, 32>>();
  expect_right_of_all_kinds<PlaneOf<Line<15, 1, 5, 3>, Line<9, 1, 3, 3>, 2, 1, 32>>();
}
TEST(EmulatedPlanes, WhoseSpectraComeByHalves) {
  using Rows = Line<32, 1, 4, 8>;
  const auto expect_right_by_halves = []<class P>(P /*planes*/) {
    static_assert(P::kHalves == 2);
    expect_right_of_all_kinds<P>();
  };
  expect_right_by_halves(PlaneOf<Rows, Line<16, 1, 4, 4>, 4, 1, 32>{});
  expect_right_by_halves(PlaneOf<Line<32, 1, 2, 16>, Line<16, 1, 16>, 2, 2, 32>{});
  expect_right_by_halves(PlaneOf<Rows, Line<8, 1, 8>, 4, 4, 32>{});
}
TEST(EmulatedPlanes, WhoseRowsAreNoWholeWarpsAndNoWholeLinesOfMemory) {
  expect_right_of_all_kinds<PlaneOf<Rows20, Line<5, 1, 5>, 4, 1, 64>>();
}

}  // namespace
}  // namespace synthoscope::fftconv::device

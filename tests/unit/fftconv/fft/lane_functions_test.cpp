// SPDX-License-Identifier: MIT
#include "fftconv/fft/lane_functions.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>
#include "core/math/random.hpp"

namespace synthoscope::fftconv {
namespace {

using Wide = std::complex<long double>;

Wide root(std::int64_t numerator, std::int64_t denominator) {
  const long double angle = -2 * std::numbers::pi_v<long double> *
                            static_cast<long double>(numerator % denominator) /
                            static_cast<long double>(denominator);
  return {std::cos(angle), std::sin(angle)};
}

/// Every product of 2, 3, 5, 7 up to 128, and some longer lengths of all radix mixes.
std::vector<std::int64_t> lengths() {
  std::vector<std::int64_t> found;
  for (std::int64_t n = 1; n <= 128; ++n)
    if (n == 1 || !radices_of(n).empty()) found.push_back(n);
  for (const std::int64_t n : {243, 256, 343, 500, 512, 630, 864, 1024}) found.push_back(n);
  return found;
}

/// The definition, for one line.
std::vector<Wide> transform_by_definition(const std::vector<Wide>& line) {
  const auto n = static_cast<std::int64_t>(line.size());
  std::vector<Wide> roots, spectrum(line.size());
  for (std::int64_t k = 0; k < n; ++k) roots.push_back(root(k, n));
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j)
      spectrum[static_cast<std::size_t>(k)] +=
          line[static_cast<std::size_t>(j)] * roots[static_cast<std::size_t>(j * k % n)];
  return spectrum;
}

/// sqrt(sum |a - b|^2) / sqrt(sum |b|^2)
long double relative_distance(const std::vector<Wide>& a, const std::vector<Wide>& b) {
  long double difference = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    difference += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(difference / size);
}

/// Lane elements back to back, with the lines in their lanes.
template <class Real>
struct Block {
  Block(std::int64_t lane_count, std::int64_t length)
      : lanes{lane_count}, reals(static_cast<std::size_t>(2 * lane_count * length)) {}
  Real& re(std::int64_t e, std::int64_t lane) {
    return reals[static_cast<std::size_t>(2 * lanes * e + lane)];
  }
  Real& im(std::int64_t e, std::int64_t lane) { return re(e, lane + lanes); }
  [[nodiscard]] std::vector<Wide> line(std::int64_t lane) {
    std::vector<Wide> values;
    for (std::int64_t e = 0; e * 2 * lanes < static_cast<std::int64_t>(reals.size()); ++e)
      values.emplace_back(re(e, lane), im(e, lane));
    return values;
  }
  Real* data() { return reals.data(); }
  std::int64_t lanes;
  std::vector<Real> reals;
};

/// Values in (-1, 1), a function of `seed`, the same in lane 0 whatever the number of lanes.
template <class Real>
Block<Real> random_block(std::int64_t lanes, std::int64_t length, std::uint64_t seed) {
  const RandomStream random{seed, RandomStage::phantom};
  Block<Real> block{lanes, length};
  for (std::int64_t e = 0; e < length; ++e)
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const auto words =
          random.block(static_cast<std::uint64_t>(e), 0, 0, static_cast<std::uint32_t>(lane));
      block.re(e, lane) = static_cast<Real>(2 * uniform32(words[0]) - 1);
      block.im(e, lane) = static_cast<Real>(2 * uniform32(words[1]) - 1);
    }
  return block;
}

template <class Real>
class LaneFunctionsOf : public testing::Test {
 protected:
  static constexpr long double kEpsilon = std::numeric_limits<Real>::epsilon();

  /// Rounding grows with the number of passes, and a length of n has at most log2(n) of them.
  static long double tolerance(std::int64_t length) {
    return kEpsilon * (1 + std::log2(static_cast<long double>(length)) / 2);
  }

  /// Calls `body(kernels, length)` for every set of this processor and every length.
  template <class Body>
  void for_every_length(Body&& body) {
    for (const auto* set : available_lane_functions<Real>())
      for (const std::int64_t length : lengths()) {
        SCOPED_TRACE(std::string{set->instruction_set} + " length " + std::to_string(length));
        body(*set, length);
      }
  }

  static void forward(const LaneFunctions<Real>& k, const LinePlan<Real>& plan,
                      Block<Real>& block) {
    k.forward(steps_of(plan), {block.data()}, {block.data()}, block.data());
  }
  static void inverse(const LaneFunctions<Real>& k, const LinePlan<Real>& plan,
                      Block<Real>& block) {
    k.inverse(steps_of(plan), {block.data()}, {block.data()}, block.data());
  }
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(LaneFunctionsOf, Precisions);

TYPED_TEST(LaneFunctionsOf, OfferThePortableSetEverywhereAndHaveDistinctNames) {
  const auto sets = available_lane_functions<TypeParam>();
  ASSERT_FALSE(sets.empty());
#if defined(__aarch64__)
  EXPECT_EQ(sets.back()->instruction_set, "NEON");
#else
  EXPECT_EQ(sets.back()->instruction_set, "portable");
#endif
  for (std::size_t i = 1; i < sets.size(); ++i)
    EXPECT_GT(sets[i - 1]->lanes, sets[i]->lanes) << "wider vectors come first";
}

TYPED_TEST(LaneFunctionsOf, TransformBackToTheLengthTimesTheInput) {
  this->for_every_length([&](const auto& k, std::int64_t length) {
    const auto plan = plan_line<TypeParam>(length);
    auto input = random_block<TypeParam>(k.lanes, length, 1), block = input;
    this->forward(k, plan, block);
    this->inverse(k, plan, block);
    for (TypeParam& v : input.reals) v *= static_cast<TypeParam>(length);
    for (std::int64_t lane = 0; lane < k.lanes; ++lane)
      EXPECT_LE(relative_distance(block.line(lane), input.line(lane)), this->tolerance(length));
  });
}

TYPED_TEST(LaneFunctionsOf, GiveTheFourierTransformInAnOrderOfTheirOwn) {
  this->for_every_length([&](const auto& k, std::int64_t length) {
    const auto plan = plan_line<TypeParam>(length);
    // A delta at position 1 turns into exp(-2 pi i f / n): its phase tells which frequency f
    // stands at each place
    Block<TypeParam> delta{k.lanes, length};
    for (std::int64_t lane = 0; lane < k.lanes; ++lane) delta.re(length > 1 ? 1 : 0, lane) = 1;
    this->forward(k, plan, delta);
    std::vector<std::int64_t> frequency;
    for (const Wide& value : delta.line(0)) {
      const long double turns = -std::arg(value) / (2 * std::numbers::pi_v<long double>);
      frequency.push_back((std::llround(turns * static_cast<long double>(length)) + length) %
                          length);
    }
    auto sorted = frequency;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i)
      ASSERT_EQ(sorted[i], static_cast<std::int64_t>(i)) << "every frequency stands somewhere";

    auto block = random_block<TypeParam>(k.lanes, length, 2);
    const std::int64_t last = k.lanes - 1;
    const auto first_line = block.line(0), last_line = block.line(last);
    this->forward(k, plan, block);
    for (const auto& [lane, line] : {std::pair{std::int64_t{0}, first_line}, {last, last_line}}) {
      const auto by_definition = transform_by_definition(line);
      std::vector<Wide> expected;
      for (const std::int64_t f : frequency)
        expected.push_back(by_definition[static_cast<std::size_t>(f)]);
      EXPECT_LE(relative_distance(block.line(lane), expected), this->tolerance(length));
    }
  });
}

TYPED_TEST(LaneFunctionsOf, MultiplySpectraIntoCyclicConvolutions) {
  this->for_every_length([&](const auto& k, std::int64_t n) {
    const auto plan = plan_line<TypeParam>(n);
    auto a = random_block<TypeParam>(k.lanes, n, 3), b = random_block<TypeParam>(k.lanes, n, 4);
    const std::int64_t lane = k.lanes / 2;
    const auto f = a.line(lane), g = b.line(lane);
    std::vector<Wide> expected(f.size());
    for (std::size_t i = 0; i < f.size(); ++i)
      for (std::size_t j = 0; j < g.size(); ++j) expected[(i + j) % f.size()] += f[i] * g[j];
    this->forward(k, plan, a);
    this->forward(k, plan, b);
    k.multiply(a.data(), b.data(), n, static_cast<TypeParam>(1.0 / static_cast<double>(n)));
    this->inverse(k, plan, a);
    EXPECT_LE(relative_distance(a.line(lane), expected), 2 * this->tolerance(n));
  });
}

TYPED_TEST(LaneFunctionsOf, ReadGatheredElementsAsIfTheMissingWereZero) {
  this->for_every_length([&](const auto& k, std::int64_t n) {
    const auto plan = plan_line<TypeParam>(n);
    auto stored = random_block<TypeParam>(k.lanes, n, 5);
    // Element e stands at the mirrored place; every third one is missing
    Block<TypeParam> filled{k.lanes, n};
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(n), -1);
    for (std::int64_t e = 0; e < n; ++e) {
      if (e % 3 == 1) continue;
      offsets[static_cast<std::size_t>(e)] = (n - 1 - e) * 2 * k.lanes;
      std::copy_n(stored.data() + (n - 1 - e) * 2 * k.lanes, 2 * k.lanes,
                  filled.data() + e * 2 * k.lanes);
    }
    for (auto* transform : {k.forward, k.inverse}) {
      Block<TypeParam> from_list{k.lanes, n}, from_row{k.lanes, n};
      transform(steps_of(plan), {stored.data(), offsets.data()}, {from_list.data()},
                from_list.data());
      transform(steps_of(plan), {filled.data()}, {from_row.data()}, from_row.data());
      for (std::int64_t lane = 0; lane < k.lanes; ++lane)
        EXPECT_LE(relative_distance(from_list.line(lane), from_row.line(lane)), this->tolerance(n));
    }
  });
}

TYPED_TEST(LaneFunctionsOf, WriteScatteredElementsAndTouchNothingElse) {
  constexpr TypeParam kUntouched = 12345;
  this->for_every_length([&](const auto& k, std::int64_t n) {
    const auto plan = plan_line<TypeParam>(n);
    auto input = random_block<TypeParam>(k.lanes, n, 6);
    for (auto* transform : {k.forward, k.inverse}) {
      Block<TypeParam> row{k.lanes, n}, work{k.lanes, n}, list{k.lanes, 2 * n + 1};
      std::fill(list.reals.begin(), list.reals.end(), kUntouched);
      auto expected = list;
      transform(steps_of(plan), {input.data()}, {row.data()}, row.data());
      std::vector<std::int64_t> offsets(static_cast<std::size_t>(n), -1);
      for (std::int64_t e = 0; e < n; ++e) {
        if (e % 4 == 2) continue;
        offsets[static_cast<std::size_t>(e)] = (2 * e + 1) * 2 * k.lanes;
        std::copy_n(row.data() + e * 2 * k.lanes, 2 * k.lanes,
                    expected.data() + (2 * e + 1) * 2 * k.lanes);
      }
      transform(steps_of(plan), {input.data()}, {list.data(), offsets.data()}, work.data());
      // Which products are fused may differ from path to path, so the last bits may too
      for (std::size_t i = 0; i < list.reals.size(); ++i) {
        if (expected.reals[i] == kUntouched)
          ASSERT_EQ(list.reals[i], kUntouched);
        else
          ASSERT_LE(std::abs(static_cast<long double>(list.reals[i] - expected.reals[i])),
                    this->tolerance(n) * std::sqrt(static_cast<long double>(2 * n)));
      }
    }
  });
}

/// Rows with the room beyond their end that the kernels may touch, and a guard after it.
template <class Real>
struct Rows {
  Rows(std::int64_t rows, std::int64_t width, std::int64_t lanes, Real fill)
      : reals(static_cast<std::size_t>(rows),
              std::vector<Real>(static_cast<std::size_t>(width + lanes + 1), fill)) {}
  template <class Pointer>
  std::vector<Pointer> pointers(std::int64_t missing) {
    std::vector<Pointer> list;
    for (std::size_t r = 0; r < reals.size(); ++r)
      list.push_back(static_cast<std::int64_t>(r) == missing ? nullptr : reals[r].data());
    return list;
  }
  std::vector<std::vector<Real>> reals;
};

constexpr std::int64_t kHalves[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 21, 25, 32, 35, 63, 105};

TYPED_TEST(LaneFunctionsOf, PackTwoHalvesOfARowIntoComplexNumbers) {
  using Real = TypeParam;
  for (const auto* k : available_lane_functions<Real>())
    for (const std::int64_t half : kHalves) {
      SCOPED_TRACE(std::string{k->instruction_set} + " half " + std::to_string(half));
      const auto shift = half_shift_twiddles<Real>(half);
      const std::int64_t missing = k->lanes - 1;
      // What lies beyond the row's end may be read, and must not matter
      Rows<Real> rows{k->lanes, 2 * half, k->lanes, std::numeric_limits<Real>::quiet_NaN()};
      auto values = random_block<Real>(k->lanes, 2 * half, 7);
      for (std::int64_t r = 0; r < k->lanes; ++r)
        for (std::int64_t m = 0; m < 2 * half; ++m)
          rows.reals[static_cast<std::size_t>(r)][static_cast<std::size_t>(m)] = values.re(m, r);
      Block<Real> block{k->lanes, half};
      k->pack_rows(rows.template pointers<const Real*>(missing).data(), half, shift.data(),
                   block.data());
      for (std::int64_t r = 0; r < k->lanes; ++r)
        for (std::int64_t m = 0; m < half; ++m) {
          const Wide expected =
              r == missing ? Wide{}
                           : Wide(values.re(m, r), -values.re(m + half, r)) * root(m, 4 * half);
          EXPECT_LE(std::abs(Wide(block.re(m, r), block.im(m, r)) - expected), 2 * this->kEpsilon);
        }

      Rows<Real> back{k->lanes, 2 * half, k->lanes, 77};
      k->unpack_rows(block.data(), half, shift.data(),
                     back.template pointers<Real*>(missing).data());
      for (std::int64_t r = 0; r < k->lanes; ++r) {
        const auto& row = back.reals[static_cast<std::size_t>(r)];
        EXPECT_EQ(row.back(), 77) << "written beyond one vector after the row";
        for (std::int64_t m = 0; m < 2 * half; ++m)
          EXPECT_NEAR(row[static_cast<std::size_t>(m)], r == missing ? Real{77} : values.re(m, r),
                      4 * this->kEpsilon);
      }
    }
}

TYPED_TEST(LaneFunctionsOf, TurnLanesOfRowsIntoLanesOfFrequenciesAndBack) {
  using Real = TypeParam;
  for (const auto* k : available_lane_functions<Real>())
    for (const std::int64_t half : kHalves) {
      SCOPED_TRACE(std::string{k->instruction_set} + " half " + std::to_string(half));
      const std::int64_t padded = (half + k->lanes - 1) / k->lanes * k->lanes, missing = 0;
      auto block = random_block<Real>(k->lanes, half, 8);
      Rows<Real> rows{k->lanes, 2 * padded, 0, 77};
      k->lanes_to_spectrum(block.data(), half, rows.template pointers<Real*>(missing).data());
      for (std::int64_t r = 0; r < k->lanes; ++r) {
        const auto& row = rows.reals[static_cast<std::size_t>(r)];
        EXPECT_EQ(row.back(), 77);
        for (std::int64_t f = 0; f < padded; ++f) {
          const std::int64_t at = f / k->lanes * 2 * k->lanes + f % k->lanes;
          const Real re = r == missing ? 77 : f < half ? block.re(f, r) : 0;
          const Real im = r == missing ? 77 : f < half ? block.im(f, r) : 0;
          EXPECT_EQ(row[static_cast<std::size_t>(at)], re);
          EXPECT_EQ(row[static_cast<std::size_t>(at + k->lanes)], im);
        }
      }
      Block<Real> back{k->lanes, half};
      k->spectrum_to_lanes(rows.template pointers<const Real*>(missing).data(), half, back.data());
      for (std::int64_t f = 0; f < half; ++f) block.re(f, missing) = block.im(f, missing) = 0;
      EXPECT_EQ(back.reals, block.reals);
    }
}

TYPED_TEST(LaneFunctionsOf, ConvolveRowsNegacyclicallyThroughHalfIntegerFrequencies) {
  using Real = TypeParam;
  for (const auto* k : available_lane_functions<Real>())
    for (const std::int64_t half : kHalves) {
      SCOPED_TRACE(std::string{k->instruction_set} + " half " + std::to_string(half));
      const std::int64_t n = 2 * half;
      const auto plan = plan_line<Real>(half);
      const auto shift = half_shift_twiddles<Real>(half);
      auto values = random_block<Real>(k->lanes, n, 9);
      Rows<Real> f{k->lanes, n, k->lanes, 0}, g = f, h = f;
      for (std::int64_t r = 0; r < k->lanes; ++r)
        for (std::int64_t m = 0; m < n; ++m) {
          f.reals[static_cast<std::size_t>(r)][static_cast<std::size_t>(m)] = values.re(m, r);
          g.reals[static_cast<std::size_t>(r)][static_cast<std::size_t>(m)] = values.im(m, r);
        }
      Block<Real> a{k->lanes, half}, b{k->lanes, half};
      k->pack_rows(f.template pointers<const Real*>(-1).data(), half, shift.data(), a.data());
      k->pack_rows(g.template pointers<const Real*>(-1).data(), half, shift.data(), b.data());
      this->forward(*k, plan, a);
      this->forward(*k, plan, b);
      k->multiply(a.data(), b.data(), half, static_cast<Real>(1.0 / static_cast<double>(half)));
      this->inverse(*k, plan, a);
      k->unpack_rows(a.data(), half, shift.data(), h.template pointers<Real*>(-1).data());

      for (std::int64_t r = 0; r < k->lanes; ++r) {
        std::vector<Wide> expected(static_cast<std::size_t>(n)), found;
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j < n; ++j) {
            const long double sign = i + j < n ? 1 : -1;
            expected[static_cast<std::size_t>((i + j) % n)] +=
                sign * static_cast<long double>(values.re(i, r)) *
                static_cast<long double>(values.im(j, r));
          }
        for (std::int64_t i = 0; i < n; ++i)
          found.emplace_back(h.reals[static_cast<std::size_t>(r)][static_cast<std::size_t>(i)]);
        EXPECT_LE(relative_distance(found, expected), 2 * this->tolerance(n));
      }
    }
}

TYPED_TEST(LaneFunctionsOf, JoinTwoRealPlanesIntoTheTwinColumnsOfAComplexOne) {
  using Real = TypeParam;
  for (const auto* k : available_lane_functions<Real>()) {
    SCOPED_TRACE(k->instruction_set);
    constexpr std::int64_t kCount = 5;
    // Elements of A and B in turn; one of them is missing
    auto planes = random_block<Real>(k->lanes, 2 * kCount, 11);
    const std::int64_t element = 2 * k->lanes, missing = 3;
    std::vector<std::int64_t> offsets;
    for (std::int64_t e = 0; e < kCount; ++e)
      offsets.push_back(e == missing ? -1 : 2 * e * element);
    Block<Real> plus{k->lanes, kCount}, minus{k->lanes, kCount};
    k->join_pairs({planes.data(), offsets.data()}, element, kCount, plus.data(), minus.data());
    const Wide i{0, 1};
    for (std::int64_t lane = 0; lane < k->lanes; ++lane)
      for (std::int64_t e = 0; e < kCount; ++e) {
        const auto at = static_cast<std::size_t>(e);
        const Wide a = e == missing ? Wide{} : planes.line(lane)[2 * at];
        const Wide b = e == missing ? Wide{} : planes.line(lane)[2 * at + 1];
        EXPECT_LE(std::abs(plus.line(lane)[at] - (a + i * b)), 2 * this->kEpsilon);
        EXPECT_LE(std::abs(minus.line(lane)[at] - (std::conj(a) + i * std::conj(b))),
                  2 * this->kEpsilon);
      }
    auto back = planes;
    k->split_pairs(plus.data(), minus.data(), kCount, {back.data(), offsets.data()}, element);
    for (std::size_t n = 0; n < back.reals.size(); ++n) {
      const bool untouched = static_cast<std::int64_t>(n) / (2 * element) == missing;
      EXPECT_NEAR(back.reals[n], (untouched ? 1 : 2) * planes.reals[n], 8 * this->kEpsilon);
    }
  }
}

TYPED_TEST(LaneFunctionsOf, SumProductsOfGatheredElements) {
  using Real = TypeParam;
  for (const auto* k : available_lane_functions<Real>()) {
    SCOPED_TRACE(k->instruction_set);
    auto a = random_block<Real>(k->lanes, 6, 12), b = random_block<Real>(k->lanes, 6, 13);
    const std::int64_t element = 2 * k->lanes;
    const std::vector<std::int64_t> from_a{4 * element, -1, 0}, from_b{element, 0, 5 * element};
    Block<Real> sum{k->lanes, 1};
    k->sum_of_products({a.data(), from_a.data()}, {b.data(), from_b.data()}, 3, Real(0.5),
                       sum.data());
    for (std::int64_t lane = 0; lane < k->lanes; ++lane) {
      const auto f = a.line(lane), g = b.line(lane);
      const Wide expected = (f[4] * g[1] + f[0] * g[5]) / Wide{2};
      EXPECT_LE(std::abs(sum.line(lane)[0] - expected), 4 * this->kEpsilon);
    }
  }
}

TYPED_TEST(LaneFunctionsOf, RotateRowsIntoPairsAndProjectThemBack) {
  using Real = TypeParam;
  for (const auto* k : available_lane_functions<Real>())
    for (const std::int64_t count : {1, 7, 16, 33}) {
      auto v = random_block<Real>(1, count, 14).reals, a = v, b = v, h = v;
      const Real c = Real(0.6), s = Real(-0.8);
      k->add_rotated(v.data(), count, c, s, a.data(), b.data());
      k->add_projected(a.data(), b.data(), count, c, s, h.data());
      for (std::int64_t n = 0; n < count; ++n) {
        const auto at = static_cast<std::size_t>(n);
        EXPECT_NEAR(a[at], Real(1.6) * v[at], 4 * this->kEpsilon);
        EXPECT_NEAR(b[at], Real(0.2) * v[at], 4 * this->kEpsilon);
        EXPECT_NEAR(h[at], Real(1.8) * v[at], 8 * this->kEpsilon);
      }
      EXPECT_EQ(a.back(), v.back()) << "the row ends at " << count;
    }
}

TYPED_TEST(LaneFunctionsOf, AgreeWithEachOtherToTheLastBits) {
  const auto sets = available_lane_functions<TypeParam>();
  if (sets.size() < 2) GTEST_SKIP() << "this processor has one set only";
  for (const std::int64_t length : lengths()) {
    const auto plan = plan_line<TypeParam>(length);
    std::vector<std::vector<Wide>> spectra;
    for (const auto* k : sets) {
      auto block = random_block<TypeParam>(k->lanes, length, 10);
      this->forward(*k, plan, block);
      spectra.push_back(block.line(0));
    }
    for (const auto& spectrum : spectra)
      EXPECT_LE(relative_distance(spectrum, spectra.front()), this->tolerance(length))
          << "length " << length;
  }
}

}  // namespace
}  // namespace synthoscope::fftconv

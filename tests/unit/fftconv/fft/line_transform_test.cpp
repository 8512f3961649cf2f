// SPDX-License-Identifier: MIT
// Every library of this build transforms lines alike, however they are stored.
#include "fftconv/fft/line_transform.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>
#include "core/base/error.hpp"
#include "core/math/random.hpp"
#include "core/run/host_buffer.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/temporary_folder.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr std::int64_t kLengths[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 30, 49, 64, 75, 210, 343, 512};

std::vector<FftLibrary> libraries_here() {
  if (!is_here(FftLibrary::fftw)) return {FftLibrary::own};
  return {FftLibrary::own, FftLibrary::fftw};
}

/// One library, length and precision, with the memory of its lines.
template <class Real>
class Lines {
 public:
  Lines(FftLibrary library, std::int64_t length)
      : length_{length}, transform_{make_line_transform(library, length, functions_)} {}

  /// Uniform values in [-1, 1), a function of `seed`.
  HostBuffer<Real> random(std::uint64_t seed) {
    auto buffer = zeros();
    const RandomStream stream{seed, RandomStage::phantom};
    for (std::int64_t i = 0; i < buffer.count(); ++i)
      buffer.data()[i] =
          static_cast<Real>(2 * uniform32(stream.block(static_cast<std::uint64_t>(i))[0]) - 1);
    return buffer;
  }
  HostBuffer<Real> zeros(std::int64_t elements = 0) {
    HostBuffer<Real> buffer{budget_, (elements > 0 ? elements : length_) * element(), "lines"};
    std::fill_n(buffer.data(), buffer.count(), Real{0});
    return buffer;
  }
  HostBuffer<Real> copy_of(const HostBuffer<Real>& from) {
    auto copy = zeros();
    std::copy_n(from.data(), from.count(), copy.data());
    return copy;
  }
  [[nodiscard]] std::int64_t element() const { return 2 * functions_.lanes; }
  [[nodiscard]] std::int64_t length() const { return length_; }
  [[nodiscard]] const LineTransform<Real>& transform() const { return *transform_; }
  void forward(Real* line) const { transform_->forward({line}, {line}, line); }
  void inverse(Real* line) const { transform_->inverse({line}, {line}, line); }

  /// The value of one lane.
  [[nodiscard]] std::complex<long double> at(const Real* line, std::int64_t e,
                                             std::int64_t lane) const {
    return {line[e * element() + lane], line[e * element() + functions_.lanes + lane]};
  }
  [[nodiscard]] double tolerance() const {
    const auto n = static_cast<double>(length_);
    return 4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * (1 + std::log2(n)) * n;
  }
  const LaneFunctions<Real>& functions() const { return functions_; }

 private:
  MemoryBudget budget_{std::int64_t{1} << 30};
  const LaneFunctions<Real>& functions_ = *available_lane_functions<Real>().front();
  std::int64_t length_;
  std::unique_ptr<LineTransform<Real>> transform_;
};

template <class Real>
class LineTransformOf : public testing::Test {
 protected:
  /// Calls `body(lines)` for every library and length.
  template <class Body>
  void for_all(Body&& body) {
    for (const FftLibrary library : libraries_here())
      for (const std::int64_t length : kLengths) {
        SCOPED_TRACE(std::string{name_of(library)} + " length " + std::to_string(length));
        Lines<Real> lines{library, length};
        body(lines);
      }
  }
};

using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(LineTransformOf, Precisions);

TYPED_TEST(LineTransformOf, GivesTheInputTimesTheLengthBack) {
  this->for_all([&](Lines<TypeParam>& lines) {
    const auto input = lines.random(1);
    const auto line = lines.copy_of(input);
    lines.forward(line.data());
    lines.inverse(line.data());
    for (std::int64_t i = 0; i < input.count(); ++i)
      EXPECT_NEAR(line.data()[i], static_cast<TypeParam>(lines.length()) * input.data()[i],
                  lines.tolerance());
  });
}

TYPED_TEST(LineTransformOf, TurnsProductsOfSpectraIntoCyclicConvolutions) {
  this->for_all([&](Lines<TypeParam>& lines) {
    const auto f = lines.random(2), g = lines.random(3);
    const auto a = lines.copy_of(f), b = lines.copy_of(g);
    lines.forward(a.data());
    lines.forward(b.data());
    lines.functions().multiply(a.data(), b.data(), lines.length(), TypeParam{1});
    lines.inverse(a.data());
    const std::int64_t n = lines.length(), lane = lines.functions().lanes - 1;
    for (std::int64_t k = 0; k < n; k += 1 + n / 7) {
      std::complex<long double> expected;
      for (std::int64_t i = 0; i < n; ++i)
        expected += lines.at(f.data(), i, lane) * lines.at(g.data(), (k - i + n) % n, lane);
      expected *= static_cast<long double>(n);
      EXPECT_LE(std::abs(lines.at(a.data(), k, lane) - expected),
                lines.tolerance() * static_cast<double>(n));
    }
  });
}

TYPED_TEST(LineTransformOf, ReadsAndWritesElementsWhereOffsetsSay) {
  this->for_all([&](Lines<TypeParam>& lines) {
    const std::int64_t n = lines.length(), element = lines.element();
    const auto stored = lines.random(4);
    // Elements stand in reverse order, and every third one is missing
    const auto filled = lines.zeros();
    std::vector<std::int64_t> from(static_cast<std::size_t>(n), -1), to = from;
    for (std::int64_t e = 0; e < n; ++e) {
      if (e % 4 != 2) to[static_cast<std::size_t>(e)] = 2 * e * element;
      if (e % 3 == 1) continue;
      from[static_cast<std::size_t>(e)] = (n - 1 - e) * element;
      std::copy_n(stored.data() + (n - 1 - e) * element, element, filled.data() + e * element);
    }
    for (const bool forward : {true, false}) {
      const auto run = [&](Line<const TypeParam> in, Line<TypeParam> out, TypeParam* work) {
        forward ? lines.transform().forward(in, out, work)
                : lines.transform().inverse(in, out, work);
      };
      const auto expected = lines.copy_of(filled), gathered = lines.zeros(), work = lines.zeros(),
                 scattered = lines.zeros(2 * n), elsewhere = lines.zeros();
      run({expected.data()}, {expected.data()}, expected.data());
      run({stored.data(), from.data()}, {gathered.data()}, gathered.data());
      run({stored.data(), from.data()}, {scattered.data(), to.data()}, work.data());
      run({filled.data()}, {elsewhere.data()}, work.data());
      for (std::int64_t e = 0; e < n; ++e)
        for (std::int64_t i = 0; i < element; ++i) {
          const TypeParam value = expected.data()[e * element + i];
          EXPECT_NEAR(gathered.data()[e * element + i], value, lines.tolerance());
          EXPECT_NEAR(elsewhere.data()[e * element + i], value, lines.tolerance());
          EXPECT_NEAR(scattered.data()[2 * e * element + i], e % 4 != 2 ? value : 0,
                      lines.tolerance());
          EXPECT_EQ(scattered.data()[(2 * e + 1) * element + i], 0) << "between the elements";
        }
    }
  });
}

TYPED_TEST(LineTransformOf, MayBeMadeAndUsedBySeveralThreads) {
  for (const FftLibrary library : libraries_here()) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int turn = 0; turn < 4; ++turn) {
          Lines<TypeParam> lines{library, 90 + 6 * (t % 2)};
          const auto input = lines.random(7);
          const auto line = lines.copy_of(input);
          lines.forward(line.data());
          lines.inverse(line.data());
          EXPECT_NEAR(line.data()[0], static_cast<TypeParam>(lines.length()) * input.data()[0],
                      lines.tolerance());
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(FftwMeasured, KeepsWhatItFoundInTheCacheFolder) {
  if (!is_here(FftLibrary::fftw)) GTEST_SKIP() << "this build has no FFTW";
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before ? before : "";
  const test::TemporaryFolder folder;
  ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  Lines<float> lines{FftLibrary::fftw_measured, 4 * 9 * 5};
  before ? ::setenv("XDG_CACHE_HOME", kept.c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "synthoscope" / "fftw-single.wisdom"));
  const auto input = lines.random(8);
  const auto line = lines.copy_of(input);
  lines.forward(line.data());
  lines.inverse(line.data());
  EXPECT_NEAR(line.data()[1], 180 * input.data()[1], lines.tolerance());
}

TEST(FftLibrary, HasNamesThatLeadBackToIt) {
  for (const auto library :
       {FftLibrary::own, FftLibrary::fftw, FftLibrary::fftw_measured, FftLibrary::cufft})
    EXPECT_EQ(fft_library_named(name_of(library)), library);
  EXPECT_EQ(fft_library_named("mkl"), std::nullopt);
}

TEST(FftLibrary, SaysHowToGetOneThatIsNotBuiltIn) {
  EXPECT_NO_THROW(require_here(FftLibrary::own, "test"));
  if (is_here(FftLibrary::fftw)) {
    EXPECT_EQ(version_of(FftLibrary::fftw).rfind("fftw-3", 0), 0U);
    EXPECT_NO_THROW(require_here(FftLibrary::fftw, "test"));
    return;
  }
  test::expect_failure<InvalidSpec>([] { require_here(FftLibrary::fftw, "test"); },
                                    {"test: ", "-DSYNTHOSCOPE_FFTW=ON", "use --fft own"});
  test::expect_failure<InvalidSpec>([] { require_here(FftLibrary::fftw, "test", "--certify N"); },
                                    {"use --certify N"});
}

}  // namespace
}  // namespace synthoscope::fftconv

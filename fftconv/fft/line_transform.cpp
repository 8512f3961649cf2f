// SPDX-License-Identifier: MIT
#include "fftconv/fft/line_transform.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/base/as_index.hpp"
#include "core/run/host_buffer.hpp"
#include "fftconv/fft/fftw_lines.hpp"

namespace synthoscope::fftconv {
namespace {

/// By the lane functions of this program.
template <class Real>
class OwnLines final : public LineTransform<Real> {
 public:
  OwnLines(std::int64_t length, const LaneFunctions<Real>& functions)
      : plan_{plan_line<Real>(length)}, functions_{functions} {}

  void forward(Line<const Real> in, Line<Real> out, Real* work) const override {
    functions_.forward(steps_of(plan_), in, out, work);
  }
  void inverse(Line<const Real> in, Line<Real> out, Real* work) const override {
    functions_.inverse(steps_of(plan_), in, out, work);
  }

 private:
  LinePlan<Real> plan_;
  const LaneFunctions<Real>& functions_;
};

}  // namespace

template <class Real>
std::unique_ptr<LineTransform<Real>> make_line_transform(FftLibrary library, std::int64_t length,
                                                         const LaneFunctions<Real>& functions) {
  if (library == FftLibrary::own) return std::make_unique<OwnLines<Real>>(length, functions);
  require_here(library, "transform lines with FFTW");
  return fftw::make_lines<Real>(
      length, functions.lanes,
      library == FftLibrary::fftw_measured ? fftw::Planning::measured : fftw::Planning::estimated);
}

template std::unique_ptr<LineTransform<float>> make_line_transform(FftLibrary, std::int64_t,
                                                                   const LaneFunctions<float>&);
template std::unique_ptr<LineTransform<double>> make_line_transform(FftLibrary, std::int64_t,
                                                                    const LaneFunctions<double>&);

std::vector<std::int64_t> frequencies_of(const LineTransform<double>& lines, std::int64_t length,
                                         std::int64_t lanes) {
  // The spectrum of a 1 in element 1 is exp(-2 pi i k / length), which gives k
  const std::int64_t element = 2 * lanes;
  MemoryBudget own{length * element * std::int64_t{sizeof(double)}};
  const HostBuffer<double> line{own, length * element, "a line"};
  std::fill_n(line.data(), line.count(), 0.0);
  line.data()[length > 1 ? element : 0] = 1;
  lines.forward({line.data()}, {line.data()}, line.data());
  std::vector<std::int64_t> frequencies(as_index(length));
  for (std::int64_t e = 0; e < length; ++e) {
    const double re = line.data()[e * element], im = line.data()[e * element + lanes];
    const double turns = -std::atan2(im, re) / (2 * std::numbers::pi);
    const auto k = static_cast<std::int64_t>(std::llround(turns * static_cast<double>(length)));
    frequencies[as_index(e)] = (k + length) % length;
  }
  return frequencies;
}

}  // namespace synthoscope::fftconv

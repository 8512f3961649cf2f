// SPDX-License-Identifier: MIT
#include "fftconv/fft/line_transform.hpp"
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

}  // namespace synthoscope::fftconv

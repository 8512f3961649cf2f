// SPDX-License-Identifier: MIT
// What a build without FFTW has instead.
#include "fftconv/fft/fftw_lines.hpp"
#include "fftconv/fft/fftw_volume.hpp"

namespace synthoscope::fftconv::fftw {

bool is_built_in() {
  return false;
}

std::string version() {
  return "absent";
}

template <class Real>
std::unique_ptr<LineTransform<Real>> make_lines(std::int64_t, std::int64_t, Planning) {
  return nullptr;
}

void convolve_volumes(const Extent3&, double*, double*, const RunContext&) {}

template std::unique_ptr<LineTransform<float>> make_lines(std::int64_t, std::int64_t, Planning);
template std::unique_ptr<LineTransform<double>> make_lines(std::int64_t, std::int64_t, Planning);

}  // namespace synthoscope::fftconv::fftw

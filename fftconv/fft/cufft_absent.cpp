// SPDX-License-Identifier: MIT
// What a build without CUDA has instead.
#include "fftconv/fft/cufft.hpp"

namespace synthoscope::fftconv {

const Cufft& cufft() {
  static const Cufft kAbsent = [] {
    Cufft absent;
    absent.why_absent = "this program was built without CUDA; build it where CUDA is installed";
    return absent;
  }();
  return kAbsent;
}

}  // namespace synthoscope::fftconv

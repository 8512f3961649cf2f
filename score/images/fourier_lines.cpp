// SPDX-License-Identifier: MIT
#include "score/images/fourier_lines.hpp"
#include <algorithm>
#include "core/base/as_index.hpp"
#include "core/run/host_buffer.hpp"

namespace synthoscope::score {
namespace {

using fftconv::available_lane_functions;
using fftconv::can_transform;

/// Returns the length of transforms that convolve a line with a chirp.
std::int64_t padded_length(std::int64_t length) {
  if (can_transform(length)) return length;
  std::int64_t padded = 2 * length - 1;
  while (!can_transform(padded)) ++padded;
  return padded;
}

}  // namespace

FourierLines::FourierLines(std::int64_t length)
    : functions_{available_lane_functions<double>().front()},
      length_{length},
      padded_{padded_length(length)},
      lines_{make_line_transform(fftconv::FftLibrary::own, padded_, *functions_)} {
  if (padded_ == length_)
    frequencies_ = frequencies_of(*lines_, length_, functions_->lanes);
  else
    make_chirp();
}

std::int64_t FourierLines::lanes() {
  return available_lane_functions<double>().front()->lanes;
}

std::int64_t FourierLines::work_doubles() const {
  return (padded_ == length_ ? 1 : 2) * padded_ * 2 * functions_->lanes;
}

void FourierLines::make_chirp() {
  frequencies_.resize(as_index(length_));
  chirp_.resize(as_index(2 * length_));
  const fftconv::UnitRoots roots{2 * length_};
  for (std::int64_t n = 0; n < length_; ++n) {
    const auto root = roots.at(n * n % (2 * length_));
    frequencies_[as_index(n)] = n;
    chirp_[as_index(2 * n)] = static_cast<double>(root.real());
    chirp_[as_index(2 * n + 1)] = static_cast<double>(root.imag());
  }

  // Its conjugate, symmetric around element 0, in every lane
  const std::int64_t lanes = functions_->lanes, element = 2 * lanes;
  MemoryBudget own{padded_ * element * std::int64_t{sizeof(double)}};
  const HostBuffer<double> line{own, padded_ * element, "a line"};
  std::fill_n(line.data(), line.count(), 0.0);
  for (std::int64_t n = 0; n < length_; ++n)
    for (const std::int64_t e : {n, n == 0 ? 0 : padded_ - n}) {
      std::fill_n(line.data() + e * element, lanes, chirp_[as_index(2 * n)]);
      std::fill_n(line.data() + e * element + lanes, lanes, -chirp_[as_index(2 * n + 1)]);
    }
  lines_->forward({line.data()}, {line.data()}, line.data());
  spectrum_.assign(line.data(), line.data() + line.count());
}

void FourierLines::transform(double* base, const std::int64_t* offsets, double* work) const {
  if (!chirp_.empty()) return transform_by_chirp(base, offsets, work);
  lines_->forward({base, offsets}, {base, offsets}, work);
}

void FourierLines::transform_by_chirp(double* base, const std::int64_t* offsets,
                                      double* work) const {
  // X_k = c_k sum over n of (x_n c_n) conj(c_(k - n))
  const std::int64_t lanes = functions_->lanes, element = 2 * lanes;
  double* const line = work + padded_ * element;
  const auto times_chirp = [&](std::int64_t n, const double* in, double* out) {
    const double c = chirp_[as_index(2 * n)], s = chirp_[as_index(2 * n + 1)];
    for (std::int64_t i = 0; i < lanes; ++i) {
      const double re = in[i], im = in[lanes + i];
      out[i] = re * c - im * s;
      out[lanes + i] = re * s + im * c;
    }
  };
  for (std::int64_t n = 0; n < length_; ++n) times_chirp(n, base + offsets[n], line + n * element);
  std::fill_n(line + length_ * element, (padded_ - length_) * element, 0.0);
  lines_->forward({line}, {line}, work);
  functions_->multiply(line, spectrum_.data(), padded_, 1 / static_cast<double>(padded_));
  lines_->inverse({line}, {line}, work);
  for (std::int64_t n = 0; n < length_; ++n) times_chirp(n, line + n * element, base + offsets[n]);
}

}  // namespace synthoscope::score

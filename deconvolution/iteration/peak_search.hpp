// SPDX-License-Identifier: MIT
// deconvolution/iteration/peak_search.hpp — when a sequence of numbers is past its largest one.
#pragma once
#include <algorithm>

namespace synthoscope::deconvolution {

/// Is given one number after another, which rise and then fall. Is over when the largest one is
/// older than three numbers and than a quarter of all before it.
class PeakSearch {
 public:
  void add(double value) {
    if (count_ == 0 || value > largest_) {
      largest_ = value;
      peak_ = count_;
    }
    ++count_;
  }

  /// Returns the position of the largest number, from 0.
  [[nodiscard]] int peak() const { return peak_; }
  [[nodiscard]] bool is_over() const { return count_ - 1 - peak_ >= std::max(3, peak_ / 4); }

 private:
  double largest_ = 0;
  int peak_ = 0, count_ = 0;
};

}  // namespace synthoscope::deconvolution

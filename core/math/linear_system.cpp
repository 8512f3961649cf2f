// SPDX-License-Identifier: MIT
#include "core/math/linear_system.hpp"
#include <cmath>
#include <cstddef>
#include <utility>

namespace synthoscope {

bool solve_linear(std::vector<std::vector<double>>& a) {
  constexpr double kMinPivot = 1e-10;
  const std::size_t n = a.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t k = i + 1; k < n; ++k)
      if (std::fabs(a[k][i]) > std::fabs(a[pivot][i])) pivot = k;
    if (!(std::fabs(a[pivot][i]) > kMinPivot)) return false;
    std::swap(a[i], a[pivot]);
    for (std::size_t k = i + 1; k < n; ++k) {
      const double factor = a[k][i] / a[i][i];
      if (factor == 0) continue;
      for (std::size_t j = i; j < a[k].size(); ++j) a[k][j] -= factor * a[i][j];
    }
  }
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = n; j < a[i].size(); ++j) {
      double sum = a[i][j];
      for (std::size_t k = i + 1; k < n; ++k) sum -= a[i][k] * a[k][j];
      a[i][j] = sum / a[i][i];
    }
  return true;
}

}  // namespace synthoscope

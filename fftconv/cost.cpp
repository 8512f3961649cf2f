// SPDX-License-Identifier: MIT
#include "fftconv/cost.hpp"
#include <algorithm>
#include "fftconv/fft/line_plan.hpp"

namespace synthoscope::fftconv {
namespace {

// Measured with bench/line_bench on one core (AVX-512, single precision), least squares over 56
// lengths from 12 to 350: nanoseconds per complex value and stage.
double stage_cost(int radix) {
  switch (radix) {
    case 2:
      return 0.068;
    case 3:
      return 0.072;
    case 4:
      return 0.080;
    case 5:
      return 0.105;
    case 7:
      return 0.134;
    default:
      return 0.119;
  }
}

/// Loading or storing one complex value of a plane that has left the caches.
constexpr double kMemoryCost = 0.25;
/// Bringing one complex value from rows into lanes or back, both ways of a pass.
constexpr double kTransposeCost = 0.30;
constexpr std::size_t kCandidates = 6;

/// A pass over memory besides the stages, so that a longer transform is never free.
double total_cost(std::int64_t length) {
  return static_cast<double>(length) * (line_cost(length) + kMemoryCost);
}

}  // namespace

double line_cost(std::int64_t length) {
  double cost = 0;
  for (const int radix : radices_of(length)) cost += stage_cost(radix);
  return cost;
}

std::vector<std::int64_t> candidate_lengths(std::int64_t least) {
  if (least <= 1) return {1};
  // Between any n and 2 n lies a power of two, so there is one
  std::vector<std::int64_t> lengths;
  for (std::int64_t n7 = 1; n7 < 2 * least; n7 *= 7)
    for (std::int64_t n5 = n7; n5 < 2 * least; n5 *= 5)
      for (std::int64_t n3 = n5; n3 < 2 * least; n3 *= 3)
        for (std::int64_t n = n3; n < 2 * least; n *= 2)
          if (n >= least) lengths.push_back(n);
  std::sort(lengths.begin(), lengths.end(), [](std::int64_t a, std::int64_t b) {
    return std::pair{total_cost(a), a} < std::pair{total_cost(b), b};
  });
  if (lengths.size() > kCandidates) lengths.resize(kCandidates);
  return lengths;
}

double run_cost(const Layout& l, const Problem& work, const Cut& cut) {
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };
  const auto pieces = [](std::int64_t whole, std::int64_t piece) {
    return static_cast<double>((whole + piece - 1) / piece);
  };
  const Extent3 wanted = wanted_extent(work);
  const double tiles = pieces(wanted.y, cut.result.y) * pieces(wanted.x, cut.result.x);
  const double turns = pieces(wanted.z, cut.result.z);
  const double padded_half = count(l.row_reals) / 2, terms = count(work.terms);

  // Rows in and out of the spectrum: the image's per tile, the kernel's once per term
  const double kernel_rows = terms * count(l.z.kernel_count) * count(l.y.kernel_count);
  const double image_rows = tiles * terms * count(l.z.loaded) * count(l.y.loaded);
  const double result_rows = tiles * count(l.z.wanted) * count(l.y.wanted);
  const double x_pass = (kernel_rows + image_rows + result_rows) * count(l.half) *
                        (line_cost(l.half) + kTransposeCost);

  const double planes_in_out = tiles * (terms * count(l.z.loaded) + count(l.z.wanted));
  const double y_pass = (planes_in_out + terms * count(l.z.kernel_count)) * padded_half *
                        count(l.transform.y) * line_cost(l.transform.y);

  // Columns: image and result in every turn, the kernel too unless it is kept
  const double columns = padded_half * count(l.transform.y), length = count(l.transform.z);
  const double lines =
      tiles * turns * (terms + 1) + (cut.keep_transfer ? 1 : tiles * turns * terms);
  const double moved = planes_in_out + tiles * turns * terms *
                                           (cut.keep_transfer ? length : count(l.z.kernel_count));
  const double z_pass = columns * (lines * length * line_cost(l.transform.z) + moved * kMemoryCost);

  const double width = work.precision == Precision::float32 ? 1 : 2;
  return (x_pass + y_pass + z_pass) * width * 1e-9;
}

}  // namespace synthoscope::fftconv

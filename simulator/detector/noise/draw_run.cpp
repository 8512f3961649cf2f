// SPDX-License-Identifier: MIT
#include "simulator/detector/noise/draw_run.hpp"
#include <bit>
#include <cmath>
#include "core/vector/vector_level.hpp"
#include "simulator/base/normal_quantile.hpp"
#include "simulator/detector/noise/poisson.hpp"

namespace synthoscope::simulator {
namespace {

/// Values of some pixels of a run, contiguous, and their indices in the run.
struct Selection {
  std::int64_t count = 0;
  std::int32_t index[kLongestRun];
  double mean[kLongestRun], uniform[kLongestRun], result[kLongestRun];
  double doubtful[kLongestRun];  ///< 1 or 0, as wide as the other values

  void add(std::int64_t i, bool belongs) {
    index[count] = static_cast<std::int32_t>(i);
    count += belongs;
  }
};

/// Computes the middle of the distribution for all values; the outer ones are replaced next.
void middle_quantiles(VectorLevel level, const double* uniform, std::int64_t count, double* out) {
  vectorised(level, [=]() SYNTHOSCOPE_INLINE {
    for (std::int64_t i = 0; i < count; ++i) {
      const double q = uniform[i] - 0.5;
      out[i] = q * detail::ratio_of_degree_7(0.180625 - q * q, detail::kMiddleAbove,
                                             detail::kMiddleBelow);
    }
  });
}

void outer_quantiles(VectorLevel level, Selection& s) {
  vectorised(level, [&s]() SYNTHOSCOPE_INLINE {
    for (std::int64_t i = 0; i < s.count; ++i) {
      const double u = s.uniform[i];
      const double r = std::sqrt(-portable::log(u < 0.5 ? u : 1 - u));
      const double size =
          detail::ratio_of_degree_7(r - 1.6, detail::kOuterAbove, detail::kOuterBelow);
      s.result[i] = u < 0.5 ? -size : size;
      s.doubtful[i] = r > 5 ? 1 : 0;
    }
  });
}

void expand(VectorLevel level, Selection& s, const double* normal) {
  vectorised(level, [&s, normal]() SYNTHOSCOPE_INLINE {
    for (std::int64_t i = 0; i < s.count; ++i) {
      const detail::PoissonGuess guess = detail::expand_poisson(s.mean[i], normal[i]);
      // Round to nearest, then down: truncation to an integer has no vector form before AVX-512
      const double nearest = (guess.x + 0x1p52) - 0x1p52;
      const double floor = nearest > guess.x ? nearest - 1 : nearest;
      const double above = guess.x - floor;
      s.result[i] = floor;
      const bool clear = guess.trusted & (above > guess.error) & (above < 1 - guess.error);
      s.doubtful[i] = clear ? 0 : 1;
    }
  });
}

constexpr std::int64_t kLanes = 16;  // pixels that search together

void search(VectorLevel level, Selection& s) {
  vectorised(level, [&s]() SYNTHOSCOPE_INLINE {
    for (std::int64_t first = 0; first < s.count; first += kLanes) {
      double mean[kLanes], u[kLanes], term[kLanes], sum[kLanes], before[kLanes], n[kLanes];
      for (std::int64_t i = 0; i < kLanes; ++i) {
        const bool inside = first + i < s.count;
        mean[i] = inside ? s.mean[first + i] : 0;
        u[i] = inside ? s.uniform[first + i] : 0.5;
        term[i] = portable::exp_negative(-mean[i]);
        sum[i] = term[i];
        before[i] = n[i] = 0;
      }
      for (std::size_t k = 1; k < detail::kReciprocals.size(); ++k) {
        const double reciprocal = detail::kReciprocals[k];
        std::int64_t searching = 0;
        for (std::int64_t i = 0; i < kLanes; ++i) {
          const bool below = sum[i] < u[i];
          const double next = sum[i] + (term[i] *= mean[i] * reciprocal);
          searching |= below ? 1 : 0;
          before[i] = below ? sum[i] : before[i];
          n[i] = below ? n[i] + 1 : n[i];
          sum[i] = below ? next : sum[i];
        }
        if (searching == 0) break;
      }
      for (std::int64_t i = 0; i < kLanes && first + i < s.count; ++i) {
        s.result[first + i] = n[i];
        s.doubtful[first + i] =
            ((sum[i] - u[i] < detail::kDoubt) | (u[i] - before[i] < detail::kDoubt)) ? 1 : 0;
      }
    }
  });
}

/// Decides doubtful values with the distribution function, and writes all counts to `out`.
void settle(const Selection& s, double* out) {
  for (std::int64_t i = 0; i < s.count; ++i)
    out[s.index[i]] =
        s.doubtful[i] > 0 ? static_cast<double>(poisson(s.mean[i], s.uniform[i])) : s.result[i];
}

}  // namespace

void draw_uniforms(const RandomStream& stream, std::uint64_t first, std::uint32_t frame,
                   std::uint32_t channel, std::int64_t count, double* out) {
  vectorised(vector_level(), [=, &stream]() SYNTHOSCOPE_INLINE {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto words = stream.block(first + static_cast<std::uint64_t>(i), 0, frame, channel);
      // The 52 bits as the fraction of a number in [1, 2); the result equals uniform52
      const std::uint64_t bits = (std::uint64_t{words[0]} << 20) | (words[1] >> 12);
      out[i] = (std::bit_cast<double>(bits | 0x3FF0000000000000u) - 1) + 0x1p-53;
    }
  });
}

void draw_normals(const double* uniform, std::int64_t count, double* out) {
  Selection outer;
  for (std::int64_t i = 0; i < count; ++i) outer.add(i, std::abs(uniform[i] - 0.5) > 0.425);
  for (std::int64_t i = 0; i < outer.count; ++i) outer.uniform[i] = uniform[outer.index[i]];
  const VectorLevel level = vector_level();
  middle_quantiles(level, uniform, count, out);
  outer_quantiles(level, outer);
  for (std::int64_t i = 0; i < outer.count; ++i)
    out[outer.index[i]] =
        outer.doubtful[i] > 0 ? normal_quantile(outer.uniform[i]) : outer.result[i];
}

void draw_poissons(const double* mean, const double* uniform, std::int64_t count, double* out) {
  Selection low, high;
  for (std::int64_t i = 0; i < count; ++i) {
    const bool is_low = mean[i] < detail::kSearchBelow;
    low.add(i, is_low);
    high.add(i, !is_low);
  }
  for (Selection* s : {&low, &high})
    for (std::int64_t i = 0; i < s->count; ++i) {
      s->mean[i] = mean[s->index[i]];
      s->uniform[i] = uniform[s->index[i]];
    }

  const VectorLevel level = vector_level();
  search(level, low);
  settle(low, out);

  double normal[kLongestRun];
  draw_normals(high.uniform, high.count, normal);
  expand(level, high, normal);
  settle(high, out);
}

}  // namespace synthoscope::simulator

// SPDX-License-Identifier: MIT
#include "simulator/optics/functions/radial_product.hpp"
#include <cstring>

// One compilation per vector width; the loader takes the widest that the processor has.
// Contraction is off, so every width gives the same bits. Sanitizers do not support the selection.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define SYNTHOSCOPE_SELECTS_WIDTH 1
#else
#define SYNTHOSCOPE_SELECTS_WIDTH 0
#endif

namespace synthoscope::simulator {
namespace {

/// kTileRows sums, each `Bytes` wide, fit the registers of processors with vectors of `Bytes`.
template <int Bytes>
[[gnu::always_inline]] inline void multiply_in(const double* left, const double* right,
                                               std::int64_t nodes, double* sums,
                                               std::int64_t stride) {
  using Lanes [[gnu::vector_size(Bytes)]] = double;
  constexpr std::int64_t kLanes = Bytes / sizeof(double);
  for (std::int64_t column = 0; column < kTileColumns; column += kLanes) {
    Lanes sum[kTileRows] = {};
    for (std::int64_t n = 0; n < nodes; ++n) {
      Lanes values;
      std::memcpy(&values, right + n * kTileColumns + column, sizeof values);
#pragma GCC unroll 8
      for (std::int64_t r = 0; r < kTileRows; ++r) sum[r] += left[n * kTileRows + r] * values;
    }
    for (std::int64_t r = 0; r < kTileRows; ++r)
      std::memcpy(sums + r * stride + column, &sum[r], sizeof sum[r]);
  }
}

template <int Bytes>
[[gnu::always_inline]] inline void sum_rows_in(const double* table, std::int64_t stride,
                                               const SixRows& rows, const double* factors,
                                               std::int64_t count, double* sum) {
  using Lanes [[gnu::vector_size(Bytes)]] = double;
  constexpr std::int64_t kLanes = Bytes / sizeof(double);
  for (std::int64_t column = 0; column < kTileColumns; column += kLanes) {
    Lanes real = {}, imaginary = {};
    for (std::int64_t t = 0; t < count; ++t) {
      const double* const first = table + t * stride + column;
      Lanes re = {}, im = {};
#pragma GCC unroll 6
      for (int k = 0; k < 6; ++k) {
        const double* const row = first + rows.offset[k];
        Lanes row_re, row_im;
        std::memcpy(&row_re, row, sizeof row_re);
        std::memcpy(&row_im, row + kTileColumns, sizeof row_im);
        re += rows.weight[k] * row_re;
        im += rows.weight[k] * row_im;
      }
      real += factors[t] * re;
      imaginary += factors[t] * im;
    }
    std::memcpy(sum + column, &real, sizeof real);
    std::memcpy(sum + kTileColumns + column, &imaginary, sizeof imaginary);
  }
}

#if SYNTHOSCOPE_SELECTS_WIDTH
#define SYNTHOSCOPE_WIDTH(architecture) [[gnu::target(architecture)]]
SYNTHOSCOPE_WIDTH("arch=x86-64-v4")
void multiply_widest(const double* left, const double* right, std::int64_t nodes, double* sums,
                     std::int64_t stride) {
  multiply_in<64>(left, right, nodes, sums, stride);
}
SYNTHOSCOPE_WIDTH("arch=x86-64-v3")
void multiply_widest(const double* left, const double* right, std::int64_t nodes, double* sums,
                     std::int64_t stride) {
  multiply_in<32>(left, right, nodes, sums, stride);
}
SYNTHOSCOPE_WIDTH("arch=x86-64-v4")
void sum_rows_widest(const double* table, std::int64_t stride, const SixRows& rows,
                     const double* factors, std::int64_t count, double* sum) {
  sum_rows_in<64>(table, stride, rows, factors, count, sum);
}
SYNTHOSCOPE_WIDTH("arch=x86-64-v3")
void sum_rows_widest(const double* table, std::int64_t stride, const SixRows& rows,
                     const double* factors, std::int64_t count, double* sum) {
  sum_rows_in<32>(table, stride, rows, factors, count, sum);
}
#else
#define SYNTHOSCOPE_WIDTH(architecture)
#endif
SYNTHOSCOPE_WIDTH("default")
void multiply_widest(const double* left, const double* right, std::int64_t nodes, double* sums,
                     std::int64_t stride) {
  multiply_in<16>(left, right, nodes, sums, stride);
}
SYNTHOSCOPE_WIDTH("default")
void sum_rows_widest(const double* table, std::int64_t stride, const SixRows& rows,
                     const double* factors, std::int64_t count, double* sum) {
  sum_rows_in<16>(table, stride, rows, factors, count, sum);
}

}  // namespace

void multiply_tile(const double* left, const double* right, std::int64_t nodes, double* sums,
                   std::int64_t stride) {
  multiply_widest(left, right, nodes, sums, stride);
}

void sum_rows(const double* table, std::int64_t stride, const SixRows& rows, const double* factors,
              std::int64_t count, double* sum) {
  sum_rows_widest(table, stride, rows, factors, count, sum);
}

}  // namespace synthoscope::simulator

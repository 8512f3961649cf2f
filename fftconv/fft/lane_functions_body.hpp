// SPDX-License-Identifier: MIT
// fftconv/fft/lane_functions_body.hpp — the lane functions as source that is compiled per vector
// level. Private: synthoscope_per_vector_level makes sources that define SYNTHOSCOPE_VECTOR_LEVEL
// and include this file. Inline functions of other headers must not be called here unless they are
// always inlined: the linker could keep the copy that was compiled for a newer processor.
#include "fftconv/fft/lane_functions.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr VectorLevel kLevel = VectorLevel::SYNTHOSCOPE_VECTOR_LEVEL;
constexpr int kVectorBytes = register_bytes(kLevel);

#include "fftconv/fft/butterfly.hpp"

template <int... Values>
struct Numbers {};
template <int N, int... Values>
struct CountUp : CountUp<N - 1, N - 1, Values...> {};
template <int... Values>
struct CountUp<0, Values...> {
  using Type = Numbers<Values...>;
};
/// 0, 1, ... N - 1 as template arguments.
template <int N>
using FirstNumbers = typename CountUp<N>::Type;

template <class Real>
struct Lanes {
  static constexpr int kCount = kVectorBytes / sizeof(Real);
  static constexpr int kElement = 2 * kCount;
  typedef Real Vector __attribute__((vector_size(kVectorBytes)));
  /// The same register read from memory of any alignment.
  typedef Real Unaligned
      __attribute__((vector_size(kVectorBytes), aligned(sizeof(Real)), may_alias));
  [[gnu::always_inline]] static Vector load(const Real* p) {
    return *reinterpret_cast<const Unaligned*>(p);
  }
  [[gnu::always_inline]] static void store(Real* p, Vector v) {
    *reinterpret_cast<Unaligned*>(p) = v;
  }
};

template <class Real>
using Vec = typename Lanes<Real>::Vector;

/// Reads and writes whole elements back to back. `Swap` exchanges real and imaginary parts, which
/// turns a forward transform into an inverse one.
template <class Real, bool Swap>
struct Contiguous {
  Real* base;
  [[gnu::always_inline]] Complex<Vec<Real>> load(std::int64_t e) const {
    const Real* p = base + e * Lanes<Real>::kElement;
    return {Lanes<Real>::load(p + (Swap ? Lanes<Real>::kCount : 0)),
            Lanes<Real>::load(p + (Swap ? 0 : Lanes<Real>::kCount))};
  }
  [[gnu::always_inline]] void store(std::int64_t e, Complex<Vec<Real>> c) const {
    Real* p = base + e * Lanes<Real>::kElement;
    Lanes<Real>::store(p + (Swap ? Lanes<Real>::kCount : 0), c.re);
    Lanes<Real>::store(p + (Swap ? 0 : Lanes<Real>::kCount), c.im);
  }
};

/// Reads elements where offsets say; negative offsets read as zero.
template <class Real, bool Swap>
struct Gathered {
  Line<const Real> line;
  [[gnu::always_inline]] Complex<Vec<Real>> load(std::int64_t e) const {
    const std::int64_t offset = line.offsets[e];
    if (offset < 0) return {Vec<Real>{}, Vec<Real>{}};
    return Contiguous<Real, Swap>{const_cast<Real*>(line.base) + offset}.load(0);
  }
};

/// Writes elements where offsets say; negative offsets are not wanted.
template <class Real, bool Swap>
struct Scattered {
  Line<Real> line;
  [[gnu::always_inline]] void store(std::int64_t e, Complex<Vec<Real>> c) const {
    const std::int64_t offset = line.offsets[e];
    if (offset >= 0) Contiguous<Real, Swap>{line.base + offset}.store(0, c);
  }
};

/// One stage. Decimation in frequency multiplies after the butterfly; its transpose, decimation
/// in time, before.
template <int R, bool TwiddleAfter, class Real, class In, class Out>
void run_stage(const LineStage& stage, const Real* twiddles, std::int64_t length, In in, Out out) {
  using V = Vec<Real>;
  const std::int64_t apart = stage.block / R;
  for (std::int64_t p = 0; p < apart; ++p) {
    V re[R], im[R];
#pragma GCC unroll 8
    for (int k = 1; k < R; ++k) {
      const Real* w = twiddles + stage.twiddles + 2 * (p * (R - 1) + k - 1);
      re[k] = V{} + w[0];
      im[k] = V{} + w[1];
    }
    for (std::int64_t e = p; e < length; e += stage.block) {
      Complex<V> a[R];
#pragma GCC unroll 8
      for (int j = 0; j < R; ++j) {
        a[j] = in.load(e + j * apart);
        if (!TwiddleAfter && j > 0) a[j] = product(a[j], re[j], im[j]);
      }
      butterfly<R, V, Real>(a);
#pragma GCC unroll 8
      for (int k = 0; k < R; ++k)
        out.store(e + k * apart, TwiddleAfter && k > 0 ? product(a[k], re[k], im[k]) : a[k]);
    }
  }
}

/// The stage whose butterflies touch neighbours has no twiddles.
template <int R, class Real, class In, class Out>
void run_last_stage(std::int64_t length, In in, Out out) {
  for (std::int64_t e = 0; e < length; e += R) {
    Complex<Vec<Real>> a[R];
#pragma GCC unroll 8
    for (int j = 0; j < R; ++j) a[j] = in.load(e + j);
    butterfly<R, Vec<Real>, Real>(a);
#pragma GCC unroll 8
    for (int k = 0; k < R; ++k) out.store(e + k, a[k]);
  }
}

template <int R, bool TwiddleAfter, class Real, class In, class Out>
void run_radix(const LineSteps<Real>& plan, const LineStage& stage, In in, Out out) {
  if (stage.block == R)
    run_last_stage<R, Real>(plan.length, in, out);
  else
    run_stage<R, TwiddleAfter>(stage, plan.twiddles, plan.length, in, out);
}

template <bool TwiddleAfter, class Real, class In, class Out>
void dispatch_radix(const LineSteps<Real>& plan, const LineStage& stage, In in, Out out) {
  switch (stage.radix) {
    case 2:
      return run_radix<2, TwiddleAfter>(plan, stage, in, out);
    case 3:
      return run_radix<3, TwiddleAfter>(plan, stage, in, out);
    case 4:
      return run_radix<4, TwiddleAfter>(plan, stage, in, out);
    case 5:
      return run_radix<5, TwiddleAfter>(plan, stage, in, out);
    case 7:
      return run_radix<7, TwiddleAfter>(plan, stage, in, out);
    default:
      return run_radix<8, TwiddleAfter>(plan, stage, in, out);
  }
}

/// Runs all stages, from first to last (`Forward`) or back: in -> work, work -> work, work -> out.
template <bool Forward, class Real>
void transform(const LineSteps<Real>& plan, Line<const Real> in, Line<Real> out, Real* work) {
  constexpr bool kSwap = !Forward;
  const Contiguous<Real, kSwap> buffer{work};
  const auto count = plan.stage_count;
  const LineStage* stages = plan.stages;
  const Contiguous<Real, kSwap> in_row{const_cast<Real*>(in.base)}, out_row{out.base};
  const Gathered<Real, kSwap> in_list{in};
  const Scattered<Real, kSwap> out_list{out};

  const auto with_ends = [&](const LineStage& stage, bool first, bool last) {
    if (first && last) {
      if (in.offsets && out.offsets)
        dispatch_radix<Forward>(plan, stage, in_list, out_list);
      else if (in.offsets)
        dispatch_radix<Forward>(plan, stage, in_list, out_row);
      else if (out.offsets)
        dispatch_radix<Forward>(plan, stage, in_row, out_list);
      else
        dispatch_radix<Forward>(plan, stage, in_row, out_row);
    } else if (first) {
      if (in.offsets)
        dispatch_radix<Forward>(plan, stage, in_list, buffer);
      else
        dispatch_radix<Forward>(plan, stage, in_row, buffer);
    } else if (last) {
      if (out.offsets)
        dispatch_radix<Forward>(plan, stage, buffer, out_list);
      else
        dispatch_radix<Forward>(plan, stage, buffer, out_row);
    } else {
      dispatch_radix<Forward>(plan, stage, buffer, buffer);
    }
  };
  if (count == 0) {  // length 1: a copy
    const auto value = in.offsets ? in_list.load(0) : in_row.load(0);
    if (out.offsets)
      out_list.store(0, value);
    else
      out_row.store(0, value);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i)
    with_ends(stages[Forward ? i : count - 1 - i], i == 0, i == count - 1);
}

template <class Real>
void multiply(Real* a, const Real* b, std::int64_t count, Real scale) {
  const Contiguous<Real, false> left{a}, right{const_cast<Real*>(b)};
  for (std::int64_t e = 0; e < count; ++e) {
    const Complex<Vec<Real>> p = left.load(e), q = right.load(e);
    left.store(e, {(p.re * q.re - p.im * q.im) * scale, (p.re * q.im + p.im * q.re) * scale});
  }
}

/// Lane l of the result: from `a` or `b` so that 2 Step x 2 Step blocks swap their off-diagonals.
template <int Step, class V, int... Lane>
[[gnu::always_inline]] inline void exchange(V& a, V& b, Numbers<Lane...>) {
  constexpr int kCount = sizeof...(Lane);
  const V upper = __builtin_shufflevector(a, b, ((Lane & Step) ? kCount + Lane - Step : Lane)...);
  b = __builtin_shufflevector(a, b, ((Lane & Step) ? kCount + Lane : Lane + Step)...);
  a = upper;
}

template <int Step, class V, int N>
[[gnu::always_inline]] inline void transpose_steps(V (&rows)[N]) {
  if constexpr (Step < N) {
#pragma GCC unroll 16
    for (int i = 0; i < N; ++i)
      if (!(i & Step)) exchange<Step>(rows[i], rows[i + Step], FirstNumbers<N>{});
    transpose_steps<2 * Step>(rows);
  }
}

/// Rows become columns in registers.
/// @source Eklundh, A fast computer method for matrix transposing, IEEE Trans. Comput. 1972.
template <class V, int N>
[[gnu::always_inline]] inline void transpose(V (&rows)[N]) {
  transpose_steps<1>(rows);
}

template <class Real>
void load_block(const Real* const* rows, std::int64_t at, Vec<Real> (&block)[Lanes<Real>::kCount]) {
  for (int r = 0; r < Lanes<Real>::kCount; ++r)
    block[r] = rows[r] ? Lanes<Real>::load(rows[r] + at) : Vec<Real>{};
  transpose(block);
}

template <class Real>
void store_block(Vec<Real> (&block)[Lanes<Real>::kCount], Real* const* rows, std::int64_t at) {
  transpose(block);
  for (int r = 0; r < Lanes<Real>::kCount; ++r)
    if (rows[r]) Lanes<Real>::store(rows[r] + at, block[r]);
}

template <class Real>
void pack_rows(const Real* const* rows, std::int64_t half, const Real* shift, Real* block) {
  constexpr int kLanes = Lanes<Real>::kCount;
  const Contiguous<Real, false> out{block};
  for (std::int64_t m = 0; m < half; m += kLanes) {
    Vec<Real> low[kLanes], high[kLanes];
    load_block(rows, m, low);
    load_block(rows, m + half, high);
    const std::int64_t end = half - m < kLanes ? half - m : kLanes;
    for (std::int64_t i = 0; i < end; ++i) {
      const Vec<Real> re = Vec<Real>{} + shift[2 * (m + i)],
                      im = Vec<Real>{} + shift[2 * (m + i) + 1];
      out.store(m + i, product(Complex<Vec<Real>>{low[i], -high[i]}, re, im));
    }
  }
}

template <class Real>
void unpack_rows(const Real* block, std::int64_t half, const Real* shift, Real* const* rows) {
  constexpr int kLanes = Lanes<Real>::kCount;
  const Contiguous<Real, false> in{const_cast<Real*>(block)};
  // Low halves first and whole, because their last vector reaches into the high halves
  for (const bool high : {false, true})
    for (std::int64_t m = 0; m < half; m += kLanes) {
      Vec<Real> part[kLanes] = {};
      const std::int64_t end = half - m < kLanes ? half - m : kLanes;
      for (std::int64_t i = 0; i < end; ++i) {
        const Vec<Real> re = Vec<Real>{} + shift[2 * (m + i)],
                        im = Vec<Real>{} + shift[2 * (m + i) + 1];
        const Complex<Vec<Real>> b = product(in.load(m + i), re, -im);
        part[i] = high ? -b.im : b.re;
      }
      store_block(part, rows, high ? m + half : m);
    }
}

template <class Real>
void lanes_to_spectrum(const Real* block, std::int64_t half, Real* const* rows) {
  constexpr int kLanes = Lanes<Real>::kCount;
  const Contiguous<Real, false> in{const_cast<Real*>(block)};
  for (std::int64_t k = 0; k < half; k += kLanes) {
    Vec<Real> re[kLanes] = {}, im[kLanes] = {};
    const std::int64_t end = half - k < kLanes ? half - k : kLanes;
    for (std::int64_t i = 0; i < end; ++i) {
      const Complex<Vec<Real>> c = in.load(k + i);
      re[i] = c.re;
      im[i] = c.im;
    }
    store_block(re, rows, 2 * k);
    store_block(im, rows, 2 * k + kLanes);
  }
}

template <class Real>
void spectrum_to_lanes(const Real* const* rows, std::int64_t half, Real* block) {
  constexpr int kLanes = Lanes<Real>::kCount;
  const Contiguous<Real, false> out{block};
  for (std::int64_t k = 0; k < half; k += kLanes) {
    Vec<Real> re[kLanes], im[kLanes];
    load_block(rows, 2 * k, re);
    load_block(rows, 2 * k + kLanes, im);
    const std::int64_t end = half - k < kLanes ? half - k : kLanes;
    for (std::int64_t i = 0; i < end; ++i) out.store(k + i, {re[i], im[i]});
  }
}

#include "fftconv/fft/lane_sums.hpp"

#if defined(__aarch64__)
constexpr std::string_view kBaselineName = "NEON";
#else
constexpr std::string_view kBaselineName = "portable";
#endif

template <class Real>
constexpr LaneFunctions<Real> make_functions() {
  LaneFunctions<Real> k{};
  k.instruction_set = kLevel == VectorLevel::avx512 ? "AVX-512"
                      : kLevel == VectorLevel::avx2 ? "AVX2"
                                                    : kBaselineName;
  k.lanes = Lanes<Real>::kCount;
  k.forward = &transform<true, Real>;
  k.inverse = &transform<false, Real>;
  k.multiply = &multiply<Real>;
  k.sum_of_products = &sum_of_products<Real>;
  k.join_pairs = &join_pairs<Real>;
  k.split_pairs = &split_pairs<Real>;
  k.add_rotated = &add_rotated<Real>;
  k.add_projected = &add_projected<Real>;
  k.pack_rows = &pack_rows<Real>;
  k.unpack_rows = &unpack_rows<Real>;
  k.lanes_to_spectrum = &lanes_to_spectrum<Real>;
  k.spectrum_to_lanes = &spectrum_to_lanes<Real>;
  return k;
}

template <class Real>
constexpr LaneFunctions<Real> kFunctions = make_functions<Real>();

}  // namespace

template <>
const LaneFunctions<float>& lane_functions<float, kLevel>() {
  return kFunctions<float>;
}

template <>
const LaneFunctions<double>& lane_functions<double, kLevel>() {
  return kFunctions<double>;
}

}  // namespace synthoscope::fftconv

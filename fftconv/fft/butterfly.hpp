// SPDX-License-Identifier: MIT
// fftconv/fft/butterfly.hpp — discrete Fourier transforms of 2, 3, 4, 5, 7 and 8 points on vectors.
// Private to the lane functions: included once per instruction set, inside its own namespace. Left
// to itself the compiler makes some of these functions calls, with registers spilled around them.

/// Complex numbers, one per lane.
template <class V>
struct Complex {
  V re, im;
};

template <class V>
[[gnu::always_inline]] inline Complex<V> operator+(Complex<V> a, Complex<V> b) {
  return {a.re + b.re, a.im + b.im};
}

template <class V>
[[gnu::always_inline]] inline Complex<V> operator-(Complex<V> a, Complex<V> b) {
  return {a.re - b.re, a.im - b.im};
}

/// -i a
template <class V>
[[gnu::always_inline]] inline Complex<V> turned(Complex<V> a) {
  return {a.im, -a.re};
}

template <class V>
[[gnu::always_inline]] inline Complex<V> product(Complex<V> a, V re, V im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}

template <class V>
[[gnu::always_inline]] inline void butterfly2(Complex<V>& a, Complex<V>& b) {
  const Complex<V> difference = a - b;
  a = a + b;
  b = difference;
}

/// Four points in natural order.
template <class V>
[[gnu::always_inline]] inline void butterfly4(Complex<V>& a0, Complex<V>& a1, Complex<V>& a2,
                                              Complex<V>& a3) {
  const Complex<V> s02 = a0 + a2, d02 = a0 - a2, s13 = a1 + a3, d13 = turned(a1 - a3);
  a0 = s02 + s13;
  a1 = d02 + d13;
  a2 = s02 - s13;
  a3 = d02 - d13;
}

/// cos and sin of 2 pi k / R for the odd radices.
template <int R>
struct Roots;
template <>
struct Roots<3> {
  static constexpr double cos[] = {1, -0.5};
  static constexpr double sin[] = {0, 0.86602540378443864676};
};
template <>
struct Roots<5> {
  static constexpr double cos[] = {1, 0.30901699437494742410, -0.80901699437494742410};
  static constexpr double sin[] = {0, 0.95105651629515357212, 0.58778525229247312917};
};
template <>
struct Roots<7> {
  static constexpr double cos[] = {1, 0.62348980185873353053, -0.22252093395631440429,
                                   -0.90096886790241912624};
  static constexpr double sin[] = {0, 0.78183148246802980871, 0.97492791218182360702,
                                   0.43388373911755812048};
};

/// cos(2 pi n / R) for any n >= 0, by symmetry from the table.
template <int R>
constexpr double cos_of(int n) {
  return Roots<R>::cos[n % R <= R / 2 ? n % R : R - n % R];
}

template <int R>
constexpr double sin_of(int n) {
  return n % R <= R / 2 ? Roots<R>::sin[n % R] : -Roots<R>::sin[R - n % R];
}

/// An odd number of points: sums and differences of the pairs j and R - j share their products.
template <int R, class V, class Real>
[[gnu::always_inline]] inline void butterfly_odd(Complex<V>* a) {
  constexpr int kPairs = (R - 1) / 2;
  Complex<V> sum[kPairs], difference[kPairs];
  Complex<V> first = a[0];
#pragma GCC unroll 8
  for (int j = 0; j < kPairs; ++j) {
    sum[j] = a[j + 1] + a[R - 1 - j];
    difference[j] = a[j + 1] - a[R - 1 - j];
    first = first + sum[j];
  }
#pragma GCC unroll 8
  for (int k = 1; k <= kPairs; ++k) {
    Complex<V> even = a[0], odd = {V{}, V{}};
#pragma GCC unroll 8
    for (int j = 1; j <= kPairs; ++j) {
      const auto c = static_cast<Real>(cos_of<R>(j * k)), s = static_cast<Real>(sin_of<R>(j * k));
      even = {even.re + sum[j - 1].re * c, even.im + sum[j - 1].im * c};
      odd = {odd.re + difference[j - 1].im * s, odd.im - difference[j - 1].re * s};
    }
    a[k] = even + odd;
    a[R - k] = even - odd;
  }
  a[0] = first;
}

/// Eight points as two fours on even and odd inputs.
template <class V, class Real>
[[gnu::always_inline]] inline void butterfly8(Complex<V>* a) {
  constexpr auto kHalfRoot = static_cast<Real>(0.70710678118654752440);
  butterfly4(a[0], a[2], a[4], a[6]);
  butterfly4(a[1], a[3], a[5], a[7]);
  const Complex<V> o1 = {(a[3].re + a[3].im) * kHalfRoot, (a[3].im - a[3].re) * kHalfRoot};
  const Complex<V> o2 = turned(a[5]);
  const Complex<V> o3 = {(a[7].im - a[7].re) * kHalfRoot, (a[7].re + a[7].im) * -kHalfRoot};
  const Complex<V> e0 = a[0], e1 = a[2], e2 = a[4], e3 = a[6], o0 = a[1];
  a[0] = e0 + o0, a[1] = e1 + o1, a[2] = e2 + o2, a[3] = e3 + o3;
  a[4] = e0 - o0, a[5] = e1 - o1, a[6] = e2 - o2, a[7] = e3 - o3;
}

/// a[k] <- sum_j a[j] exp(-2 pi i j k / R)
template <int R, class V, class Real>
[[gnu::always_inline]] inline void butterfly(Complex<V>* a) {
  if constexpr (R == 2)
    butterfly2(a[0], a[1]);
  else if constexpr (R == 4)
    butterfly4(a[0], a[1], a[2], a[3]);
  else if constexpr (R == 8)
    butterfly8<V, Real>(a);
  else
    butterfly_odd<R, V, Real>(a);
}

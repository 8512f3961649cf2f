// SPDX-License-Identifier: MIT
// fftconv/fft/lane_sums.hpp — sums of rows and of columns for kernels that are thin along z and for
// volumes that are convolved in parts. Private: included by lane_functions_body.hpp alone.

/// a += c v and b += s v: a row of a real plane joins a complex one.
template <class Real>
void add_rotated(const Real* __restrict v, std::int64_t count, Real c, Real s, Real* __restrict a,
                 Real* __restrict b) {
  for (std::int64_t i = 0; i < count; ++i) {
    a[i] += c * v[i];
    b[i] += s * v[i];
  }
}

/// h += c a + s b: what a complex row gives to a real one.
template <class Real>
void add_projected(const Real* __restrict a, const Real* __restrict b, std::int64_t count, Real c,
                   Real s, Real* __restrict h) {
  for (std::int64_t i = 0; i < count; ++i) h[i] += c * a[i] + s * b[i];
}

template <class Real>
void join_pairs(Line<const Real> planes, std::int64_t apart, std::int64_t count, Real* plus,
                Real* minus) {
  const Gathered<Real, false> re{planes}, im{{planes.base + apart, planes.offsets}};
  const Contiguous<Real, false> up{plus}, down{minus};
  for (std::int64_t e = 0; e < count; ++e) {
    const Complex<Vec<Real>> a = re.load(e), b = im.load(e);
    up.store(e, {a.re - b.im, a.im + b.re});
    down.store(e, {a.re + b.im, b.re - a.im});
  }
}

template <class Real>
void split_pairs(const Real* plus, const Real* minus, std::int64_t count, Line<Real> planes,
                 std::int64_t apart) {
  const Contiguous<Real, false> up{const_cast<Real*>(plus)}, down{const_cast<Real*>(minus)};
  const Scattered<Real, false> re{planes}, im{{planes.base + apart, planes.offsets}};
  for (std::int64_t e = 0; e < count; ++e) {
    const Complex<Vec<Real>> u = up.load(e), w = down.load(e);
    re.store(e, {u.re + w.re, u.im - w.im});
    im.store(e, {u.im + w.im, w.re - u.re});
  }
}

template <class Real>
void sum_of_products(Line<const Real> a, Line<const Real> b, std::int64_t count, Real scale,
                     Real* out) {
  const Gathered<Real, false> left{a}, right{b};
  Vec<Real> re{}, im{};
  for (std::int64_t e = 0; e < count; ++e) {
    const Complex<Vec<Real>> p = left.load(e), q = right.load(e);
    re += p.re * q.re - p.im * q.im;
    im += p.re * q.im + p.im * q.re;
  }
  Contiguous<Real, false>{out}.store(0, {re * scale, im * scale});
}

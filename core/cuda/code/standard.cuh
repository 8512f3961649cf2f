// SPDX-License-Identifier: MIT
// core/cuda/code/standard.cuh — the little of the standard library that bodies of host and device
// share: NVRTC comes without it. Stands for <algorithm>, <array>, <bit>, <cmath> and so on.
#pragma once

namespace std {

using size_t = decltype(sizeof 0);
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long long;
using uint64_t = unsigned long long;

// Named where the host alone makes one
template <class T>
class optional;
template <class T>
class vector;

struct string_view {
  const char* text;
  constexpr string_view(const char* literal) : text{literal} {}
};

template <class, class>
inline constexpr bool is_same_v = false;
template <class T>
inline constexpr bool is_same_v<T, T> = true;

template <bool kFirst, class First, class>
struct conditional {
  using type = First;
};
template <class First, class Second>
struct conditional<false, First, Second> {
  using type = Second;
};
template <bool kFirst, class First, class Second>
using conditional_t = typename conditional<kFirst, First, Second>::type;

template <class T, class Other>
concept same_as = is_same_v<T, Other>;
template <class From, class To>
concept convertible_to = __is_convertible_to(From, To);

template <class T, size_t Count>
struct array {
  T values[Count];
  constexpr T* begin() { return values; }
  constexpr T* end() { return values + Count; }
  constexpr T& operator[](size_t i) { return values[i]; }
  constexpr const T& operator[](size_t i) const { return values[i]; }
  [[nodiscard]] constexpr size_t size() const { return Count; }
  friend constexpr bool operator==(const array& a, const array& b) {
    for (size_t i = 0; i < Count; ++i)
      if (!(a.values[i] == b.values[i])) return false;
    return true;
  }
};

template <class To, class From>
constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}

template <class T>
constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}

template <class T>
constexpr const T& clamp(const T& value, const T& low, const T& high) {
  return value < low ? low : high < value ? high : value;
}

// Correctly rounded on hosts and devices alike
inline double sqrt(double x) {
  return ::sqrt(x);
}
inline float sqrt(float x) {
  return ::sqrtf(x);
}
inline double floor(double x) {
  return ::floor(x);
}
inline double ceil(double x) {
  return ::ceil(x);
}
inline double abs(double x) {
  return ::fabs(x);
}
inline float abs(float x) {
  return ::fabsf(x);
}

}  // namespace std

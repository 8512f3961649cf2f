// SPDX-License-Identifier: MIT
// tests/faults/later_clock.cpp — the time of day is LATER_SECONDS later than it is; clocks that
// measure how long something takes stay as they are.
#include <dlfcn.h>
#include <sys/time.h>
#include <cstdlib>
#include <ctime>

namespace {

time_t later() {
  static const char* const seconds = std::getenv("LATER_SECONDS");
  return seconds ? std::strtol(seconds, nullptr, 10) : 0;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

time_t time(time_t* also) {
  static const auto real = next<time_t (*)(time_t*)>("time");
  const time_t now = real(nullptr) + later();
  if (also) *also = now;
  return now;
}

int gettimeofday(timeval* now, void* zone) {
  static const auto real = next<int (*)(timeval*, void*)>("gettimeofday");
  const int failure = real(now, zone);
  if (failure == 0) now->tv_sec += later();
  return failure;
}

int clock_gettime(clockid_t clock, timespec* now) {
  static const auto real = next<int (*)(clockid_t, timespec*)>("clock_gettime");
  const int failure = real(clock, now);
  const bool is_time_of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (failure == 0 && is_time_of_day) now->tv_sec += later();
  return failure;
}

}  // extern "C"

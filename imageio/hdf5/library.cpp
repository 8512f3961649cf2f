// SPDX-License-Identifier: MIT
#include "imageio/hdf5/library.hpp"
#include <fmt/format.h>
#include <hdf5.h>
#include <algorithm>
#include <new>
#include <type_traits>

namespace synthoscope::imageio {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

bool is_left_at_exit = false;

/// The library hears of it before its first call, and is not begun where it is not used.
void begin_library() {
  static const int begun = is_left_at_exit ? H5dont_atexit() : 0;
  static_cast<void>(begun);
}

}  // namespace

Hdf5Lock::Hdf5Lock() : lock_{library_mutex()} {
  begin_library();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // the setting belongs to a thread
}

void Hdf5Lock::reset_after_fork() {
  // A mutex knows its holder by the number of a thread, which the copy has not
  new (&library_mutex()) std::recursive_mutex;
}

Hdf5Handle::~Hdf5Handle() {
  (void)close();
}

bool Hdf5Handle::close() {
  if (id_ < 0) return true;
  const Hdf5Lock lock;
  return close_(std::exchange(id_, -1)) >= 0;
}

NoHdf5PlugIns::NoHdf5PlugIns() {
  H5PLget_loading_state(&allowed_);
  H5PLset_loading_state(0);
}

NoHdf5PlugIns::~NoHdf5PlugIns() {
  H5PLset_loading_state(allowed_);
}

std::string hdf5_complaint() {
  std::string innermost;
  const auto keep_first = [](unsigned, const H5E_error2_t* error, void* kept) -> herr_t {
    auto& text = *static_cast<std::string*>(kept);
    if (text.empty() && error->desc) text = error->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &innermost);
  H5Eclear2(H5E_DEFAULT);
  // It becomes a part of a sentence on one line
  std::replace_if(
      innermost.begin(), innermost.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return innermost.empty() ? "it gives no reason" : innermost;
}

void skip_hdf5_cleanup_at_exit() {
  is_left_at_exit = true;
}

std::string hdf5_version() {
  return fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
}

}  // namespace synthoscope::imageio

// SPDX-License-Identifier: MIT
#include "imageio/tiff/client.hpp"
#include <tiffio.h>
#include <cstdarg>
#include <cstdio>

namespace synthoscope::imageio {
namespace {

TiffClient& client_of(thandle_t handle) {
  return *static_cast<TiffClient*>(handle);
}

/// Moves `size` bytes, or keeps why not.
template <class Move>
tmsize_t guarded(TiffClient& client, Move&& move) try {
  const std::size_t moved = move();
  client.position += static_cast<std::int64_t>(moved);
  return static_cast<tmsize_t>(moved);
} catch (...) {
  client.failure = std::current_exception();
  return -1;
}

tmsize_t read_client(thandle_t handle, void* out, tmsize_t size) {
  TiffClient& client = client_of(handle);
  return guarded(client, [&] {
    return client.read(client.position,
                       {static_cast<std::byte*>(out), static_cast<std::size_t>(size)});
  });
}

tmsize_t write_client(thandle_t handle, void* bytes, tmsize_t size) {
  TiffClient& client = client_of(handle);
  return guarded(client, [&] {
    const auto count = static_cast<std::size_t>(size);
    client.write(client.position, {static_cast<const std::byte*>(bytes), count});
    return count;
  });
}

toff_t seek_client(thandle_t handle, toff_t offset, int whence) {
  TiffClient& client = client_of(handle);
  const auto distance = static_cast<std::int64_t>(offset);
  if (whence == SEEK_SET) client.position = distance;
  if (whence == SEEK_CUR) client.position += distance;
  if (whence == SEEK_END) client.position = client.size() + distance;
  return static_cast<toff_t>(client.position);
}

toff_t size_of_client(thandle_t handle) {
  return static_cast<toff_t>(client_of(handle).size());
}

int close_nothing(thandle_t) {
  return 0;
}

int keep_message(TIFF*, void* user, const char*, const char* format, va_list arguments) {
  char text[256];
  std::vsnprintf(text, sizeof text, format, arguments);
  client_of(user).message = text;
  return 1;
}

int ignore_message(TIFF*, void*, const char*, const char*, va_list) {
  return 1;
}

}  // namespace

void CloseTiff::operator()(tiff* handle) const {
  TIFFClose(handle);
}

TiffHandle open_tiff(TiffClient& client, const std::string& name, const char* mode,
                     std::int64_t largest_piece) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options{
      TIFFOpenOptionsAlloc(), TIFFOpenOptionsFree};
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), largest_piece);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_message, &client);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignore_message, nullptr);
  return TiffHandle{TIFFClientOpenExt(name.c_str(), mode, &client, read_client, write_client,
                                      seek_client, close_nothing, size_of_client, nullptr, nullptr,
                                      options.get())};
}

}  // namespace synthoscope::imageio

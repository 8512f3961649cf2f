// SPDX-License-Identifier: MIT
#include "studio/server/router.hpp"
#include <fmt/format.h>
#include <charconv>
#include <new>
#include <optional>
#include <utility>

namespace synthoscope::studio {
namespace {

std::vector<std::string> segments_of(std::string_view path) {
  std::vector<std::string> segments;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    segments.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return segments;
}

/// Returns what stands for each "*", or nothing if `path` is another path.
std::optional<std::vector<std::string>> parts_of(const std::vector<std::string>& route,
                                                 const std::vector<std::string>& path) {
  if (route.size() != path.size()) return std::nullopt;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < route.size(); ++i) {
    if (route[i] == path[i]) continue;
    std::string part;
    if (route[i] != "*" || path[i].empty() || !percent_decoded(path[i], part)) return std::nullopt;
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Calls a handler, and turns what it throws into a response.
Response answer_of(const Handler& handler, const Request& request) {
  try {
    return handler(request);
  } catch (const RequestFailure& failure) {
    return error_response(failure.status, failure.what());
  } catch (const InvalidSpec& failure) {
    return error_response(400, failure.what());
  } catch (const InvalidInput& failure) {
    return error_response(400, failure.what());
  } catch (const Error& failure) {
    return error_response(500, failure.what());
  } catch (const std::bad_alloc&) {
    return error_response(500, "answer the request: there is no more memory; close other programs");
  } catch (const std::exception& failure) {
    return error_response(
        500, fmt::format("this is a defect of the program, please report it: {}", failure.what()));
  }
}

}  // namespace

bool percent_decoded(std::string_view text, std::string& decoded) {
  decoded.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return false;
    const char* const first = text.data() + i + 1;
    unsigned char byte = 0;
    const auto [end, failure] = std::from_chars(first, first + 2, byte, 16);
    if (failure != std::errc{} || end != first + 2 || byte == 0) return false;
    decoded += static_cast<char>(byte);
    i += 2;
  }
  return true;
}

void Router::add(std::string method, const std::string& path, Handler handler) {
  routes_.push_back({std::move(method), segments_of(path), std::move(handler), {}});
}

void Router::add_upload(const std::string& path, const std::filesystem::path& folder,
                        Handler handler) {
  routes_.push_back({"POST",
                     segments_of(path),
                     std::move(handler),
                     {"application/octet-stream", kMostUploadBytes, folder}});
}

BodyRule Router::body_rule(std::string_view path) const {
  const std::vector<std::string> segments = segments_of(path);
  for (const Route& route : routes_)
    if (route.method == "POST" && parts_of(route.segments, segments)) return route.body;
  return {};
}

Response Router::answer(Request request) const {
  const std::vector<std::string> path = segments_of(request.path);
  bool is_path = false;
  for (const Route& route : routes_) {
    auto parts = parts_of(route.segments, path);
    if (!parts) continue;
    is_path = true;
    if (route.method != request.method) continue;
    request.parts = *std::move(parts);
    return answer_of(route.handler, request);
  }
  if (is_path)
    return error_response(405,
                          fmt::format("{} {}: this path has another method; use {}", request.method,
                                      request.path, request.method == "GET" ? "POST" : "GET"));
  return error_response(404,
                        fmt::format("{} {}: there is no such path", request.method, request.path));
}

}  // namespace synthoscope::studio

// SPDX-License-Identifier: MIT
// studio/server/access.hpp — which requests are served: host, origin, token, method and body.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::studio {

inline constexpr std::int64_t kMostBodyBytes = std::int64_t{1} << 20;
inline constexpr std::int64_t kMostUploadBytes = std::int64_t{512} << 20;
inline constexpr std::size_t kMostTargetBytes = 2000;

/// What a request says before its body.
struct RequestHead {
  std::string method;
  std::string target;                               ///< "/?token=..." as it was sent
  std::multimap<std::string, std::string> headers;  ///< names in lower case

  /// Adds a header, whose name may have any case.
  void add(std::string_view name, std::string_view value);
};

/// The bodies that the POST requests of a path may have.
struct BodyRule {
  std::string type = "application/json";
  std::int64_t most_bytes = kMostBodyBytes;
  /// If it is set, the body is received into a file without a name in this folder, otherwise into
  /// memory.
  std::optional<std::filesystem::path> folder = {};
};

struct AccessRules {
  std::string token;
  std::string cookie;              ///< name of the cookie that holds the token
  std::vector<std::string> hosts;  ///< accepted beside localhost, 127.0.0.1 and [::1]
};

struct Refusal {
  int status;
  std::string sentence;
};

/// Returns why a request is refused, or nothing if it is served. A request is served only if
///
/// * its host is one of the accepted names, with any port: a name that somebody else directs to
///   this machine (DNS rebinding) is refused;
/// * it does not come from a page of another site or of another port of this machine;
/// * its query or its cookie holds the token; otherwise the status is always 403;
/// * its method is GET, or POST with a body as `body` has it, whose length is known.
std::optional<Refusal> refusal_of(const RequestHead& head, const AccessRules& rules,
                                  const BodyRule& body = {});

/// Returns whether the value of a Host header names an accepted host, with any port or none.
bool is_accepted_host(std::string_view host, const std::vector<std::string>& others);

/// Returns the value of a cookie in a Cookie header; empty if there is none.
std::string_view cookie_in(std::string_view header, std::string_view name);

/// Returns the value of a name in the query of a target, not decoded; empty if there is none.
std::string_view query_value(std::string_view target, std::string_view name);

/// Returns a target without its query.
std::string_view path_of(std::string_view target);

}  // namespace synthoscope::studio

// SPDX-License-Identifier: MIT
// studio/server/router.hpp — which function answers which request.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>
#include "studio/server/access.hpp"
#include "studio/server/request.hpp"

namespace synthoscope::studio {

/// Answers a request. Several threads call it at once.
/// @throws RequestFailure  to answer with its status.
/// @throws InvalidSpec, InvalidInput  the request is wrong: status 400.
using Handler = std::function<Response(const Request&)>;

/// A fixed table of paths. No path refers to a file of the disk.
class Router {
 public:
  /// Adds the path of a method. Each segment "*" of the path matches any one segment that is not
  /// empty, such as in "/api/examples/*".
  void add(std::string method, const std::string& path, Handler handler);

  /// Adds a path to which files are posted; they are received into `folder`, without a name.
  void add_upload(const std::string& path, const std::filesystem::path& folder, Handler handler);

  /// Returns what a POST to `path` may hold. A path that is not there may hold what most do.
  [[nodiscard]] BodyRule body_rule(std::string_view path) const;

  /// Returns what the handler of the request's path returns, or the response to its failure: 404
  /// if there is no such path, 405 if it has another method.
  [[nodiscard]] Response answer(Request request) const;

 private:
  struct Route {
    std::string method;
    std::vector<std::string> segments;
    Handler handler;
    BodyRule body;
  };
  std::vector<Route> routes_;
};

/// Returns `text` with %XX replaced by bytes. Returns false if an escape is broken or means NUL.
bool percent_decoded(std::string_view text, std::string& decoded);

}  // namespace synthoscope::studio

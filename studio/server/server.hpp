// SPDX-License-Identifier: MIT
// studio/server/server.hpp — an HTTP server for one person's browser.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>
#include "core/run/stop.hpp"
#include "studio/server/router.hpp"

namespace synthoscope::studio {

struct ServerOptions {
  int port = 0;  ///< 0: a free one
  std::vector<std::string>
      hosts;  ///< names accepted as Host beside those of the loopback interface
};

/// Connections that are served at once; those beyond are closed when they come in.
inline constexpr std::size_t kMostConnections = 64;

/// Serves the routes of a router on 127.0.0.1 to those who have its token, as access.hpp says. A
/// connection serves one request, which must arrive within some seconds.
class Server {
 public:
  /// Begins to listen; requests are answered by `run`.
  /// @throws IoError      the port cannot be used.
  /// @throws InvalidSpec  this program was built without a library for HTTP.
  Server(Router router, const ServerOptions& options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// Returns "http://127.0.0.1:PORT/?token=TOKEN": a GET of it answers 200, and sets a cookie with
  /// the token for all later requests.
  [[nodiscard]] std::string address() const;

  /// Serves until a stop is requested, then ends all connections and returns.
  /// @throws IoError  the server ended by itself.
  void run(const StopFlag& stop);

 private:
  class Http;
  std::unique_ptr<Http> http_;
};

}  // namespace synthoscope::studio

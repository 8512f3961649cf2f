// SPDX-License-Identifier: MIT
// studio/server/server_absent.cpp — the server of a program that has no library for HTTP.
#include "core/base/error.hpp"
#include "studio/server/server.hpp"

namespace synthoscope::studio {

class Server::Http {};

Server::Server(Router, const ServerOptions&) {
  throw InvalidSpec(
      "serve a page: this program was built without cpp-httplib; install libcpp-httplib-dev, "
      "version 0.11 to 0.14, and build it again");
}

Server::~Server() = default;

std::string Server::address() const {
  return {};
}

void Server::run(const StopFlag&) {}

}  // namespace synthoscope::studio

// SPDX-License-Identifier: MIT
// studio/server/server.cpp — requests pass from httplib to the router, and responses back.
#include "studio/server/server.hpp"
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>
#include <utility>
#include "studio/server/access.hpp"
#include "studio/server/connection.hpp"
#include "studio/server/token.hpp"

namespace synthoscope::studio {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kLoopback = "127.0.0.1";
constexpr int kWaitingConnections = 128;
constexpr seconds kKeepAlive{15};   ///< after which a stream of events sends a comment
constexpr milliseconds kLook{250};  ///< how often streams and the program look for a stop

/// Sent with every response. Scripts and styles come from this server alone, nothing is stored by
/// caches, and no other page embeds or reads anything.
const httplib::Headers& safe_headers() {
  static const httplib::Headers headers{
      {"Content-Security-Policy",
       "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
       "object-src 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"}};
  return headers;
}

/// Threads for at most kMostConnections. What comes beyond is called by the thread that accepts,
/// in which the server closes it at once.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> serve) override {
    if (open_.load() >= kMostConnections) return serve();
    open_.fetch_add(1);
    pool_.enqueue([this, serve = std::move(serve)] {
      serve();
      open_.fetch_sub(1);
    });
  }
  void shutdown() override { pool_.shutdown(); }

 private:
  std::atomic<std::size_t> open_{0};
  httplib::ThreadPool pool_{kMostConnections};
};

RequestHead head_of(const httplib::Request& request) {
  RequestHead head{request.method, request.target, {}};
  for (const auto& [name, value] : request.headers) head.add(name, value);
  return head;
}

Request request_of(const httplib::Request& from) {
  return {from.method, std::string{path_of(from.target)}, {}, {}};
}

std::uint64_t last_event_of(const httplib::Request& request, const EventStream& events) {
  const std::string text = request.get_header_value("Last-Event-ID");
  const std::uint64_t latest = events.latest();
  return text.empty() ? latest
                      : std::min<std::uint64_t>(std::strtoull(text.c_str(), nullptr, 10), latest);
}

/// Sends events as they come, and a comment in between, so that no proxy takes the connection for
/// dead.
void send_events(const std::shared_ptr<EventStream>& events, std::uint64_t last,
                 httplib::Response& into) {
  auto sent = std::chrono::steady_clock::now() - kKeepAlive;  // the first comment comes at once
  into.set_chunked_content_provider(
      "text/event-stream", [events, last, sent](std::size_t, httplib::DataSink& sink) mutable {
        if (!sink.is_writable()) return false;  // the page was closed: another one gets its place
        const auto now = std::chrono::steady_clock::now();
        const bool is_due = now - sent >= kKeepAlive;
        std::string text = events->wait_after(last, is_due ? milliseconds{0} : kLook);
        if (text.empty() && is_due) text = ": the connection is kept\n\n";
        if (!text.empty()) {
          sink.write(text.data(), text.size());
          sent = now;
        }
        return true;
      });
}

/// Moves the body: stacks have many megabytes.
void fill_response(Response response, httplib::Response& into) {
  into.status = response.status;
  into.body = std::move(response.body);
  into.set_header("Content-Type", response.type);
  if (response.policy.empty()) return;
  into.headers.erase("Content-Security-Policy");
  into.set_header("Content-Security-Policy", response.policy);
}

}  // namespace

/// The part of the server that is httplib's.
class Server::Http final : public httplib::Server {
 public:
  Http(Router router, const ServerOptions& options)
      : router_{std::move(router)},
        rules_{random_token(32), "synthoscope_" + random_token(4), options.hosts} {
    listen_on(options.port);
    new_task_queue = [] { return new ConnectionThreads; };  // httplib deletes it
    set_default_headers(safe_headers());
    set_payload_max_length(kMostUploadBytes);  // of a path: BodyRule
    set_pre_routing_handler([this](const auto& request, auto& into) {
      return refuse(request, into) ? HandlerResponse::Handled : HandlerResponse::Unhandled;
    });
    set_error_handler([](const auto&, auto& into) {
      if (into.body.empty())
        fill_response(error_response(into.status, "read the request: it is broken"), into);
    });
    Get(".*",
        [this](const auto& request, auto& into) { answer(request_of(request), request, into); });
    Post(".*", [this](const auto& request, auto& into, const auto& reader) {
      receive(request, into, reader);
    });
  }

  [[nodiscard]] std::string address() const {
    return fmt::format("http://{}:{}/?token={}", kLoopback, port_, rules_.token);
  }

  void run(const StopFlag& stop) {
    std::atomic<bool> has_ended = false;
    std::jthread listening{[&] {
      accepting_ = std::this_thread::get_id();
      listen_after_bind();
      has_ended = true;
    }};
    while (!stop.requested() && !has_ended) std::this_thread::sleep_for(kLook / 5);
    stopping_ = true;
    while (!is_running() && !has_ended) std::this_thread::yield();  // stop() is lost before
    this->stop();
    listening.join();
    if (!stop.requested())
      throw IoError(
          "serve a page: the system accepts no more connections; start the program again");
  }

 private:
  void listen_on(int port) {
    // httplib's own options would let a second program listen on the same port
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
      ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    });
    port_ = port;
    if (port == 0)
      port_ = bind_to_any_port(kLoopback);
    else if (!bind_to_port(kLoopback, port))
      port_ = -1;
    if (port_ <= 0)
      throw IoError(fmt::format(
          "listen on port {} of {}: the port is in use, or may not be used by this account; give "
          "another --port, or none for a free one",
          port, kLoopback));
    ::listen(svr_sock_, kWaitingConnections);  // more than httplib lets wait
  }

  bool refuse(const httplib::Request& request, httplib::Response& into) const {
    const auto refusal =
        refusal_of(head_of(request), rules_, router_.body_rule(path_of(request.target)));
    if (refusal) fill_response(error_response(refusal->status, refusal->sentence), into);
    return refusal.has_value();
  }

  /// Reads the body of a request to where its path wants it, and answers.
  void receive(const httplib::Request& from, httplib::Response& into,
               const httplib::ContentReader& reader) const {
    Request request = request_of(from);
    const BodyRule rule = router_.body_rule(request.path);
    try {
      if (rule.folder) request.file = std::make_shared<UnnamedFile>(*rule.folder);
      const bool is_whole = reader([&](const char* bytes, std::size_t size) {
        if (request.file)
          request.file->append({bytes, size});
        else
          request.body.append(bytes, size);
        return true;
      });
      if (is_whole) return answer(std::move(request), from, into);
    } catch (const Error& failure) {
      return fill_response(error_response(500, failure.what()), into);
    }
    fill_response(error_response(400, "read the request: its body ended early; send it again"),
                  into);
  }

  void answer(Request request, const httplib::Request& from, httplib::Response& into) const {
    const std::string path = request.path;
    Response response = router_.answer(std::move(request));
    if (response.events)
      return send_events(response.events, last_event_of(from, *response.events), into);
    fill_response(std::move(response), into);
    if (path == "/" && into.status == 200)
      into.set_header("Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict",
                                                rules_.cookie, rules_.token));
  }

  bool process_and_close_socket(socket_t socket) override {
    if (std::this_thread::get_id() == accepting_) return ::close(socket) == 0;
    Connection connection{socket, stopping_};
    try {
      bool is_closed = false;
      process_request(connection, /*close_connection=*/true, is_closed,
                      [](httplib::Request& request) {
                        request.ranges.clear();
                        request.headers.erase("Accept-Encoding");  // near, so it costs more time
                      });
      connection.finish();
    } catch (...) {
      // Such as no memory for a response: this connection ends, the others stay
    }
    return true;
  }

  const Router router_;
  const AccessRules rules_;
  int port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread::id accepting_;
};

Server::Server(Router router, const ServerOptions& options)
    : http_{std::make_unique<Http>(std::move(router), options)} {}

Server::~Server() = default;

std::string Server::address() const {
  return http_->address();
}

void Server::run(const StopFlag& stop) {
  http_->run(stop);
}

}  // namespace synthoscope::studio

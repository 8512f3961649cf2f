// SPDX-License-Identifier: MIT
// studio/server/request.hpp — what the page asks the server for, and what it is answered.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "studio/server/event_stream.hpp"
#include "studio/server/unnamed_file.hpp"

namespace synthoscope::studio {

struct Request {
  std::string method;                           ///< "GET" or "POST"
  std::string path;                             ///< "/api/keys": as it was sent, without the query
  std::vector<std::string> parts;               ///< what stands for each * of the route, decoded
  std::string body;                             ///< of a POST: as the BodyRule of its path has it
  std::shared_ptr<UnnamedFile> file = nullptr;  ///< the body, if its BodyRule has a folder
};

struct Response {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::shared_ptr<EventStream> events;  ///< if set, its events are sent instead of the body
  std::string policy = {};              ///< Content-Security-Policy; empty: that of the page
};

/// A request that is answered with a status of its own, such as 404 or 409.
struct RequestFailure final : Error {
  RequestFailure(int its_status, const std::string& sentence)
      : Error{sentence}, status{its_status} {}
  int status;
};

/// Returns a response with this JSON as its body.
Response json_response(const Json& json, int status = 200);

/// Returns {"error": sentence}.
Response error_response(int status, std::string_view sentence);

/// Returns the object that the body of `request` holds.
/// @throws InvalidSpec  the body is no JSON object, or nests too deep.
Json object_of(const Request& request);

/// Returns the text `name` of a request's object.
/// @throws InvalidSpec  it is missing, or it is no text.
std::string text_in(const Json& object, const char* name);

/// Returns the whole number `name` of a request's object; nothing if it is missing or null.
/// @throws InvalidSpec  it is anything else.
std::optional<std::int64_t> whole_number_in(const Json& object, const char* name);

/// Returns whether the member `name` of a request's object is true.
bool flag_in(const Json& object, const char* name);

}  // namespace synthoscope::studio

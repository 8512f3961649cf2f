// SPDX-License-Identifier: MIT
#include "studio/server/router.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <vector>

namespace synthoscope::studio {
namespace {

/// Answers with the name of the route and the parts of the path.
Router named_routes() {
  Router router;
  for (const char* path : {"/", "/app.js", "/api/examples", "/api/examples/*", "/api/a/*/*"})
    router.add("GET", path, [path](const Request& request) {
      return Response{.type = "text/plain",
                      .body = fmt::format("{} {}", path, fmt::join(request.parts, "|")),
                      .events = nullptr};
    });
  router.add("POST", "/api/save", [](const Request& request) {
    return json_response(Json{{"text", text_in(object_of(request), "text")}});
  });
  return router;
}

TEST(Router, FindsTheRouteOfAPathAsItWasSent) {
  struct Row {
    const char* path;
    int status;
    const char* body;
  };
  const Router router = named_routes();
  for (const auto& [path, status, body] : std::vector<Row>{
           {"/", 200, "/ "},
           {"/app.js", 200, "/app.js "},
           {"/api/examples", 200, "/api/examples "},
           {"/api/examples/first", 200, "/api/examples/* first"},
           {"/api/examples/a%2Fb%20c", 200, "/api/examples/* a/b c"},
           {"/api/a/x/y", 200, "/api/a/*/* x|y"},
           {"/api/examples/", 404, nullptr},
           {"/api/examples/a/b", 404, nullptr},
           {"/api/examples/%zz", 404, nullptr},
           {"/api/examples/%2", 404, nullptr},
           {"/api/examples/a%00b", 404, nullptr},
           {"/%61pp.js", 404, nullptr},
           {"//app.js", 404, nullptr},
           {"/app.js/", 404, nullptr},
           {"/./app.js", 404, nullptr},
           {"/x/../app.js", 404, nullptr},
           {"/../etc/passwd", 404, nullptr},
           {"/api/save", 405, nullptr},
           {"", 404, nullptr},
           {"http://127.0.0.1/", 404, nullptr},
       }) {
    const Response response = router.answer({"GET", path, {}, {}});
    EXPECT_EQ(response.status, status) << path;
    if (body) {
      EXPECT_EQ(response.body, body) << path;
    }
  }
}

TEST(Router, AnswersFailuresWithOneSentenceAndTheirStatus) {
  Router router = named_routes();
  router.add("GET", "/taken", [](const auto&) -> Response { throw RequestFailure(409, "taken"); });
  router.add("GET", "/wrong", [](const auto&) -> Response { throw InvalidSpec("wrong"); });
  router.add("GET", "/disk", [](const auto&) -> Response { throw IoError("disk"); });
  router.add("GET", "/defect", [](const auto&) -> Response { throw std::logic_error("x"); });
  for (const auto& [path, status] : std::vector<std::pair<const char*, int>>{
           {"/taken", 409}, {"/wrong", 400}, {"/disk", 500}, {"/defect", 500}}) {
    const Response response = router.answer({"GET", path, {}, {}});
    EXPECT_EQ(response.status, status) << path;
    EXPECT_TRUE(parse_json(response.body).at("error").is_string()) << path;
  }
}

TEST(Router, KnowsTheBodiesOfItsPaths) {
  Router router = named_routes();
  router.add_upload("/api/upload/*", "folder", [](const auto&) { return Response{}; });
  for (const char* path : {"/api/save", "/api/upload", "/api/examples/a", "/none", ""}) {
    const BodyRule rule = router.body_rule(path);
    EXPECT_EQ(rule.type, "application/json") << path;
    EXPECT_EQ(rule.most_bytes, kMostBodyBytes) << path;
    EXPECT_FALSE(rule.folder) << path;
  }
  const BodyRule rule = router.body_rule("/api/upload/a%20b.tif");
  EXPECT_EQ(rule.type, "application/octet-stream");
  EXPECT_EQ(rule.most_bytes, kMostUploadBytes);
  EXPECT_EQ(rule.folder, "folder");
}

TEST(Router, RefusesBodiesThatAreNotWhatTheHandlerReads) {
  const Router router = named_routes();
  for (const auto& [body, status] :
       std::vector<std::pair<const char*, int>>{{R"({"text": "a"})", 200},
                                                {R"({"text": 3})", 400},
                                                {R"({})", 400},
                                                {R"(["text"])", 400},
                                                {R"({"text": "a")", 400},
                                                {"", 400}})
    EXPECT_EQ(router.answer({"POST", "/api/save", {}, body}).status, status) << body;
}

TEST(Router, RefusesBodiesThatNestTooDeepToBeCopied) {
  const Router router = named_routes();
  const auto status_of = [&](std::size_t depth, const std::string& text) {
    const std::string body = R"({"text": ")" + text + R"(", "more": )" + std::string(depth, '[') +
                             std::string(depth, ']') + "}";
    return router.answer({"POST", "/api/save", {}, body}).status;
  };
  EXPECT_EQ(status_of(999, R"([\"[)" + std::string(100, '[')), 200);
  EXPECT_EQ(status_of(1000, ""), 400);
  EXPECT_EQ(status_of(500000, ""), 400);
}

}  // namespace
}  // namespace synthoscope::studio

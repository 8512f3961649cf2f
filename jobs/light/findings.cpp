// SPDX-License-Identifier: MIT
#include "jobs/light/findings.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"

namespace synthoscope::jobs {

Json json_of(const std::vector<deconvolution::SearchRound>& rounds) {
  Json list = Json::array();
  for (const deconvolution::SearchRound& round : rounds)
    list.push_back({{"iterations", round.iterations}, {"best", round.best}});
  return list;
}

std::string_view search_end(const std::vector<deconvolution::SearchRound>& rounds, int most) {
  if (rounds.empty()) return "";
  switch (deconvolution::next_step(rounds, most).end) {
    case deconvolution::SearchEnd::settled:
      return "settled";
    case deconvolution::SearchEnd::cycle:
      return "cycle";
    case deconvolution::SearchEnd::rounds:
      return "rounds";
    case deconvolution::SearchEnd::open:
      break;
  }
  return "";
}

std::string findings_text(const Findings& findings) {
  return text_of(Json{{"iterations", findings.iterations},
                      {"log_likelihoods", findings.log_likelihoods},
                      {"search", json_of(findings.rounds)}});
}

Findings findings_from(const std::string& text) try {
  const Json json = parse_json(text);
  Findings findings{.iterations = static_cast<int>(whole_of(json.at("iterations"))),
                    .log_likelihoods = json.at("log_likelihoods").get<std::vector<double>>()};
  for (const Json& round : json.at("search"))
    findings.rounds.push_back({static_cast<int>(whole_of(round.at("iterations"))),
                               static_cast<int>(whole_of(round.at("best")))});
  return findings;
} catch (const Json::exception& failure) {
  throw InvalidInput(fmt::format(
      "resume: what the checkpoint says of its iterations is damaged ({}); start over without "
      "--resume",
      failure.what()));
}

}  // namespace synthoscope::jobs

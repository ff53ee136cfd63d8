// How reports of runs on files are told to programs: what those of all commands have.
#pragma once
#include <nlohmann/json.hpp>

#include "file_run.hpp"

namespace cairn::app {

using Json = nlohmann::ordered_json;

Json file_json(const FileInfo& file);
/// JSON knows no NaN and no infinity.
Json finite_json(double x);
/// What a stage received, beside prediction and bound.
Json words_json(const Stage& stage);
/// Seconds of all parts; of a stage that is alone also its own parts.
Json seconds_json(const RunFacts& facts);
/// Speed, kernels and transport.
void add_means(Json& json, const RunFacts& facts);

}  // namespace cairn::app

// The reports of `cairn inverse`, `inverse-sqrt`, `sign`, for people and for programs.
#include <fmt/format.h>

#include "base/json_text.hpp"
#include "matrix_function.hpp"

namespace cairn::app {

namespace {

struct Words {
  const char *operation, *formula, *checked;
};
Words words_for(MatrixFunction function) {
  switch (function) {
    case MatrixFunction::inverse: return {"inverse", "X = S⁻¹", "‖1 − S·X‖/√n"};
    case MatrixFunction::inverse_sqrt: return {"inverse_sqrt", "X = S^(-½)", "‖1 − X·S·X‖/√n"};
    case MatrixFunction::sign: break;
  }
  return {"sign", "X = sign(A)", "‖1 − X·X‖/√n"};
}

}  // namespace

std::string opening_text(const MatrixFunctionReport& r, MatrixFunction function) {
  ReportText text;
  text.head(words_for(function).formula, r.type, r.ranks);
  text.files({{argument_of(function), r.file.rows, r.file.cols, r.file.path, percent_in_blocks(r.file_occupancy)}});
  open_iterations(text, r);
  return std::move(text).text();
}

std::string as_text(const MatrixFunctionReport& r, const MatrixFunctionArguments& a) {
  ReportText text;
  text.line();
  text.item("method", done_text(r, a.options.eps));
  if (r.error)
    text.figure("error", fmt::format("{:.2e}", *r.error),
                fmt::format("{}, from unfiltered products", words_for(a.function).checked));
  close_iterations(text, r, a, "iterations");
  return std::move(text).text();
}

std::string as_json(const MatrixFunctionReport& r, const MatrixFunctionArguments& a) {
  Json j = function_json(words_for(a.function).operation, r, r.file.rows);
  j["input"] = file_json(r.file);
  j["output"] = a.output.empty() ? Json(nullptr) : Json(a.output);
  j["eps"] = a.options.eps;
  j["error"] = r.error ? finite_json(*r.error) : Json(nullptr);
  j["occupancy"] = {{"input", r.file_occupancy}, {"result", r.occupancy}};
  add_iterations(j, r, "compute");
  j["seconds"]["check"] = r.seconds.check;
  return json_text(j);
}

}  // namespace cairn::app

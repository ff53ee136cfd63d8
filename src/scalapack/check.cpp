#include "scalapack/check.hpp"

#include <fmt/format.h>

namespace cairn::scalapack {

namespace {

constexpr int per_argument = 100;
// Places in a descriptor of type 2, from 1.
enum Entry { of_type = 1, of_context, of_m, of_n, of_imb, of_inb, of_mb, of_nb, of_rsrc, of_csrc, of_lld };

}  // namespace

void Findings::add(Place place, const std::string& message) {
  warn(context_, routine_, message);
  const int code = place.argument * per_argument + place.entry;
  if (least_ == 0 || code < least_) least_ = code;
}

int Findings::info() const { return least_ % per_argument == 0 ? -(least_ / per_argument) : -least_; }

bool Findings::abort() const {
  if (none()) return false;
  scalapack::abort(context_, routine_, info());
  return true;
}

namespace {

struct Checker {
  Findings& findings;
  const MatrixArgument& x;
  const ProcessGrid& grid;

  void entry(Entry e, const char* name, Int value, std::string_view expected) const {
    findings.add({x.desc_at, e}, fmt::format("DESC{}({}) is {}, expected {}", x.name, name, value, expected));
  }
  void at_least(Int least, Entry e, const char* name, Int value) const {
    if (value < least) entry(e, name, value, fmt::format("at least {}", least));
  }
  void source(Entry e, const char* name, int value, int parts) const {
    if (value < -1 || value >= parts) entry(e, name, value, fmt::format("-1 (everywhere) or 0..{}", parts - 1));
  }

  void sizes() const {
    if (x.rows < 0) findings.add({x.rows_at}, fmt::format("sub({}) has {} rows, expected 0 or more", x.name, x.rows));
    if (x.cols < 0)
      findings.add({x.cols_at}, fmt::format("sub({}) has {} columns, expected 0 or more", x.name, x.cols));
    if (x.i < 0) findings.add({x.desc_at - 2}, fmt::format("I{} is {}, expected 1 or more", x.name, x.i + 1));
    if (x.j < 0) findings.add({x.desc_at - 1}, fmt::format("J{} is {}, expected 1 or more", x.name, x.j + 1));
  }

  void blocks() const {
    at_least(1, of_imb, "IMB", x.desc.imb);
    at_least(1, of_inb, "INB", x.desc.inb);
    at_least(1, of_mb, "MB", x.desc.mb);
    at_least(1, of_nb, "NB", x.desc.nb);
    source(of_rsrc, "RSRC", x.desc.rsrc, grid.rows);
    source(of_csrc, "CSRC", x.desc.csrc, grid.cols);
  }

  void extent() const {
    const Int least = x.rows == 0 || x.cols == 0 ? 0 : 1;
    at_least(least, of_m, "M", x.desc.m);
    at_least(least, of_n, "N", x.desc.n);
    if (least == 0) return at_least(1, of_lld, "LLD", x.desc.lld);
    if (x.desc.m >= 1 && x.desc.n >= 1) {
      if (x.i + x.rows > x.desc.m) outside("row", x.i, x.rows, x.desc.m, x.desc_at - 2);
      if (x.j + x.cols > x.desc.n) outside("column", x.j, x.cols, x.desc.n, x.desc_at - 1);
    }
    if (findings.none()) leading_dimension();
  }

  void outside(std::string_view what, Int from, Int count, Int all, int place) const {
    findings.add({place}, fmt::format("sub({}) has {} {}s from {} {} on, but {} has {}", x.name, count, what, what,
                                      from + 1, x.name, all));
  }

  void leading_dimension() const {
    const bool holds_columns = cols_of(x.desc, grid).count(x.desc.n, grid.col) > 0;
    const Int rows = holds_columns ? rows_of(x.desc, grid).count(x.desc.m, grid.row) : 0;
    at_least(std::max<Int>(1, rows), of_lld, "LLD", x.desc.lld);
  }
};

}  // namespace

void check_matrix(Findings& findings, const MatrixArgument& x, int context, const ProcessGrid& grid) {
  const Checker check{findings, x, grid};
  check.sizes();
  if (!x.desc.known()) return check.entry(of_type, "DTYPE", x.desc.type, "1 or 2");
  if (x.desc.context != context)
    return check.entry(of_context, "CTXT", x.desc.context, fmt::format("that of the first matrix, {}", context));
  check.blocks();
  check.extent();
}

}  // namespace cairn::scalapack

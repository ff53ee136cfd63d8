#include "capi/handles.hpp"

using namespace cairn::capi;

namespace {

struct How {
  cairn::ScalarType type;
  cairn::Side side = cairn::Side::left;
  cairn::Uplo triangle;
  cairn::Op op = cairn::Op::none;
  cairn::Diag diag = cairn::Diag::stored;
};

}  // namespace

cairn_status cairn_cholesky(const cairn_comm* comm, cairn_type type, cairn_uplo uplo, const cairn_matrix* a,
                            const cairn_options* options, int64_t* info, cairn_report* report) {
  const auto understand = [&] {
    need_matrix(a, "a"), need(info, "info");
    return How{.type = scalar_of(type), .triangle = uplo_of(uplo)};
  };
  return on_comm(comm, understand, [&]<class T>(T, const cairn::Comm& on, const How& how) {
    fill(report, info, cairn::cholesky<T>(on, how.triangle, matrix<T>(a, "a", on.rank()), options_of(options)));
  });
}

cairn_status cairn_solve_triangular(const cairn_comm* comm, cairn_type type, cairn_side side, cairn_uplo uplo,
                                    cairn_op op, cairn_diag diag, const void* alpha, const cairn_matrix* a,
                                    const cairn_matrix* b, const cairn_options* options, int64_t* info,
                                    cairn_report* report) {
  const auto understand = [&] {
    need(alpha, "alpha"), need_matrix(a, "a"), need_matrix(b, "b"), need(info, "info");
    return How{scalar_of(type), side_of(side), uplo_of(uplo), op_of(op, "op"), diag_of(diag)};
  };
  return on_comm(comm, understand, [&]<class T>(T, const cairn::Comm& on, const How& how) {
    fill(report, info,
         cairn::solve_triangular<T>(on, how.side, how.triangle, how.op, how.diag, *static_cast<const T*>(alpha),
                                    matrix<T>(a, "a", on.rank()), matrix<T>(b, "b", on.rank()), options_of(options)));
  });
}

cairn_status cairn_solve_spd(const cairn_comm* comm, cairn_type type, cairn_uplo uplo, const cairn_matrix* a,
                             const cairn_matrix* b, const cairn_options* options, int64_t* info, cairn_report* report) {
  const auto understand = [&] {
    need_matrix(a, "a"), need_matrix(b, "b"), need(info, "info");
    return How{.type = scalar_of(type), .triangle = uplo_of(uplo)};
  };
  return on_comm(comm, understand, [&]<class T>(T, const cairn::Comm& on, const How& how) {
    fill(report, info,
         cairn::solve_spd<T>(on, how.triangle, matrix<T>(a, "a", on.rank()), matrix<T>(b, "b", on.rank()),
                             options_of(options)));
  });
}

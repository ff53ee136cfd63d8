/* Cairn's C API: multiply, factorise and solve with distributed matrices from C, Fortran (ISO_C_BINDING) and anything
 * that calls C.
 *
 * Every function that can fail returns a cairn_status; cairn_error_message() then says what was wrong and what was
 * expected. Functions that take a communicator are collective, and return the same status on every rank of it.
 * Objects are given to a pointer, which is NULL if the call fails, and given back to *_free, which accepts NULL.
 * Numbers and structs that a failing call would fill stay as they were; matrices that it changes may be changed in part
 * after a memory or runtime error, and C of a product with beta = 0 after any error. Functions that return what an
 * object knows accept NULL for it, and return 0 or NULL unless they say otherwise. Strings belong to the object that
 * returned them. Element types: float, double, and complex pairs of them.
 *
 * One thread of a process at a time calls functions on communicators, whichever these are. After a communicator was
 * freed, or MPI has ended, objects on it must not be used, but may be given back. What a function writes must not
 * overlap with what it reads, unless it says otherwise. */
#pragma once

#include <stdint.h>

#include "cairn/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In C++, too, any number may be passed for these types: one that means nothing is refused. */
#ifdef __cplusplus
#define CAIRN_INT : int
#else
#define CAIRN_INT
#endif

typedef enum CAIRN_INT {
  CAIRN_OK = 0,
  CAIRN_ARGUMENT_ERROR = 1, /* an argument is wrong: the message names it */
  CAIRN_MEMORY_ERROR = 2,   /* no plan fits the memory limit (the message says what would), or buffers do not fit */
  CAIRN_RUNTIME_ERROR = 3,  /* MPI failed, or an iteration does not converge: the message names the step */
  CAIRN_OTHER_ERROR = 4,    /* what none of these is: an exception of a C++ library */
  CAIRN_FILE_ERROR = 5      /* a file is missing, damaged or cannot be written: the message names it */
} cairn_status;

/* What went wrong in the last call of this thread that failed, empty if none has. Valid until its next call fails. */
const char* cairn_error_message(void);

/* "major.minor.patch" of the library that runs; CAIRN_VERSION is that of these headers. Structs may differ between
 * minor versions. */
const char* cairn_version(void);

typedef enum CAIRN_INT { CAIRN_FLOAT32, CAIRN_FLOAT64, CAIRN_COMPLEX64, CAIRN_COMPLEX128 } cairn_type;
typedef enum CAIRN_INT { CAIRN_NONE, CAIRN_TRANSPOSE, CAIRN_ADJOINT } cairn_op;
typedef enum CAIRN_INT { CAIRN_COL, CAIRN_ROW } cairn_order;
typedef enum CAIRN_INT { CAIRN_LOWER = 1, CAIRN_UPPER = 2 } cairn_uplo; /* the triangle of a matrix that counts */
typedef enum CAIRN_INT { CAIRN_LEFT, CAIRN_RIGHT } cairn_side;          /* where a triangle stands */
typedef enum CAIRN_INT { CAIRN_STORED, CAIRN_UNIT } cairn_diag; /* its diagonal: stored, or all ones and not read */

/* ---- communicators ------------------------------------------------------------------------------------------- */
typedef struct cairn_comm cairn_comm;
/* `fortran_handle`: MPI_Comm_c2f(comm), or the integer communicator of Fortran. The communicator stays the caller's. A
 * runtime error before MPI_Init and after MPI_Finalize. Collective. */
cairn_status cairn_comm_create(int fortran_handle, cairn_comm** comm);
void cairn_comm_free(cairn_comm* comm);
/* The kernels that local products run with, for cairn_options; the string lives as long as the communicator. */
cairn_status cairn_kernels_in_use(const cairn_comm* comm, const char** kernels);

/* ---- layouts: which rank holds which rows and columns --------------------------------------------------------- */
typedef struct cairn_layout cairn_layout;
cairn_status cairn_layout_on_one_rank(int64_t m, int64_t n, cairn_order order, cairn_layout** layout);
cairn_status cairn_layout_row_blocks(int64_t m, int64_t n, int64_t ranks, cairn_order order, cairn_layout** layout);
cairn_status cairn_layout_col_blocks(int64_t m, int64_t n, int64_t ranks, cairn_order order, cairn_layout** layout);
/* ScaLAPACK's: mb x nb blocks over a pr x pc grid, the first one at (rsrc, csrc), ranks numbered along its rows unless
 * `col_major_grid`. */
cairn_status cairn_layout_block_cyclic(int64_t m, int64_t n, int64_t mb, int64_t nb, int64_t pr, int64_t pc,
                                       int64_t rsrc, int64_t csrc, int col_major_grid, cairn_layout** layout);
/* Arbitrary blocks: row_bounds[0..row_blocks] ascend from 0 to m, col_bounds likewise; owner[r * col_blocks + c]. */
cairn_status cairn_layout_arbitrary(int64_t m, int64_t n, int64_t ranks, int64_t row_blocks, const int64_t* row_bounds,
                                    int64_t col_blocks, const int64_t* col_bounds, const int64_t* owner,
                                    cairn_order order, cairn_layout** layout);
void cairn_layout_free(cairn_layout* layout);
/* Rows and columns of the whole matrix, and the number of ranks in the layout's grid. */
int64_t cairn_layout_m(const cairn_layout* layout);
int64_t cairn_layout_n(const cairn_layout* layout);
int64_t cairn_layout_ranks(const cairn_layout* layout);
/* Elements, local rows and local columns that `rank` holds, and the storage order of its local array. Rows and columns
 * are -1 with arbitrary blocks, which lie one after another, each dense in that order, row by row of blocks. */
int64_t cairn_layout_words(const cairn_layout* layout, int64_t rank);
int64_t cairn_layout_local_rows(const cairn_layout* layout, int64_t rank);
int64_t cairn_layout_local_cols(const cairn_layout* layout, int64_t rank);
cairn_order cairn_layout_order(const cairn_layout* layout);
/* Global row (column) of a local one; -1 if `rank` has no such local row (column), or if `layout` is NULL. */
int64_t cairn_layout_global_row(const cairn_layout* layout, int64_t rank, int64_t local);
int64_t cairn_layout_global_col(const cairn_layout* layout, int64_t rank, int64_t local);

/* ---- plans: everything known before running ------------------------------------------------------------------- */
typedef struct {
  int64_t m, n, k; /* op(A) m x k, op(B) k x n, C m x n */
  int64_t ranks;
  cairn_type type;
  cairn_op op_a, op_b;
  const cairn_layout *a, *b, *c; /* of the matrices as stored; NULL: the plan's own */
} cairn_problem;

typedef struct {
  int64_t memory_words;    /* words a rank may hold in all; 0: unlimited */
  const char* algorithm;   /* "cosma pm2,pn2,pk2,sk4"; NULL: the planner chooses */
  int look_ahead;          /* rounds; -1: the planner chooses */
  double max_idle;         /* share of ranks that may idle; -1: the planner chooses */
  const char* machine;     /* built-in name or JSON file; NULL: $CAIRN_MACHINE, or else generic; on one node local for
                              factorisations and solves */
  int verify_counts;       /* compare words received with the plan after every run */
  const char* trace;       /* file for a Chrome/Perfetto trace; NULL: none */
  const char* transport;   /* "two-sided", "one-sided", or of products "node-shared"; NULL: chosen */
  int64_t ranks_per_node;  /* consecutive ranks of a node; 0: those that share memory */
  const char* kernels;     /* whose rates local products are assumed to have, "SkylakeX"; NULL: those in use where there
                              is a communicator, else the machine's own figures: see cairn_kernels_in_use */
  const char* prefer;      /* what makes a plan the best: "time", "words" or "balanced"; NULL: "time" */
  const char* collectives; /* how they are carried out, "bcast=binomial"; NULL: chosen */
} cairn_options;
/* All defaults. Everywhere, NULL options mean the same, and empty texts what NULL means. */
void cairn_options_init(cairn_options* options);

typedef struct {
  int64_t received, wire_words, messages, flops, peak_words;
  int64_t node_words; /* of wire_words, those that come from other nodes */
} cairn_count;

typedef struct cairn_plan cairn_plan;
/* On this rank alone, for the machine's own figures. */
cairn_status cairn_plan_create(const cairn_problem* problem, const cairn_options* options, cairn_plan** plan);
/* For the ranks of a communicator, whatever problem->ranks says, with the kernels in use and by the transport that is
 * the fastest here, as cairn_gemm plans. The problem and options are the same on all ranks. Collective. */
cairn_status cairn_plan_create_on(const cairn_comm* comm, const cairn_problem* problem, const cairn_options* options,
                                  cairn_plan** plan);
/* The plan of which cairn_plan_json, or `cairn plan gemm ... --json`, said `json`: the same problem, planned with the
 * same options on this rank alone. An argument error, naming the key, if it is no such text. */
cairn_status cairn_plan_from_json(const char* json, cairn_plan** plan);
void cairn_plan_free(cairn_plan* plan);
const char* cairn_plan_algorithm(const cairn_plan* plan);
const char* cairn_plan_explain(const cairn_plan* plan);
const char* cairn_plan_json(const cairn_plan* plan);
double cairn_plan_predicted_seconds(const cairn_plan* plan);
cairn_status cairn_plan_count(const cairn_plan* plan, int64_t rank, cairn_count* count);
/* The most of each number on any rank. */
cairn_status cairn_plan_max_count(const cairn_plan* plan, cairn_count* count);
/* Layouts of the matrices as stored; free them. */
cairn_status cairn_plan_layouts(const cairn_plan* plan, cairn_layout** a, cairn_layout** b, cairn_layout** c);

/* ---- running --------------------------------------------------------------------------------------------------- */
/* This rank's part: `words` elements of memory at `data`; ld 0 means dense. */
typedef struct {
  const cairn_layout* layout;
  void* data;
  int64_t words, ld;
} cairn_matrix;

typedef struct {
  double seconds, gemm_seconds, wait_seconds, redistribute_seconds, other_seconds;
  int64_t received, messages;
  int64_t from_other_nodes; /* of the words received */
} cairn_report;

typedef struct cairn_multiplication cairn_multiplication;
cairn_status cairn_multiplication_create(const cairn_comm* comm, const cairn_plan* plan,
                                         cairn_multiplication** multiplication);
void cairn_multiplication_free(cairn_multiplication* multiplication);
/* C = alpha op(A) op(B) + beta C in the plan's layouts; alpha and beta point to elements of the plan's type. `report`
 * may be NULL. beta = 0 never reads C, which may then hold anything after an error; alpha = 0 never reads A and B. */
cairn_status cairn_multiplication_run(cairn_multiplication* multiplication, const void* alpha, const cairn_matrix* a,
                                      const cairn_matrix* b, const void* beta, const cairn_matrix* c,
                                      cairn_report* report);
/* The same in one call, matrices where they are; plans are cached with the communicator. */
cairn_status cairn_gemm(const cairn_comm* comm, cairn_type type, cairn_op op_a, cairn_op op_b, const void* alpha,
                        const cairn_matrix* a, const cairn_matrix* b, const void* beta, const cairn_matrix* c,
                        const cairn_options* options, cairn_report* report);

/* Whether a product is right, by Freivalds' test: see cairn/check.hpp. */
typedef struct {
  double ratio; /* largest residual over its threshold: at most 1 if the product is right, NaN where a number is NaN */
  int rounds;
  double seconds;
} cairn_check_result;
/* C = alpha op(A) op(B) + beta C0, matrices where they are. `c0` may be NULL if beta is 0. A wrong element is found for
 * certain; errors that cancel in a row escape each of the `rounds`, 8 as a rule, with probability at most 1/2. */
cairn_status cairn_check_gemm(const cairn_comm* comm, cairn_type type, cairn_op op_a, cairn_op op_b, const void* alpha,
                              const cairn_matrix* a, const cairn_matrix* b, const void* beta, const cairn_matrix* c0,
                              const cairn_matrix* c, int rounds, cairn_check_result* result);

/* B = alpha op(A) + beta B between any two layouts; what depends on these alone is cached with the communicator. A and
 * B must not overlap; beta = 0 never reads B, and alpha = 0 never reads A. `report` may be NULL. */
cairn_status cairn_redistribute(const cairn_comm* comm, cairn_type type, cairn_op op, const void* alpha,
                                const cairn_matrix* a, const void* beta, const cairn_matrix* b, cairn_report* report);

/* ---- dense matrices from and to files; collective -------------------------------------------------------------- */
typedef struct {
  int64_t rows, cols; /* a vector is a matrix of one column */
  cairn_type type;    /* Matrix Market's text has no precision: CAIRN_FLOAT64 or CAIRN_COMPLEX128 */
  int vector;         /* whether it is a .npy file with one dimension */
} cairn_file_info;
/* What the header of a .npy file or of a Matrix Market file, which may be compressed with gzip, says. */
cairn_status cairn_inspect_file(const cairn_comm* comm, const char* path, cairn_file_info* info);
/* B = the matrix in such a file, if its numbers can be read as `type` without loss: real ones may become complex, and
 * single precision double. Each rank reads its part of a .npy file, and has room for its part twice. NaN and infinity
 * are file errors; B is then as it was. */
cairn_status cairn_read_matrix(const cairn_comm* comm, cairn_type type, const char* path, const cairn_matrix* b);
/* Writes A as a .npy file in C order, which takes the place of what is at `path` when all of it has been written. */
cairn_status cairn_write_npy(const cairn_comm* comm, cairn_type type, const char* path, const cairn_matrix* a);

/* ---- factorising and solving ------------------------------------------------------------------------------------ */
/* In place, matrices where they are, in any layouts; plans are cached with the communicator. `report` may be NULL. */

/* A = L L^H (CAIRN_LOWER) or U^H U (CAIRN_UPPER): the factor takes the place of that triangle of A; nothing that is in
 * the other matters, and it stays as it is. `info` is LAPACK's, the same on all ranks: 0, or k if the leading minor of
 * order k is not positive, or no number. Then there is no factor, and the status is CAIRN_OK. */
cairn_status cairn_cholesky(const cairn_comm* comm, cairn_type type, cairn_uplo uplo, const cairn_matrix* a,
                            const cairn_options* options, int64_t* info, cairn_report* report);
/* op(A) X = alpha B (CAIRN_LEFT) or X op(A) = alpha B (CAIRN_RIGHT) with A triangular: X takes the place of B; alpha
 * = 0 does not read A and B. `info` is LAPACK's, the same on all ranks: 0, or k if element k of a diagonal that counts
 * is zero; then B is as it was, and the status is CAIRN_OK. */
cairn_status cairn_solve_triangular(const cairn_comm* comm, cairn_type type, cairn_side side, cairn_uplo uplo,
                                    cairn_op op, cairn_diag diag, const void* alpha, const cairn_matrix* a,
                                    const cairn_matrix* b, const cairn_options* options, int64_t* info,
                                    cairn_report* report);
/* A X = B with A Hermitian and positive definite: X takes the place of B, and A's factor that of its triangle. `info`
 * as above; where it is not 0, B is as it was. The algorithm and the trace are those of the factorisation. */
cairn_status cairn_solve_spd(const cairn_comm* comm, cairn_type type, cairn_uplo uplo, const cairn_matrix* a,
                             const cairn_matrix* b, const cairn_options* options, int64_t* info, cairn_report* report);

/* ---- factorisations and solves that are planned once ---------------------------------------------------------- */
typedef struct {
  int64_t n, ranks; /* A n x n */
  cairn_type type;
  cairn_uplo uplo;
  const cairn_layout* a; /* NULL: the plan's own */
} cairn_cholesky_problem;

typedef struct {
  int64_t m, n, ranks; /* B m x n */
  cairn_type type;
  cairn_side side;
  cairn_uplo uplo;
  cairn_op op;
  cairn_diag diag;
  const cairn_layout *a, *b; /* NULL: the plan's own */
} cairn_triangular_problem;

typedef struct cairn_factor_plan cairn_factor_plan;
/* On this rank alone; *_on as cairn_plan_create_on, collective. */
cairn_status cairn_cholesky_plan_create(const cairn_cholesky_problem* problem, const cairn_options* options,
                                        cairn_factor_plan** plan);
cairn_status cairn_cholesky_plan_create_on(const cairn_comm* comm, const cairn_cholesky_problem* problem,
                                           const cairn_options* options, cairn_factor_plan** plan);
cairn_status cairn_triangular_plan_create(const cairn_triangular_problem* problem, const cairn_options* options,
                                          cairn_factor_plan** plan);
cairn_status cairn_triangular_plan_create_on(const cairn_comm* comm, const cairn_triangular_problem* problem,
                                             const cairn_options* options, cairn_factor_plan** plan);
/* The plan of which cairn_factor_plan_json said `json`, as cairn_plan_from_json makes it. */
cairn_status cairn_factor_plan_from_json(const char* json, cairn_factor_plan** plan);
void cairn_factor_plan_free(cairn_factor_plan* plan);
const char* cairn_factor_plan_algorithm(const cairn_factor_plan* plan);
/* Made when they are asked for first, which may take seconds on many ranks; NULL after an error. */
const char* cairn_factor_plan_explain(const cairn_factor_plan* plan);
const char* cairn_factor_plan_json(const cairn_factor_plan* plan);
double cairn_factor_plan_predicted_seconds(const cairn_factor_plan* plan);
cairn_status cairn_factor_plan_count(const cairn_factor_plan* plan, int64_t rank, cairn_count* count);
cairn_status cairn_factor_plan_max_count(const cairn_factor_plan* plan, cairn_count* count);
/* Layouts of the matrices; free them. A factorisation has no B: `*b` is then NULL, and `b` may be. */
cairn_status cairn_factor_plan_layouts(const cairn_factor_plan* plan, cairn_layout** a, cairn_layout** b);

typedef struct cairn_factorisation cairn_factorisation;
cairn_status cairn_factorisation_create(const cairn_comm* comm, const cairn_factor_plan* plan,
                                        cairn_factorisation** factorisation);
void cairn_factorisation_free(cairn_factorisation* factorisation);
/* As cairn_cholesky, with A in the plan's layout. */
cairn_status cairn_factorisation_run(cairn_factorisation* factorisation, const cairn_matrix* a, int64_t* info,
                                     cairn_report* report);

typedef struct cairn_triangular_solve cairn_triangular_solve;
cairn_status cairn_triangular_solve_create(const cairn_comm* comm, const cairn_factor_plan* plan,
                                           cairn_triangular_solve** solve);
void cairn_triangular_solve_free(cairn_triangular_solve* solve);
/* As cairn_solve_triangular, with A and B in the plan's layouts. */
cairn_status cairn_triangular_solve_run(cairn_triangular_solve* solve, const void* alpha, const cairn_matrix* a,
                                        const cairn_matrix* b, int64_t* info, cairn_report* report);

#ifdef __cplusplus
}
#endif

/* Block-sparse matrices from C: their blocks, products, plans, files, functions, up to density matrices. What holds of
 * cairn/cairn.h holds here; docs/block_sparse.md and docs/matrix_functions.md explain it.
 *
 * Indices are those of blocks, from 0. Elements of a block lie by columns without gaps. A matrix has the element type
 * that it was made with; void* points to elements of it. Several matrices in a call are of one type and on one
 * communicator. */
#pragma once

#include "cairn/cairn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_block_sparse cairn_block_sparse;

/* Block (i, j) lies on row row[i] and column col[j] of a pr x pc grid of ranks, numbered along its rows unless
 * `col_major_grid`. */
typedef struct {
  int64_t pr, pc;
  const int32_t *row, *col;
  int col_major_grid;
} cairn_block_distribution;

/* Block rows or columns from `from` to before `to`. */
typedef struct {
  int32_t from, to;
} cairn_block_range;

/* ---- distributions that Cairn makes; not collective ------------------------------------------------------------- */
/* Their row and col belong to them. A grid of pr x pc ranks, or, where pc is 0, of pr ranks as square as possible.
 * Argument errors: a negative number of blocks, a grid without ranks, and numbers beyond 2^31 - 1. */

/* Block rows and columns in random order, dealt round over the grid, as matrices are that are made with `where` NULL.
 * Dimensions of as many blocks are dealt alike. Time and memory grow with the least common multiple of pr and pc,
 * however few blocks there are. */
cairn_status cairn_block_distribution_dealt(int64_t block_rows, int64_t block_cols, int64_t pr, int64_t pc,
                                            cairn_block_distribution** where);
/* Of square matrices whose block rows belong to places in space, as to atoms: those of block row i are places[3 * i] to
 * places[3 * i + 2], in any unit of length. What is near each other lies together: in compact regions on lines of
 * ranks, in slabs on other grids. An argument error also for a place that is not finite. */
cairn_status cairn_block_distribution_by_region(int64_t blocks, const double* places, int64_t pr, int64_t pc,
                                                cairn_block_distribution** where);
/* Only of those that these two, or cairn_block_distribution_chosen, have made. */
void cairn_block_distribution_free(cairn_block_distribution* where);

/* ---- making ---------------------------------------------------------------------------------------------------- */
/* Without any block; row_sizes[i] rows in block row i, col_sizes likewise. `where` NULL: dealt over all ranks in random
 * order, which balances any pattern, and lets matrices be multiplied where they are. Collective. */
cairn_status cairn_block_sparse_create(const cairn_comm* comm, cairn_type type, int64_t block_rows,
                                       const int32_t* row_sizes, int64_t block_cols, const int32_t* col_sizes,
                                       const cairn_block_distribution* where, cairn_block_sparse** matrix);
/* Of a square matrix with the same blocks in its rows and columns only blocks (i, j) with i <= j are stored where it is
 * symmetric, antisymmetric or Hermitian; what is asked for of the whole is that of all its blocks. C of a product that
 * has a symmetry gets only the blocks that it stores, in half of the operations: that the result has it is up to the
 * caller. A real matrix that is Hermitian is symmetric. */
typedef enum CAIRN_INT { CAIRN_GENERAL, CAIRN_SYMMETRIC, CAIRN_ANTISYMMETRIC, CAIRN_HERMITIAN } cairn_symmetry;
cairn_status cairn_block_sparse_create_symmetric(const cairn_comm* comm, cairn_type type, cairn_symmetry symmetry,
                                                 int64_t blocks, const int32_t* sizes,
                                                 const cairn_block_distribution* where, cairn_block_sparse** matrix);
cairn_symmetry cairn_block_sparse_symmetry(const cairn_block_sparse* matrix);
/* A copy that is stored so: CAIRN_GENERAL has all blocks. An argument error if the matrix is none, but for rounding
 * errors. Collective. */
cairn_status cairn_block_sparse_stored_as(const cairn_block_sparse* matrix, cairn_symmetry symmetry,
                                          cairn_block_sparse** stored);
/* A copy; its transpose or adjoint, which moves no block; or the same in another distribution, which is collective. */
cairn_status cairn_block_sparse_copy(const cairn_block_sparse* matrix, cairn_block_sparse** copy);
cairn_status cairn_block_sparse_transposed(const cairn_block_sparse* matrix, cairn_op op,
                                           cairn_block_sparse** transposed);
cairn_status cairn_block_sparse_redistributed(const cairn_block_sparse* matrix, const cairn_block_distribution* where,
                                              cairn_block_sparse** moved);
/* A copy with no blocks but those in these rows and columns; NULL: all of them. An argument error if a range goes
 * beyond the matrix, or if they differ in a matrix that has a symmetry. Not collective. */
cairn_status cairn_block_sparse_cropped(const cairn_block_sparse* matrix, const cairn_block_range* rows,
                                        const cairn_block_range* cols, cairn_block_sparse** cropped);
void cairn_block_sparse_free(cairn_block_sparse* matrix);

/* From a Matrix Market file, or one of Cairn's own, dealt over all ranks. `blocks`: "6", "4,1,1" or the name of a file,
 * for rows and columns alike; NULL: what is known of the file. To one of Cairn's own, or as text. Collective. */
cairn_status cairn_block_sparse_read(const cairn_comm* comm, cairn_type type, const char* path, const char* blocks,
                                     cairn_block_sparse** matrix);
/* The same in a distribution of as many block rows and columns as the matrix has; `where` NULL: dealt. */
cairn_status cairn_block_sparse_read_where(const cairn_comm* comm, cairn_type type, const char* path,
                                           const char* blocks, const cairn_block_distribution* where,
                                           cairn_block_sparse** matrix);
cairn_status cairn_block_sparse_write(const cairn_block_sparse* matrix, const char* path);
cairn_status cairn_block_sparse_write_matrix_market(const cairn_block_sparse* matrix, const char* path);

/* ---- from and to other matrices; collective ---------------------------------------------------------------------- */
/* From a dense matrix in any layout, of as many rows and columns as the blocks have together; blocks of a Frobenius
 * norm below eps, and zero ones, are left out. Argument errors: another size, a part that is too small, an eps that is
 * negative or NaN or differs between ranks, and those of cairn_block_sparse_create. */
cairn_status cairn_block_sparse_from_dense(const cairn_comm* comm, cairn_type type, const cairn_matrix* dense,
                                           int64_t block_rows, const int32_t* row_sizes, int64_t block_cols,
                                           const int32_t* col_sizes, const cairn_block_distribution* where, double eps,
                                           cairn_block_sparse** matrix);
/* All elements, to a dense matrix of the same size and element type in any layout, which is overwritten. */
cairn_status cairn_block_sparse_to_dense(const cairn_block_sparse* matrix, const cairn_matrix* dense);

/* Rows first_row to before first_row + rows of a matrix, compressed (CSR); indices are those of the whole matrix, from
 * 0. Elements of row first_row + i are those numbered from first[i] to before first[i + 1]; cols and values begin with
 * the one numbered first[0]. */
typedef struct {
  int64_t first_row, rows;
  const int64_t *first, *cols; /* rows + 1 numbers; of each element its column, in any order in a row */
  const void* values;
} cairn_csr;
/* From rows, of which each rank gives any; where `rows` is 0 nothing else matters. A block is stored if one of
 * its elements is given, and elements that are given several times are summed. Argument errors: pointers that do not
 * ascend, a row or column outside, and those of cairn_block_sparse_create. */
cairn_status cairn_block_sparse_from_csr(const cairn_comm* comm, cairn_type type, const cairn_csr* mine,
                                         int64_t block_rows, const int32_t* row_sizes, int64_t block_cols,
                                         const int32_t* col_sizes, const cairn_block_distribution* where,
                                         cairn_block_sparse** matrix);
/* The rows that this rank asks for, by columns in a row: all elements of the blocks that are stored, or those that are
 * not zero. Argument errors: a row outside, one that two ranks ask for, and drop_zeros that differs between ranks. */
cairn_status cairn_block_sparse_to_csr(const cairn_block_sparse* matrix, int64_t first_row, int64_t rows,
                                       int drop_zeros, cairn_csr** mine);
/* Only of what cairn_block_sparse_to_csr has made. */
void cairn_csr_free(cairn_csr* rows);

/* ---- blocks of this rank; not collective ----------------------------------------------------------------------- */
/* Whether block (i, j) is stored on this rank if it is put; 0 also if there is no such block. */
int cairn_block_sparse_here(const cairn_block_sparse* matrix, int32_t i, int32_t j);
/* Stores a block in the place of what was there, or adds it to that. */
cairn_status cairn_block_sparse_put(cairn_block_sparse* matrix, int32_t i, int32_t j, const void* block);
cairn_status cairn_block_sparse_add_block(cairn_block_sparse* matrix, int32_t i, int32_t j, const void* block);
/* Makes room for `count` blocks (i[k], j[k]), zero; those that are there stay as they are. An argument error, and none
 * of them, for a block that cairn_block_sparse_put refuses. */
cairn_status cairn_block_sparse_reserve(cairn_block_sparse* matrix, int64_t count, const int32_t* i, const int32_t* j);
/* Drops all blocks of this rank. */
cairn_status cairn_block_sparse_clear(cairn_block_sparse* matrix);
/* Where the elements of a block are, NULL if it is not stored here, or there is no such block; valid until blocks are
 * stored or dropped. An argument error for a block of which a matrix with a symmetry stores the mirror image. */
cairn_status cairn_block_sparse_find(cairn_block_sparse* matrix, int32_t i, int32_t j, void** block);
/* The blocks that this rank stores, row by row: how many, and the one of a number from 0. Any pointer may be NULL. */
int64_t cairn_block_sparse_stored(const cairn_block_sparse* matrix);
cairn_status cairn_block_sparse_get(cairn_block_sparse* matrix, int64_t number, int32_t* i, int32_t* j, void** block);

/* CAIRN_FLOAT64 for NULL. */
cairn_type cairn_block_sparse_type(const cairn_block_sparse* matrix);
int64_t cairn_block_sparse_block_rows(const cairn_block_sparse* matrix);
int64_t cairn_block_sparse_block_cols(const cairn_block_sparse* matrix);
/* Rows and columns of elements. */
int64_t cairn_block_sparse_m(const cairn_block_sparse* matrix);
int64_t cairn_block_sparse_n(const cairn_block_sparse* matrix);
/* Of every block row and column; they belong to the matrix. */
const int32_t* cairn_block_sparse_row_sizes(const cairn_block_sparse* matrix);
const int32_t* cairn_block_sparse_col_sizes(const cairn_block_sparse* matrix);
/* Which rank holds which block; row and col belong to the matrix. */
cairn_status cairn_block_sparse_where(const cairn_block_sparse* matrix, cairn_block_distribution* where);

/* ---- the whole matrix; collective ------------------------------------------------------------------------------ */
typedef enum CAIRN_INT {
  CAIRN_FROBENIUS,
  CAIRN_MAX,
  CAIRN_GERSHGORIN
} cairn_norm; /* the last: the largest sum of a row */

/* Blocks that are stored, and the share of elements that are in them or in their mirror images. Either pointer may be
 * NULL. */
cairn_status cairn_block_sparse_count(const cairn_block_sparse* matrix, int64_t* blocks, double* occupancy);
/* Elements of the blocks that are stored. */
cairn_status cairn_block_sparse_words(const cairn_block_sparse* matrix, int64_t* words);
cairn_status cairn_block_sparse_norm(const cairn_block_sparse* matrix, cairn_norm which, double* norm);
cairn_status cairn_block_sparse_trace(const cairn_block_sparse* matrix, void* trace);
/* Of a square matrix with the same blocks in its rows and columns: the real part of every eigenvalue lies from low to
 * high, the ends of all of Gershgorin's circles; 0 and 0 if there is no row. */
cairn_status cairn_block_sparse_gershgorin(const cairn_block_sparse* matrix, double* low, double* high);
/* The sum of conj(x) y over all elements. */
cairn_status cairn_block_sparse_dot(const cairn_block_sparse* x, const cairn_block_sparse* y, void* dot);
/* y becomes factor x + y; the blocks are of the same sizes, and may lie elsewhere. */
cairn_status cairn_block_sparse_add(const void* factor, const cairn_block_sparse* x, cairn_block_sparse* y);
cairn_status cairn_block_sparse_add_to_diagonal(cairn_block_sparse* matrix, const void* shift);
/* These two are not collective. Blocks of a Frobenius norm below eps are dropped; an argument error unless eps is 0 or
 * more. */
cairn_status cairn_block_sparse_scale(cairn_block_sparse* matrix, const void* factor);
cairn_status cairn_block_sparse_filter(cairn_block_sparse* matrix, double eps);

/* ---- products; collective ---------------------------------------------------------------------------------------- */
/* All zero: the defaults. */
typedef struct {
  double filter_eps;     /* smaller products of blocks are left out, and smaller blocks of C dropped */
  int retain_sparsity;   /* C keeps its pattern, and nothing else is computed */
  const char* algorithm; /* "fetch25d 4x4 layers=2x2"; NULL: chosen */
  int64_t memory_words;  /* that a rank may hold, A, B and C included; 0: unlimited */
  const char* transport; /* of A and B: "two-sided" or "one-sided"; NULL: chosen */
  /* Only these block rows and columns of C are computed, from these inner blocks, as if A and B had no others there;
   * beta is for that part of C, and for the rest 1. NULL: all of them. */
  const cairn_block_range *rows, *cols, *inner;
  int threads; /* of this rank, if Cairn was built with OpenMP; 0: as many as OMP_NUM_THREADS says, 1 if it is not
                  set; at most 1024 */
} cairn_block_product_options;

typedef struct {
  int64_t products, flops;               /* of blocks; of this rank, as all of these */
  int64_t received, messages;            /* words and panels that arrived */
  int64_t received_index, redistributed; /* 32-bit numbers; words that arrived to bring A and B to C's grid */
  double predicted;                      /* of `received` */
  double seconds;                        /* in all, of which it multiplied and waited: */
  double multiply_seconds, wait_seconds;
  char algorithm[128]; /* by which it was done, "fetch25d 4x4 layers=2x2", and no more of it than has room here */
  char transport[16];  /* by which panels travelled */
} cairn_block_product_report;

/* C = alpha op(A) op(B) + beta C. `report` may be NULL. */
cairn_status cairn_block_multiply(cairn_op op_a, cairn_op op_b, const void* alpha, const cairn_block_sparse* a,
                                  const cairn_block_sparse* b, const void* beta, cairn_block_sparse* c,
                                  const cairn_block_product_options* options, cairn_block_product_report* report);

/* Whether C = alpha op(A) op(B) + beta C0 is right, up to what `filter_eps` may have left out, but not a retained
 * pattern or limits: see cairn_check_gemm, and cairn/block_check.hpp. `c0` may be NULL if beta is 0. */
cairn_status cairn_check_block_multiply(cairn_op op_a, cairn_op op_b, const void* alpha, const cairn_block_sparse* a,
                                        const cairn_block_sparse* b, const void* beta, const cairn_block_sparse* c0,
                                        const cairn_block_sparse* c, double filter_eps, int rounds,
                                        cairn_check_result* result);

/* What X X costs where X and the result lie in a distribution, and nothing is filtered. */
typedef struct {
  double received; /* words of a rank in the mean, on as many layers as make them fewest; of sums as expected */
  double busiest;  /* multiplications of the busiest rank over the mean of all, on one layer; 1 or more */
} cairn_distribution_cost;
/* Of each of `count` candidates, counted from the pattern of x, wherever it lies: `costs` has room for as many.
 * Argument errors: x is not square in the same blocks, and a distribution that cairn_block_sparse_create refuses. */
cairn_status cairn_distribution_costs(const cairn_block_sparse* x, int64_t count,
                                      const cairn_block_distribution* candidates, cairn_distribution_cost* costs);
/* The number, from 0, of the candidate with the fewest words among those whose busiest rank multiplies at most a tenth
 * more than that of the most even one. An argument error also if there is no candidate. */
cairn_status cairn_choose_distribution(const cairn_block_sparse* x, int64_t count,
                                       const cairn_block_distribution* candidates, int64_t* chosen);
/* The same of three candidates for all ranks: dealt on a grid as square as possible, and block rows, or block columns,
 * cut in their order into strips of equally many, since neighbours in a matrix often are neighbours in space. To be
 * given to cairn_block_distribution_free. */
cairn_status cairn_block_distribution_chosen(const cairn_block_sparse* x, cairn_block_distribution** where);

/* ---- plans of products ------------------------------------------------------------------------------------------ */
/* Rows or columns in blocks of one size. */
typedef struct {
  int64_t blocks, size;
} cairn_block_dim;

/* C = A B with A m x k, B k x n, dealt over `ranks` ranks as cairn_block_distribution_dealt does it. Each block is
 * there with a probability of 0 to 1, whatever others are. */
typedef struct {
  cairn_block_dim m, n, k;
  double occupancy_a, occupancy_b;
  double occupancy_c; /* blocks of C that are computed; -1: as many as in random patterns */
  int64_t ranks;
  cairn_type type;
  int filtered; /* whether messages tell for a filter how many blocks the rows of A have */
  int64_t seed; /* panels are as large as in random patterns of this seed; -1: as large as is expected */
} cairn_block_problem;
/* No blocks, all of which are there, on one rank, of CAIRN_FLOAT64, occupancy_c and seed -1. */
void cairn_block_problem_init(cairn_block_problem* problem);

typedef struct {
  int64_t received_a, received_b, received_c; /* words; of C, of its sums */
  int64_t received_index, messages;           /* 32-bit numbers that say which blocks these are; panels */
  double flops;                               /* 2 for each product of two elements */
  int64_t peak_words; /* held at most, of values: parts of A, B and C, copies, panels and sums */
} cairn_block_count;

typedef struct cairn_block_plan cairn_block_plan;
/* From sizes and densities, on this rank alone. Of the options those count that concern memory, the algorithm, what
 * makes a plan the best, transport, machine and kernels. Argument errors: negative sizes, occupancies outside 0 to 1,
 * no ranks or more than 16,384, unknown names, and options for which there is no choice; a memory error, naming the
 * words that would do, if nothing fits. */
cairn_status cairn_block_plan_create(const cairn_block_problem* problem, const cairn_options* options,
                                     cairn_block_plan** plan);
/* What cairn_block_multiply with the same arguments will do, from the patterns of matrices that are there: words of A
 * and B are exact where panels of them travel as a whole. Collective. An argument error if alpha is 0. */
cairn_status cairn_block_plan_multiply(cairn_op op_a, cairn_op op_b, const void* alpha, const cairn_block_sparse* a,
                                       const cairn_block_sparse* b, const void* beta, const cairn_block_sparse* c,
                                       const cairn_block_product_options* options, cairn_block_plan** plan);
/* The plan of cairn_block_plan_create of which cairn_block_plan_json said `json`, as cairn_plan_from_json makes it. */
cairn_status cairn_block_plan_from_json(const char* json, cairn_block_plan** plan);
void cairn_block_plan_free(cairn_block_plan* plan);
/* For cairn_block_product_options. */
const char* cairn_block_plan_algorithm(const cairn_block_plan* plan);
const char* cairn_block_plan_explain(const cairn_block_plan* plan);
const char* cairn_block_plan_json(const cairn_block_plan* plan);
double cairn_block_plan_predicted_seconds(const cairn_block_plan* plan);
/* Words received, over all ranks. */
double cairn_block_plan_mean_received(const cairn_block_plan* plan);
/* Whether all words are certain: all blocks are there and, in layers, enough of them for all panels; or patterns are
 * known, panels travel as a whole, and no sums of C travel. */
int cairn_block_plan_exact(const cairn_block_plan* plan);
/* Of the grid over which A, B and C are to be dealt. */
cairn_status cairn_block_plan_grid(const cairn_block_plan* plan, int64_t* pr, int64_t* pc);
cairn_status cairn_block_plan_count(const cairn_block_plan* plan, int64_t rank, cairn_block_count* count);
/* The most of each number on any rank. */
cairn_status cairn_block_plan_max_count(const cairn_block_plan* plan, cairn_block_count* count);

/* ---- functions; collective ------------------------------------------------------------------------------------- */
typedef struct {
  const char* stage; /* "inverse", "sign", ... */
  int number;        /* in its stage */
  double residual, occupancy;
  int64_t products, flops;                   /* of all ranks */
  double received, predicted, most_received; /* words: the mean of the ranks, predicted, of the busiest rank */
  double seconds;
} cairn_iteration;

typedef struct {
  double eps;           /* of every product, and of the end: 1e-6 */
  int order;            /* errors shrink to their order'th power: 2 */
  int max_iterations;   /* 100 */
  int64_t memory_words; /* that a rank may hold, arguments and results included; 0: unlimited */
  const char* method;   /* of density matrices: "trs4", "sign" or "mcweeny"; NULL: chosen */
  /* Called on all ranks after each iteration. If it returns anything but 0 on a rank, the iteration ends and all ranks
   * return a runtime error. May be NULL. */
  int (*watch)(const cairn_iteration* iteration, void* context);
  void* context;
} cairn_function_options;
/* All defaults. NULL options mean the same. */
void cairn_function_options_init(cairn_function_options* options);

cairn_status cairn_inverse(const cairn_block_sparse* s, const cairn_function_options* options,
                           cairn_block_sparse** result);
cairn_status cairn_inverse_sqrt(const cairn_block_sparse* s, const cairn_function_options* options,
                                cairn_block_sparse** result);
cairn_status cairn_sign(const cairn_block_sparse* a, const cairn_function_options* options,
                        cairn_block_sparse** result);

typedef struct {
  double electrons, band_energy, chemical_potential, idempotency;
} cairn_density;

/* P of the Hamiltonian H and the overlap matrix S, for a number of electrons in closed shells or a chemical potential.
 * `found` may be NULL. */
cairn_status cairn_density_of_electrons(const cairn_block_sparse* h, const cairn_block_sparse* s, int64_t electrons,
                                        const cairn_function_options* options, cairn_block_sparse** p,
                                        cairn_density* found);
cairn_status cairn_density_below(const cairn_block_sparse* h, const cairn_block_sparse* s, double chemical_potential,
                                 const cairn_function_options* options, cairn_block_sparse** p, cairn_density* found);

#ifdef __cplusplus
}
#endif

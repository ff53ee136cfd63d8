/* For linked_moves.c: Cairn's own names. */
#pragma once
#include "cairn/scalapack.h"

#define OURS(name) cairn_##name
#define COMPARE_GEMR2D(T, name)
#define COMPARE_TRAN(T, name)

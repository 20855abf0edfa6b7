/* Bits that move as a layout map says. */
#ifndef LANEMAP_TABLES_H
#define LANEMAP_TABLES_H
#include "access.h"

/* A table of a program, made by lanemap/emulator/codegen/tables.py: the width e of the elements
 * that move whole (1, 2, 4, 8, 16 or 32 bits), `runs` of cells of a memory, the number of cells
 * in them, then for each run its lane, column and lanes; for each cell the lane that it belongs
 * to; and for each element of the destination the element of the source that it receives:
 * NOTHING or a number. */
typedef struct Table {
  u32 bits, runs, cells;
  const i32 *run, *lanes, *elements;
} Table;
#define RUN_WORDS 3
#define NOTHING (-1)
Table table_of(const Wave *w, u32 number);

/* In bytes: 128 registers of 32 lanes from or to halves of cells. */
#define MOST_MOVED (32 * 256 * 4)
/* Bytes with their undefined bits and, in precise code, origins. */
typedef struct Moved {
  u8 data[MOST_MOVED] __attribute__((aligned(64))), undefined[MOST_MOVED];
  u32 origin[MOST_MOVED];
} Moved;
/* Access `chunk` bytes at the address of each of the first `lanes` lanes; they lie lane by lane
 * in `m`. A store in fast code has ACCESS_DEFINED. */
void access_chunks(const Access *a, u32 lanes, u32 chunk, Moved *m);

/* The undefined bits of an element that receives nothing. */
enum Empty { EMPTY_ZERO, EMPTY_UNDEFINED };
/* `words` words of `to` from the elements that the table names. An undefined one that nothing
 * moves to gets `origin`. */
void follow(const Wave *w, const Table *t, u32 words, const Moved *from, Moved *to, u32 empty,
            u32 origin);
/* Registers of `lanes` lanes, lane by lane in `m`, from and to rows row... */
void take_rows(const Wave *w, u32 row, u32 lanes, u32 registers, Moved *m);
void give_rows(Wave *w, u32 row, u32 lanes, u32 registers, const Moved *m);
#endif

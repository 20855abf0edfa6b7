/* Sets of stamps: accesses of a record that nothing orders (stamp.h). A field of a record is 0, a
 * stamp or a link to a set. */
#ifndef LANEMAP_SETS_H
#define LANEMAP_SETS_H
#include "memory_model.h"

/* Note a read in a field. */
void note_read(Touch *t, u64 *field, u64 stamp);
/* Note an atomic write (`observed`: it observed the newest). */
void note_write(Touch *t, u64 *field, u64 stamp, int observed);
/* Readers before an atomic write: those remain that it does not stand for. */
void drop_covered(Touch *t, u64 *field);
/* Free a field's set. And give it a copy of its own. */
void drop_set(const Touch *t, u64 field);
void copy_set(const Touch *t, u64 *field);
#endif

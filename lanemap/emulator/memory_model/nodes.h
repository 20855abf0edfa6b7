/* Nodes of the records of stamps. */
#ifndef LANEMAP_NODES_H
#define LANEMAP_NODES_H
#include "access.h"
#include "memory_model.h"

/* A set, or a line's 8 records; a line's 32 records; 4 records of bytes, or 8 stamps; 4 stamps. */
enum { NODE_SET, NODE_WORDS, NODE_BYTES, NODE_FOUR, NODES };

/* Where no memory is left, the launch stops; what is written meanwhile goes here. */
extern u8 nowhere[];
/* A node of that kind for what is accessed; `nowhere` where no memory is left. */
void *new_node(const Touch *t, u32 kind);
void free_node(const Touch *t, void *node, u32 kind);
#endif

/* What observers of a launch are told, by C or by Python: docs/emulator-api.md. Needs no other
 * header. */
#ifndef LANEMAP_EVENT_H
#define LANEMAP_EVENT_H
#include <stdint.h>

/* ISSUE: a wave executes an instruction. ACCESS: one of its accesses, at once or by what it
 * handed to an engine. WAIT: a wave waits. COMPLETE: accesses are known to be over, by a wait or
 * at a barrier object. BARRIER: a wave acts at a barrier, or at a barrier object. Who wants to be
 * told of one subscribes with the bit of that number; bit 0 asks for counts alone. */
enum Happening {
  HAPPENING_ISSUE = 1,
  HAPPENING_ACCESS = 2,
  HAPPENING_WAIT = 3,
  HAPPENING_COMPLETE = 4,
  HAPPENING_BARRIER = 5
};
/* What a wave, or an engine on its behalf, does at a barrier or barrier object: the object begins,
 * for so many arrivals a phase; arrivals; bytes that it shall expect, or that have come; a wait for
 * it that is over. SYNC and SIGNAL are at a barrier for so many threads, 0 for all of the CTA. */
enum Act { ACT_BEGIN, ACT_ARRIVE, ACT_EXPECT, ACT_COME, ACT_PASS, ACT_SYNC, ACT_SIGNAL };
enum Direction { DIRECTION_LOAD, DIRECTION_STORE, DIRECTION_ATOMIC };
enum { NO_OPERATION = 0xffffffff };

/* Fields that a happening does not name are 0. */
typedef struct Event {
  uint64_t lanes;      /* that execute, access or wait: a mask, lane 0 the lowest bit */
  uint64_t first, end; /* ACCESS: addresses of lanes lie in first .. end - 1; 0 where lanes give
                          none. BARRIER: the barrier's number, or the object's offset in the shared
                          memory of CTA `end` of the cluster */
  uint64_t sequence; /* ACCESS: its number among those of its wave and agent; COMPLETE: of the last
                        that is over; BARRIER: phases of the object that had ended, and of a PASS
                        how many had to */
  uint32_t cta,
      operation;  /* the CTA's number in the grid; the operation's in the kernel, or NO_OPERATION */
  uint32_t bytes; /* ACCESS: of all lanes, however many of them the same ones; BARRIER: arrivals,
                     threads or bytes */
  uint32_t reason; /* WAIT: enum Reason; BARRIER: enum Act */
  uint16_t wave;   /* its number in the CTA */
  uint16_t judged, passes,
      least;         /* ACCESS, where a bank rule exists: passes, and without conflicts */
  uint8_t happening; /* enum Happening */
  uint8_t agent; /* whose accesses (enum Agent): the wave's own, or of what works on its behalf */
  uint8_t space,
      direction; /* ACCESS: enum Space, enum Direction; COMPLETE: LOAD if only sources were read */
  uint32_t object; /* of AGENT_BARRIER: which barrier object of the cluster, from 1 */
} Event;

/* An observer in C: it is told of one event, and of an access by lanes with the address that
 * each of 64 lanes gives. It runs within the launch: it must not call Python, and keeps neither
 * pointer. */
typedef void (*Observe)(void *context, const Event *event, const uint64_t *address);
#endif

// A call as a value, so that a test states only what is special about it.
#ifndef CAPI_H
#define CAPI_H

#include "pica.h"

#include <stdio.h>
#include <string.h>

#define VERTICES 4

struct call {
  pica_attribute attributes[13];
  pica_stream streams[13];
  pica_indices indices;
  // What is handed over; `call_new` lets them lead to the above, and to `call_output` and `call_error`.
  const pica_attribute *attributes_at;
  const pica_stream *streams_at;
  const pica_indices *indices_at; // Null: not indexed, unless `indexed`.
  size_t attribute_count, stream_count;
  int indexed;
  uint32_t first, count;
  pica_vertex *output;
  size_t capacity;
  pica_error *error;
};

extern int checks, failures;
extern pica_vertex call_output[VERTICES];
extern pica_error call_error;
extern uint8_t call_span[8], call_index_span[4];

#define CHECK(condition) check(condition, #condition, __FILE__, __LINE__)
void check(int holds, const char *condition, const char *file, int line);

// One attribute, u8 x 1 at byte 0 to slot 0, of one stream: the 8 bytes of `call_span`, stride 4. Indices 0, 1, 0, 1.
// Decodes 2 vertices into 4.
void call_new(struct call *call);
int32_t call_run(const struct call *call);

void memory_tests(void);

#endif

/* Plug-ins that remember or are wrong, by macros: VERSION, NO_DESTROY, STORED, and by the parameter `fault`. */
#include <math.h>
#include <spacedyn/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef VERSION
#define VERSION SPACEDYN_PLUGIN_VERSION
#endif

typedef struct {
  double sum, fault, seen;
} law;

int spacedyn_plugin_version(void) { return VERSION; }

void* spacedyn_plugin_create(int parameter_count, const char* const* names, const double* values, int joint_count,
                             char* message, int message_size) {
  law* self = calloc(1, sizeof(law));
  (void)joint_count;
  for (int i = 0; i < parameter_count; ++i) {
    if (strcmp(names[i], "fault") == 0) self->fault = values[i];
  }
  if (self->fault != 1.0) return self;
  snprintf(message, (size_t)message_size, "asked to");
  free(self);
  return NULL;
}

/* PID about zero with the gains of tests/control/plugin_test.cpp and the period 0.02 s. */
int spacedyn_plugin_command(void* self, const spacedyn_plugin_input* input, double* torques, char* message,
                            int message_size) {
  law* own = self;
  torques[0] = 20.0 * (0.0 - input->q[0]) + 6.0 * (0.0 - input->qd[0]) + 40.0 * own->sum;
  own->sum += 0.02 * (0.0 - input->q[0]);
  if (own->fault == 2.0 && input->time > 0.5) torques[0] = NAN;
  if (own->fault == 3.0 && input->time > 0.5) {
    snprintf(message, (size_t)message_size, "no more");
    return 7;
  }
  if (own->fault == 4.0) {
    torques[0] = input->base_position[0] + 10.0 * input->base_quaternion_wxyz[1] + 100.0 * input->base_velocity[2] +
                 1000.0 * input->base_angular_velocity[1] + 1e4 * input->reading_count;
    for (int i = 0; i < input->reading_count; ++i) torques[0] += 1e5 * (i + 1) * input->readings[i];
  }
  return 0;
}

#ifndef NO_DESTROY
void spacedyn_plugin_destroy(void* self) { free(self); }
#endif

#ifdef STORED
int spacedyn_plugin_memory(void* self, double** numbers) {
  *numbers = &((law*)self)->sum;
  return 1;
}
#endif

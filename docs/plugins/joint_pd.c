/* A controller of joints as a plug-in: tau = k (position - q) - d qd, the law of joint_pd with a constant reference.
 *
 * Compile:  cc -std=c99 -O2 -shared -fPIC -o joint_pd.so joint_pd.c
 * Use:      {type: plugin, file: joint_pd.so, parameters: {k: 3, d: 4, position: 0.5}, joints: [elbow]}
 */
#include <spacedyn/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double k, d, position;
} law;

int spacedyn_plugin_version(void) { return SPACEDYN_PLUGIN_VERSION; }

void* spacedyn_plugin_create(int parameter_count, const char* const* names, const double* values, int joint_count,
                             char* message, int message_size) {
  law* self = calloc(1, sizeof(law));
  (void)joint_count;
  for (int i = 0; self != NULL && i < parameter_count; ++i) {
    if (strcmp(names[i], "k") == 0) {
      self->k = values[i];
    } else if (strcmp(names[i], "d") == 0) {
      self->d = values[i];
    } else if (strcmp(names[i], "position") == 0) {
      self->position = values[i];
    } else {
      snprintf(message, (size_t)message_size, "expected the parameters k, d and position, got '%s'", names[i]);
      free(self);
      return NULL;
    }
  }
  return self;
}

int spacedyn_plugin_command(void* self, const spacedyn_plugin_input* input, double* torques, char* message,
                            int message_size) {
  const law* own = self;
  (void)message;
  (void)message_size;
  for (int i = 0; i < input->joint_count; ++i) {
    torques[i] = own->k * (own->position - input->q[i]) + own->d * (0.0 - input->qd[i]);
  }
  return 0;
}

void spacedyn_plugin_destroy(void* self) { free(self); }

/* It remembers nothing; without this function sampled runs could not be resumed. */
int spacedyn_plugin_memory(void* self, double** numbers) {
  (void)self;
  (void)numbers;
  return 0;
}

/** @file
 * The C interface of controllers that a program loads while it runs, `type: plugin`.
 *
 * A shared object exports the first four functions; C++ declares them `extern "C"`. Units are SI.
 * A program may create several objects of one plug-in, and calls each from one thread at a time.
 * Messages are texts with a zero at the end, of at most message_size bytes with it.
 */
#ifndef SPACEDYN_PLUGIN_H
#define SPACEDYN_PLUGIN_H

#ifdef __cplusplus
extern "C" {
#endif

#define SPACEDYN_PLUGIN_VERSION 1

typedef struct {
  double time;      /* s */
  int joint_count;  /* of the controller's `joints`, in that order */
  const double* q;  /* rad or m, joint_count */
  const double* qd; /* rad/s or m/s, joint_count */
  /* Of the base centroid of the robot of these joints, inertial; w >= 0. */
  const double* base_position;         /* 3 */
  const double* base_quaternion_wxyz;  /* 4 */
  const double* base_velocity;         /* 3 */
  const double* base_angular_velocity; /* 3 */
  int reading_count;                   /* numbers of all its `sensors`, in their order */
  const double* readings;              /* components as in the channel */
} spacedyn_plugin_input;

/** SPACEDYN_PLUGIN_VERSION of the header that the plug-in was compiled with. */
int spacedyn_plugin_version(void);

/** A new object; null: failed, and message says why. */
void* spacedyn_plugin_create(int parameter_count, const char* const* names, const double* values,
                             int joint_count, char* message, int message_size);

/** Writes joint_count torques, N m or N. 0: done; else the run ends with the message. */
int spacedyn_plugin_command(void* self, const spacedyn_plugin_input* input, double* torques,
                            char* message, int message_size);

void spacedyn_plugin_destroy(void* self);

/**
 * Optional, of plug-ins with a sample period: points to all numbers that an object remembers from
 * one sample to the next, and returns how many they are, always the same. They are saved in
 * checkpoints and written back before each sample, so that a run which is resumed goes on bit for
 * bit. Without this function it is refused to go on.
 */
int spacedyn_plugin_memory(void* self, double** numbers);

#ifdef __cplusplus
}
#endif

#endif

/// @file
/// Functions run in a process of their own, to be limited or killed.
#pragma once

#include <csignal>
#include <functional>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spacedyn::testing {

/// Runs a function in a child process whose files may not grow beyond a size, as on a full disk;
/// the function says whether it met what it expected.
inline void run_with_small_disk(rlim_t bytes, const std::function<bool()>& function) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(function() ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

/// Runs a function in a child process that is killed as soon as the function returns.
inline void run_and_kill(const std::function<void()>& function) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    function();
    std::raise(SIGKILL);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

}  // namespace spacedyn::testing

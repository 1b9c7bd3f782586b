// Loaded before a program that scripts/bootstrap.mjs starts. Every signal to the bootstrap is passed on,
// except kill -9, which nobody can catch: so the program looks whether its bootstrap is still there, and
// follows it when it is not.
const bootstrap = Number(process.env.RECEBE_BOOTSTRAP_PID);
delete process.env.RECEBE_BOOTSTRAP_PID; // Programs started from here on have another parent.

if (process.ppid === bootstrap) {
  const timer = setInterval(() => {
    if (process.ppid !== bootstrap) process.kill(process.pid, 'SIGKILL');
  }, 200);
  timer.unref();
}

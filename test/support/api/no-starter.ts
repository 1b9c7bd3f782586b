/**
 * In place of the service's own starter: a test starts the workflows it wants, and none of them waits to be
 * started.
 */
export const NO_STARTER = { takeOver: () => false, markStarted: () => {} };

/** In place of what looks after clocks that were moved: here nobody moves one. */
export const NO_CLOCKS = { keep: async () => {}, write: async () => false };

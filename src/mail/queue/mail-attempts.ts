/**
 * Updates the columns of a mail that is about to be sent: no other process takes it until its next attempt, with
 * growing pauses. For statements with the parameter `:now`.
 */
export const COUNT_ATTEMPT = `attempts = attempts + 1,
    next_attempt_at = :now::timestamptz + interval '5 minutes' * (attempts + 1) * (attempts + 1)`;

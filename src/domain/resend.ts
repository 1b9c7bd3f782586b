/** Where the resending of a range of deliveries stands: DONE once all of it was asked for, STOPPED before that. */
export const RESEND_STATUSES = ['RUNNING', 'DONE', 'STOPPED'] as const;
export type ResendStatus = (typeof RESEND_STATUSES)[number];

/** The status of a resend: DONE once the whole range was requested, STOPPED before that. */
export const RESEND_STATUSES = ['RUNNING', 'DONE', 'STOPPED'] as const;
export type ResendStatus = (typeof RESEND_STATUSES)[number];

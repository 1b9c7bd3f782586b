import { Client } from '@temporalio/client';

/**
 * What a call may take beside the few seconds that the service gives it: they are for payers, and a slow
 * machine needs more.
 */
const PATIENCE_MS = 60_000;

/** A client whose calls are not given up because the machine is busy. */
export class PatientClient extends Client {
  /** To be set to zero where nobody will answer, and the service is to say so in its own time. */
  patienceMs = PATIENCE_MS;

  override withDeadline<Result>(deadline: number | Date, call: () => Promise<Result>): Promise<Result> {
    return super.withDeadline(new Date(Number(deadline) + this.patienceMs), call);
  }
}

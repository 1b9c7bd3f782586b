import { pino } from 'pino';
import { installTemporalRuntime } from '../../../src/temporal/runtime.ts';

/** Failures on purpose are not worth a line in the test's output. */
export const SILENT_LOG = pino({ level: 'silent' });

let installed = false;

/** Keeps the Temporal SDK's log lines out of the output. Call before anything of Temporal is made. */
export function silenceTemporal(): void {
  if (!installed) installTemporalRuntime(SILENT_LOG, null);
  installed = true;
}

import { ANNOUNCER_WORKFLOW, announcerScheduleId } from '../../workflows/announcer.contract.ts';
import { AUDITOR_WORKFLOW, auditorScheduleId } from '../../workflows/auditor.contract.ts';
import {
  RECONCILIATION_WORKFLOW,
  reconciliationScheduleId,
} from '../../workflows/reconciliation.contract.ts';
import { RETENTION_WORKFLOW, retentionScheduleId } from '../../workflows/retention.contract.ts';
import type { Scheduled } from './kept-schedule.ts';

const MINUTE_MS = 60_000;

/** Starts the auditor. */
export function auditorSchedule(taskQueue: string): Scheduled {
  return {
    scheduleId: auditorScheduleId(taskQueue),
    workflowType: AUDITOR_WORKFLOW,
    everyMs: 5 * MINUTE_MS,
    summary: 'Finds overdue work and resumes it',
  };
}

/** Starts the retention. */
export function retentionSchedule(taskQueue: string): Scheduled {
  return {
    scheduleId: retentionScheduleId(taskQueue),
    workflowType: RETENTION_WORKFLOW,
    everyMs: 60 * MINUTE_MS,
    summary: 'Deletes expired rows',
  };
}

/** Starts the announcer. */
export function announcerSchedule(taskQueue: string): Scheduled {
  return {
    scheduleId: announcerScheduleId(taskQueue),
    workflowType: ANNOUNCER_WORKFLOW,
    everyMs: 10 * MINUTE_MS,
    summary: 'Announces upcoming subscription charges',
  };
}

/** Starts the reconciliation. */
export function reconciliationSchedule(taskQueue: string): Scheduled {
  return {
    scheduleId: reconciliationScheduleId(taskQueue),
    workflowType: RECONCILIATION_WORKFLOW,
    everyMs: 5 * MINUTE_MS,
    summary: 'Ingests payments whose notification was lost',
  };
}

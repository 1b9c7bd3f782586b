import { describe } from '@jest/globals';
import type { FaultKind } from '../../../scripts/psp/faults/kinds.ts';
import { type Examples, showExamples } from './example.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { OWN_ACTS } from './own-acts.ts';
import { READS } from './reads.ts';
import { REQUESTS } from './requests.ts';

const SILENT = { ...REQUESTS, ...READS, ...OWN_ACTS };
// A fault without an example does not compile.
({ ...SILENT, ...NOTIFICATIONS }) satisfies Examples<FaultKind>;

describe('the bank in a box', () => showExamples(SILENT));
// Notifications of other examples must not use up their faults.
describe('the bank in a box, notifying', () => showExamples(NOTIFICATIONS));

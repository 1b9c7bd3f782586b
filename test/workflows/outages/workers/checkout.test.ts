import { describe } from '@jest/globals';
import { IS_THOROUGH } from '../../../support/jest/thoroughness.ts';
import { endsAsWithWorkers } from '../../../support/lives/outages.ts';

// A worker that keeps no runs does one at a time, and a charge's waits ten seconds for its checkout's, ten times.
(IS_THOROUGH ? describe : describe.skip)('thoroughly', () => {
  endsAsWithWorkers('a checkout that is paid by PIX');
});

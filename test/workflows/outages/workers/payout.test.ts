import { endsAsWithWorkers } from '../../../support/fixtures/outages.ts';

endsAsWithWorkers('a payout');

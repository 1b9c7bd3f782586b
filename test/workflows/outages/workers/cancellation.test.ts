import { endsAsWithWorkers } from '../../../support/fixtures/outages.ts';

endsAsWithWorkers('a PIX charge that is cancelled');

import { endsAsWithWorkers } from '../../../support/fixtures/outages.ts';

endsAsWithWorkers('a boleto that nobody pays');

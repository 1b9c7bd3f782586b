import { endsAsWithWorkers } from '../../../support/lives/outages.ts';

endsAsWithWorkers('a boleto that nobody pays');

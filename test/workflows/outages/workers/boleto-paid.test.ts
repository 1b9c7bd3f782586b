import { endsAsWithWorkers } from '../../../support/lives/outages.ts';

endsAsWithWorkers('a boleto that is paid on its last day');

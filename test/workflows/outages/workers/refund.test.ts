import { endsAsWithWorkers } from '../../../support/lives/outages.ts';

endsAsWithWorkers('a refund');

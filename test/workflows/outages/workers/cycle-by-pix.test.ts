import { endsAsWithWorkers } from '../../../support/fixtures/outages.ts';

endsAsWithWorkers('a cycle that is paid by PIX');
